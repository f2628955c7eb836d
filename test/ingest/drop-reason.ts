/** Why the bot filter drops a hit, for the tests that want to know. */
import { parsePageUrl } from '../../src/ingest/page/page-url.ts';
import { siteWith } from '../../src/ingest/page/site.ts';
import { Pipeline } from '../../src/ingest/pipeline.ts';
import type { RawHit } from '../../src/ingest/raw-hit.ts';
import { DROP_REASONS } from '../../src/model/drop-reasons.ts';
import { HitKind } from '../../src/model/hit.ts';

/** What no rule has anything against. */
export const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/130.0.0.0 Safari/537.36';
/** Of hits that do not say. */
export const SITE = siteWith('d', 'example.org', ['*.shop.test', 'uptime.com']);
export const ALL_KINDS = [HitKind.PageView, HitKind.Event, HitKind.KeepAlive];

/** Fields of a hit, and how it comes. */
export interface Sent extends Partial<RawHit> {
  kind?: number;
  site?: typeof SITE;
  requestVerdict?: number;
}

/** A pipeline that knows no places. */
export function newPipeline(): Pipeline {
  const nowhere = { country: '', region: '', city: '' };
  return new Pipeline({ locate: () => nowhere, visitorKey: new Uint8Array(32) });
}

const shared = newPipeline();

/** Why a hit is dropped; '' when it is not. */
export function reasonOf(sent: Sent, pipeline = shared): string {
  const { kind = HitKind.PageView, site = SITE, requestVerdict = 0, ...fields } = sent;
  const raw = { url: 'https://example.org/', ip: '8.8.8.8', user_agent: AGENT, ...fields };
  const page = kind === HitKind.KeepAlive ? null : parsePageUrl(raw.url ?? '');
  const result = pipeline.run({ kind, raw, page, site, timeMs: 1_700_000_000_000, requestVerdict });
  return typeof result === 'number' ? String(DROP_REASONS[result]) : '';
}
