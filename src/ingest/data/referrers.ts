/**
 * Names of referrers (I-92): a first honest table; the full one replaces it.
 *
 * Keys are a host or host + path, lower case, without a leading `www.`.
 */

/** Host, or host + path → name. */
export const REFERRER_NAMES: ReadonlyMap<string, string> = new Map([
  ['bing.com', 'Bing'],
  ['duckduckgo.com', 'DuckDuckGo'],
  ['yahoo.com', 'Yahoo!'],
  ['search.yahoo.com', 'Yahoo!'],
  ['yahoo.co.jp', 'Yahoo!'],
  ['search.yahoo.co.jp', 'Yahoo!'],
  ['ya.ru', 'Yandex'],
  ['baidu.com', 'Baidu'],
  ['m.baidu.com', 'Baidu'],
  ['ecosia.org', 'Ecosia'],
  ['t.co', 'Twitter'],
  ['twitter.com', 'Twitter'],
  ['x.com', 'X'],
  ['facebook.com', 'Facebook'],
  ['l.facebook.com', 'Facebook'],
  ['lm.facebook.com', 'Facebook'],
  ['m.facebook.com', 'Facebook'],
  ['instagram.com', 'Instagram'],
  ['l.instagram.com', 'Instagram'],
  ['linkedin.com', 'LinkedIn'],
  ['lnkd.in', 'LinkedIn'],
  ['reddit.com', 'Reddit'],
  ['old.reddit.com', 'Reddit'],
  ['news.ycombinator.com', 'Hacker News'],
  ['github.com', 'GitHub'],
  ['youtube.com', 'Youtube'],
  ['m.youtube.com', 'Youtube'],
  ['t.me', 'Telegram'],
  ['tiktok.com', 'TikTok'],
  ['web.whatsapp.com', 'WhatsApp'],
  ['bsky.app', 'Bluesky'],
  ['threads.net', 'Threads'],
  ['mail.google.com', 'Gmail'],
]);

/** First label of a host → name, for sites with one address per country (`google.co.uk`). */
export const REFERRER_NAMES_ANY_COUNTRY: ReadonlyMap<string, string> = new Map([
  ['google', 'Google'],
  ['pinterest', 'Pinterest'],
  ['yandex', 'Yandex'],
]);

/** Android package → name. Icons come with the full table (I-94). */
export const ANDROID_APP_NAMES: ReadonlyMap<string, string> = new Map([
  ['com.google.android.googlequicksearchbox', 'Google'],
  ['com.google.android.gm', 'Gmail'],
  ['com.google.android.youtube', 'Youtube'],
  ['com.facebook.katana', 'Facebook'],
  ['com.instagram.android', 'Instagram'],
  ['com.linkedin.android', 'LinkedIn'],
  ['com.pinterest', 'Pinterest'],
  ['com.reddit.frontpage', 'Reddit'],
  ['com.twitter.android', 'Twitter'],
  ['com.whatsapp', 'WhatsApp'],
  ['com.zhiliaoapp.musically', 'TikTok'],
  ['org.telegram.messenger', 'Telegram'],
]);
