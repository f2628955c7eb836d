/**
 * Sources of traffic by category: names of referrers (I-92) and what the channel goes by (I-98).
 *
 * Our own table, made from the rules of the semantics and from what sites are, as of 2026-11; no list of
 * a third party: those that are maintained are under licences (GPL) that would bind this project. Read by `ingest/source/source.ts`. A line is `Name: word word …`, a name may have several lines,
 * and a word is
 *
 *     example.com        a host, lower case, without a leading `www.`; a path may follow
 *     example.*          the host under every country (`example.de`, `example.co.uk`)
 *     example            no host: what campaigns write in utm_source
 */

/** What kind of place a source is (I-98). */
export type SourceCategory = 'search' | 'shopping' | 'social' | 'video' | 'ai';

/** Lines of sources per category; '' has names and no category. */
export const SOURCES: Readonly<Record<SourceCategory | '', string>> = {
  search: `
    Google: google.* encrypted.google.com cse.google.com images.google.com news.google.com
    Google: adwords google-ads googleads
    Bing: bing.com cn.bing.com m.bing.com global.bing.com
    MSN: msn.com
    DuckDuckGo: duckduckgo.com html.duckduckgo.com lite.duckduckgo.com start.duckduckgo.com ddg
    Yahoo!: yahoo.* search.yahoo.com search.yahoo.co.jp r.search.yahoo.com de.search.yahoo.com
    Yahoo!: uk.search.yahoo.com fr.search.yahoo.com es.search.yahoo.com it.search.yahoo.com
    Yahoo!: br.search.yahoo.com ca.search.yahoo.com au.search.yahoo.com in.search.yahoo.com
    Yahoo!: mx.search.yahoo.com nl.search.yahoo.com se.search.yahoo.com tw.search.yahoo.com
    Yahoo!: hk.search.yahoo.com sg.search.yahoo.com us.search.yahoo.com m.yahoo.co.jp yahoo
    Yandex: yandex.* ya.ru search.yandex.ru m.yandex.ru
    Baidu: baidu.com m.baidu.com wap.baidu.com
    Ecosia: ecosia.org
    Brave Search: search.brave.com brave
    Startpage: startpage.com eu.startpage.com us.startpage.com s2.startpage.com
    Qwant: qwant.com lite.qwant.com
    Kagi: kagi.com
    Naver: naver.com search.naver.com m.search.naver.com m.naver.com
    Daum: daum.net search.daum.net m.search.daum.net
    Seznam: seznam.cz search.seznam.cz
    Sogou: sogou.com m.sogou.com
    So.com: so.com m.so.com
    Shenma: m.sm.cn so.m.sm.cn
    Ask: ask.com uk.ask.com de.ask.com
    AOL: aol.com search.aol.com
    Swisscows: swisscows.com
    MetaGer: metager.org metager.de
    Mojeek: mojeek.com
    Presearch: presearch.com presearch.org
    Lilo: search.lilo.org lilo.org
    Gibiru: gibiru.com
    Dogpile: dogpile.com
    WebCrawler: webcrawler.com
    Lycos: lycos.com search.lycos.com
    Info.com: info.com
    Mail.ru: go.mail.ru
    Rambler: rambler.ru nova.rambler.ru
    Virgilio: virgilio.it ricerca.virgilio.it
    Onet: onet.pl szukaj.onet.pl
    Coc Coc: coccoc.com
    T-Online: suche.t-online.de t-online.de
    Web.de: suche.web.de
    GMX Suche: suche.gmx.net suche.gmx.at
    Excite: excite.com search.excite.co.jp
    goo: search.goo.ne.jp goo.ne.jp
    biglobe: search.biglobe.ne.jp
    Rakuten Search: websearch.rakuten.co.jp
    Petal Search: petalsearch.com
    Marginalia: search.marginalia.nu
    SearXNG: searx.be searxng.site
    Whoogle: whoogle.io
    Babylon: babylon.com search.babylon.com
    Conduit: search.conduit.com
    Avira SafeSearch: search.avira.com
    Norton Safe Search: search.norton.com
    MyWay: search.myway.com
    Mamma: mamma.com
    Karma Search: karmasearch.org
    OceanHero: oceanhero.today
    Ekoru: ekoru.org
    Gigablast: gigablast.com`,

  shopping: `
    Amazon: amazon.* smile.amazon.com sellercentral.amazon.com amzn.to a.co amzn amazon-ads
    Google Shopping: shopping.google.com google-shopping googleshopping
    Instagram Shopping: igshopping
    eBay: ebay.* m.ebay.com m.ebay.de m.ebay.co.uk cgi.ebay.com
    Etsy: etsy.com
    AliExpress: aliexpress.com de.aliexpress.com es.aliexpress.com fr.aliexpress.com
    AliExpress: m.aliexpress.com aliexpress.ru aliexpress.us
    Alibaba: alibaba.com m.alibaba.com 1688.com
    Taobao: taobao.com s.taobao.com world.taobao.com
    Tmall: tmall.com
    JD.com: jd.com
    Temu: temu.com
    SHEIN: shein.* us.shein.com
    Walmart: walmart.com
    Target: target.com
    Best Buy: bestbuy.com bestbuy.ca
    Wayfair: wayfair.com
    Overstock: overstock.com
    Shopify: shopify.com apps.shopify.com checkout.shopify.com
    Shop: shop.app
    Rakuten: rakuten.com rakuten.co.jp search.rakuten.co.jp item.rakuten.co.jp
    Mercado Libre: mercadolibre.* mercadolivre.* mercadolibre mercadolivre
    Shopee: shopee.*
    Lazada: lazada.*
    Tokopedia: tokopedia.com
    Flipkart: flipkart.com
    Myntra: myntra.com
    Meesho: meesho.com
    Coupang: coupang.com
    Otto: otto.de
    Zalando: zalando.*
    idealo: idealo.*
    Kleinanzeigen: kleinanzeigen.de
    billiger.de: billiger.de
    Geizhals: geizhals.at geizhals.de geizhals.eu
    Allegro: allegro.pl
    Ceneo: ceneo.pl
    OZON: ozon.ru
    Wildberries: wildberries.ru
    bol.com: bol.com
    Cdiscount: cdiscount.com
    Fnac: fnac.com
    leboncoin: leboncoin.fr
    Trendyol: trendyol.com
    Hepsiburada: hepsiburada.com
    Digitec Galaxus: digitec.ch galaxus.ch galaxus.de
    Wish: wish.com
    Newegg: newegg.com
    Poshmark: poshmark.com
    Mercari: mercari.com jp.mercari.com
    Vinted: vinted.*
    Depop: depop.com
    StockX: stockx.com
    PriceGrabber: pricegrabber.com
    PriceRunner: pricerunner.com pricerunner.dk pricerunner.se
    Shopzilla: shopzilla.com
    Kelkoo: kelkoo.*
    Shopping.com: shopping.com
    ShopStyle: shopstyle.com
    Slickdeals: slickdeals.net
    Honey: joinhoney.com
    Gumtree: gumtree.com gumtree.com.au
    Stripe: stripe.com checkout.stripe.com
    OLX: olx.*
    Craigslist: craigslist.org
    Marktplaats: marktplaats.nl
    Subito: subito.it
    Avito: avito.ru
    Back Market: backmarket.*
    Carousell: carousell.com carousell.sg`,

  social: `
    Facebook: facebook.com l.facebook.com lm.facebook.com m.facebook.com mbasic.facebook.com
    Facebook: web.facebook.com touch.facebook.com business.facebook.com apps.facebook.com fb.com
    Facebook: fb.me fb facebook-ads facebook_ads meta
    Messenger: messenger.com l.messenger.com m.me
    Instagram: instagram.com l.instagram.com m.instagram.com ig ig_ads
    Threads: threads.net threads.com l.threads.net l.threads.com
    Twitter: t.co twitter.com m.twitter.com mobile.twitter.com
    X: x.com mobile.x.com
    LinkedIn: linkedin.com lnkd.in de.linkedin.com uk.linkedin.com fr.linkedin.com
    LinkedIn: m.linkedin.com touch.linkedin.com business.linkedin.com
    Reddit: reddit.com old.reddit.com new.reddit.com np.reddit.com out.reddit.com m.reddit.com
    Reddit: amp.reddit.com redd.it
    Hacker News: news.ycombinator.com hn hackernews
    Pinterest: pinterest.* pin.it ar.pinterest.com br.pinterest.com in.pinterest.com
    TikTok: tiktok.com m.tiktok.com vm.tiktok.com ads.tiktok.com tik-tok
    WhatsApp: web.whatsapp.com whatsapp.com api.whatsapp.com wa.me l.wl.co
    Telegram: t.me web.telegram.org telegram.org telegram.me
    Bluesky: bsky.app go.bsky.app bsky
    Mastodon: mastodon.social mastodon.online mstdn.social mastodon.world fosstodon.org
    Mastodon: hachyderm.io infosec.exchange chaos.social mas.to mstdn.jp
    Snapchat: snapchat.com snap
    Discord: discord.com discord.gg discordapp.com ptb.discord.com canary.discord.com
    Slack: slack.com app.slack.com
    Microsoft Teams: teams.microsoft.com statics.teams.cdn.office.net
    Signal: signal.org
    Viber: viber.com
    LINE: line.me liff.line.me
    KakaoTalk: kakao.com story.kakao.com
    WeChat: weixin.qq.com mp.weixin.qq.com wechat.com weixin
    QQ: qq.com im.qq.com
    Qzone: qzone.qq.com
    Weibo: weibo.com m.weibo.cn weibo.cn s.weibo.com
    Xiaohongshu: xiaohongshu.com xhslink.com
    Zhihu: zhihu.com link.zhihu.com zhuanlan.zhihu.com
    Douban: douban.com
    VK: vk.com m.vk.com away.vk.com vkontakte.ru
    Odnoklassniki: ok.ru m.ok.ru odnoklassniki.ru
    Tumblr: tumblr.com href.li t.umblr.com
    Flickr: flickr.com
    Quora: quora.com de.quora.com es.quora.com fr.quora.com
    Stack Overflow: stackoverflow.com stackoverflow.blog
    Stack Exchange: stackexchange.com
    Medium: medium.com
    Substack: substack.com open.substack.com
    DEV: dev.to
    Hashnode: hashnode.com
    Lobsters: lobste.rs
    Tildes: tildes.net
    Lemmy: lemmy.world lemmy.ml programming.dev
    Product Hunt: producthunt.com
    Indie Hackers: indiehackers.com
    Slashdot: slashdot.org
    Digg: digg.com
    Mix: mix.com
    Pocket: getpocket.com
    Instapaper: instapaper.com
    Flipboard: flipboard.com flip.it
    Feedly: feedly.com
    Inoreader: inoreader.com
    XING: xing.com
    Nextdoor: nextdoor.com nextdoor.de
    Meetup: meetup.com
    Goodreads: goodreads.com
    Letterboxd: letterboxd.com
    Yelp: yelp.com m.yelp.com yelp.de
    Tripadvisor: tripadvisor.*
    Foursquare: foursquare.com
    Behance: behance.net
    Dribbble: dribbble.com
    DeviantArt: deviantart.com
    500px: 500px.com
    Imgur: imgur.com
    9GAG: 9gag.com
    4chan: boards.4chan.org 4chan.org
    BuzzFeed: buzzfeed.com
    Blogger: blogger.com
    LiveJournal: livejournal.com
    Livedoor: livedoor.com
    Ameba: ameblo.jp ameba.jp
    Hatena: b.hatena.ne.jp hatena.ne.jp
    note: note.com
    Mixi: mixi.jp
    Gab: gab.com
    Truth Social: truthsocial.com
    Minds: minds.com
    Gettr: gettr.com
    Linktree: linktr.ee
    Buffer: buffer.com
    Hootsuite: hootsuite.com ow.ly
    Disqus: disqus.com
    Gravatar: gravatar.com
    SlideShare: slideshare.net
    Scoop.it: scoop.it
    SourceForge: sourceforge.net
    Skype: web.skype.com skype.com
    Workplace: workplace.com
    BeReal: bere.al
    Pixelfed: pixelfed.social
    Misskey: misskey.io
    Patreon: patreon.com
    Strava: strava.com
    Ravelry: ravelry.com
    Wattpad: wattpad.com
    Glassdoor: glassdoor.*`,

  video: `
    Youtube: youtube.com m.youtube.com music.youtube.com studio.youtube.com youtube-nocookie.com
    Youtube: youtu.be yt
    Vimeo: vimeo.com player.vimeo.com
    Twitch: twitch.tv m.twitch.tv
    Kick: kick.com
    Dailymotion: dailymotion.com
    Rumble: rumble.com
    Odysee: odysee.com
    PeerTube: peertube.tv
    Netflix: netflix.com
    Disney+: disneyplus.com
    Hulu: hulu.com
    Crunchyroll: crunchyroll.com
    Wistia: wistia.com fast.wistia.net
    Loom: loom.com
    Vidyard: vidyard.com
    TED: ted.com
    Bilibili: bilibili.com m.bilibili.com search.bilibili.com
    Youku: youku.com
    iQIYI: iqiyi.com
    Douyin: douyin.com
    Kuaishou: kuaishou.com
    Niconico: nicovideo.jp
    RUTUBE: rutube.ru
    Bitchute: bitchute.com
    Veoh: veoh.com
    Metacafe: metacafe.com
    Globoplay: globoplay.globo.com
    Plex: plex.tv app.plex.tv
    IMDb: imdb.com m.imdb.com`,

  ai: `
    ChatGPT: chatgpt.com chat.openai.com openai.com openai
    Claude: claude.ai anthropic
    Gemini: gemini.google.com bard.google.com bard
    Google AI Studio: aistudio.google.com
    NotebookLM: notebooklm.google.com notebooklm.google
    Perplexity: perplexity.ai
    Copilot: copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft bing.com/chat
    Copilot: edgeservices.bing.com
    GitHub Copilot: github.com/copilot
    DeepSeek: chat.deepseek.com deepseek.com
    Grok: grok.com x.com/i/grok
    Meta AI: meta.ai
    Mistral: chat.mistral.ai mistral.ai
    Poe: poe.com
    You.com: you.com
    Phind: phind.com
    Pi: pi.ai
    Character.AI: character.ai
    Hugging Face: huggingface.co
    Qwen: chat.qwen.ai qwen.ai tongyi.aliyun.com
    Kimi: kimi.com kimi.moonshot.cn
    Doubao: doubao.com
    Ernie: yiyan.baidu.com
    Yuanbao: yuanbao.tencent.com
    Felo: felo.ai
    Genspark: genspark.ai
    Komo: komo.ai
    Andi: andisearch.com
    iAsk: iask.ai
    Exa: exa.ai
    Duck.ai: duck.ai
    Lumo: lumo.proton.me
    Jasper: jasper.ai
    Writesonic: writesonic.com
    Manus: manus.im
    Z.ai: chat.z.ai
    MiniMax: chat.minimax.io
    Monica: monica.im
    Liner: liner.com getliner.com
    v0: v0.app v0.dev`,

  '': `
    Gmail: mail.google.com
    Outlook: outlook.live.com outlook.office.com outlook.office365.com
    Yahoo! Mail: mail.yahoo.com
    Proton Mail: mail.proton.me
    iCloud Mail: icloud.com
    GMX: gmx.net gmx.de
    GitHub: github.com gist.github.com
    GitLab: gitlab.com
    Bitbucket: bitbucket.org
    Codeberg: codeberg.org
    npm: npmjs.com
    Wikipedia: wikipedia.org en.wikipedia.org de.wikipedia.org fr.wikipedia.org es.wikipedia.org
    Wikipedia: it.wikipedia.org ja.wikipedia.org ru.wikipedia.org pt.wikipedia.org
    Wikipedia: zh.wikipedia.org nl.wikipedia.org pl.wikipedia.org en.m.wikipedia.org
    Wikipedia: de.m.wikipedia.org fr.m.wikipedia.org es.m.wikipedia.org ja.m.wikipedia.org
    Wikipedia: ru.m.wikipedia.org it.m.wikipedia.org pt.m.wikipedia.org sv.wikipedia.org
    Wikipedia: uk.wikipedia.org ar.wikipedia.org fa.wikipedia.org ko.wikipedia.org tr.wikipedia.org
    Wikipedia: cs.wikipedia.org id.wikipedia.org vi.wikipedia.org fi.wikipedia.org he.wikipedia.org
    Google Maps: maps.google.com
    Google Chat: chat.google.com mail.google.com/chat
    Google Classroom: classroom.google.com
    Fastmail: app.fastmail.com fastmail.com
    Zoho Mail: mail.zoho.com
    Tuta: app.tuta.com
    Notion: notion.so notion.site
    Trello: trello.com
    Asana: app.asana.com
    Google Translate: translate.google.com
    Google Docs: docs.google.com
    Google Ads: googleads.g.doubleclick.net
    Google Discover: discover.google.com`,
};
