/**
 * Android apps by package (I-91, step 1): what `android-app://` referrers name.
 *
 * Our own list, as of 2026-11. A line is `package: Name`; the names of `data/referrers.ts` give their
 * category (I-98) and their icon (I-94, `data/source-icons.ts`).
 */

/** Lines of package and name. */
export const ANDROID_APPS = `
  com.google.android.googlequicksearchbox: Google
  com.google.android.gm: Gmail
  com.google.android.youtube: Youtube
  com.google.android.apps.bard: Gemini
  com.facebook.katana: Facebook
  com.facebook.lite: Facebook
  com.facebook.orca: Messenger
  com.instagram.android: Instagram
  com.instagram.barcelona: Threads
  com.linkedin.android: LinkedIn
  com.pinterest: Pinterest
  com.reddit.frontpage: Reddit
  com.andrewshu.android.reddit: Reddit
  com.laurencedawson.reddit_sync: Reddit
  com.twitter.android: Twitter
  com.whatsapp: WhatsApp
  com.whatsapp.w4b: WhatsApp
  com.zhiliaoapp.musically: TikTok
  com.ss.android.ugc.trill: TikTok
  org.telegram.messenger: Telegram
  org.telegram.messenger.web: Telegram
  org.thoughtcrime.securesms: Signal
  xyz.blueskyweb.app: Bluesky
  org.joinmastodon.android: Mastodon
  com.snapchat.android: Snapchat
  com.discord: Discord
  com.Slack: Slack
  com.microsoft.teams: Microsoft Teams
  com.microsoft.office.outlook: Outlook
  com.microsoft.bing: Bing
  com.microsoft.copilot: Copilot
  com.duckduckgo.mobile.android: DuckDuckGo
  com.yandex.searchapp: Yandex
  ru.yandex.searchplugin: Yandex
  com.ecosia.android: Ecosia
  com.yahoo.mobile.client.android.mail: Yahoo! Mail
  com.openai.chatgpt: ChatGPT
  com.anthropic.claude: Claude
  ai.perplexity.app.android: Perplexity
  com.deepseek.chat: DeepSeek
  ai.x.grok: Grok
  com.amazon.mShop.android.shopping: Amazon
  com.ebay.mobile: eBay
  com.vkontakte.android: VK
  jp.naver.line.android: LINE
  com.tencent.mm: WeChat
  com.sina.weibo: Weibo
  com.quora.android: Quora
  com.medium.reader: Medium
  com.github.android: GitHub
  tv.twitch.android.app: Twitch
  com.vimeo.android.videoapp: Vimeo
  com.ideashower.readitlater.pro: Pocket
  flipboard.app: Flipboard
  io.syncapps.lemmy_sync: Lemmy
  com.google.android.apps.searchlite: Google
  com.google.android.apps.translate: Google Translate
  com.google.android.apps.docs.editors.docs: Google Docs
  com.google.android.apps.youtube.music: Youtube
  com.google.android.apps.maps: Google Maps
  com.google.android.apps.dynamite: Google Chat
  com.facebook.mlite: Messenger
  com.instagram.lite: Instagram
  com.twitter.android.lite: Twitter
  com.keylesspalace.tusky: Mastodon
  com.tumblr: Tumblr
  com.xing.android: XING
  com.nextdoor: Nextdoor
  com.yelp.android: Yelp
  com.tripadvisor.tripadvisor: Tripadvisor
  com.goodreads: Goodreads
  com.substack.app: Substack
  com.devhd.feedly: Feedly
  com.innologica.inoreader: Inoreader
  com.instapaper.android: Instapaper
  com.tencent.mobileqq: QQ
  com.zhihu.android: Zhihu
  com.xingin.xhs: Xiaohongshu
  com.kakao.talk: KakaoTalk
  com.viber.voip: Viber
  com.skype.raider: Skype
  ru.ok.android: Odnoklassniki
  com.baidu.searchbox: Baidu
  com.nhn.android.search: Naver
  net.daum.android.daum: Daum
  com.etsy.android: Etsy
  com.alibaba.aliexpresshd: AliExpress
  com.einnovation.temu: Temu
  com.zzkko: SHEIN
  com.walmart.android: Walmart
  com.target.ui: Target
  com.flipkart.android: Flipkart
  com.mercadolibre: Mercado Libre
  de.zalando.mobile: Zalando
  com.ebay.kleinanzeigen: Kleinanzeigen
  pl.allegro: Allegro
  fr.vinted: Vinted
  com.netflix.mediaclient: Netflix
  com.disney.disneyplus: Disney+
  com.crunchyroll.crunchyroid: Crunchyroll
  com.dailymotion.dailymotion: Dailymotion
  tv.danmaku.bili: Bilibili
  com.imdb.mobile: IMDb
  ch.protonmail.android: Proton Mail
  de.gmx.mobile.android.mail: GMX
  org.wikipedia: Wikipedia
  notion.id: Notion
  com.trello: Trello
  com.asana.app: Asana`;
