/**
 * Android apps by package (I-91, step 1): what `android-app://` referrers name.
 *
 * Our own list. A line is `package: Name`; the names of `data/referrers.ts` give their category
 * (I-98). No icons are bundled: `referrer_icon` stays empty (I-94).
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
  io.syncapps.lemmy_sync: Lemmy`;
