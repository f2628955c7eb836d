/** Why something that was sent is not counted, in words. */
import type { SayKey } from '../../words/settings.ts';

const REASONS: Readonly<Record<string, SayKey>> = {
  prefetch: 'dropPrefetch',
  'sfs-referrer': 'dropForged',
  'ui-cors': 'dropForged',
  'sfd-ui': 'dropForged',
  'ua-chars': 'dropAgent',
  'ua-ip': 'dropAgent',
  'ua-uuid': 'dropAgent',
  referrer: 'dropReferrer',
  browser: 'dropBrowser',
  'ua-rv-mismatch': 'dropAgent',
  'ch-browser': 'dropBrowser',
  'ua-keyword': 'dropBot',
  'ua-regex': 'dropBot',
  ip: 'dropAddress',
  hostname: 'dropHostname',
  'page-view-cap': 'dropCap',
  'keep-alive-without-session': 'dropKeepAlive',
};

/** The words for a reason; one that is newer than this page is told by its name. */
export function reasonKey(reason: string): SayKey | null {
  return REASONS[reason] ?? null;
}
