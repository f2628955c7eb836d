/**
 * Whether data arrives (D-19): sends a page view as a page of the site would, and shows it counted with
 * the milliseconds, or the reason for which it was dropped; below, what the site's own pages sent today.
 */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, ApiError, call } from '../../data/api.ts';
import type { Domain } from '../../site/site-data.ts';
import { count, time } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';
import { lastDays } from '../lists/last-days.ts';
import { reasonKey } from './drop-reasons.ts';

type Ledger = AnswerOf<'GET /api/v1/ledger'>;

/** What came of the page view. */
export type Outcome =
  | { readonly kind: 'counted'; readonly ms: number }
  | { readonly kind: 'dropped'; readonly reason: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unseen' };

/** A tag tells the view of this check from all others, whatever comes at the same time. */
const TAG = 'setup';
const LOOKS_MAX = 10;
const LOOK_MS = 200;
const WATCH_MS = 3_000;

/** Sends one and looks for it. @throws ApiError when the service does not say. */
export async function checkSetup({
  id,
  hostname,
  identification_code: code,
}: Domain): Promise<Outcome> {
  const mark = crypto.randomUUID();
  const before = await today(id);
  const startMs = performance.now();
  const scheme = hostname === 'localhost' ? 'http' : 'https';
  const page = { code, url: `${scheme}://${hostname}/`, t: hostname, [`tag_${TAG}`]: mark };
  const sent = await fetch(`/hit?${new URLSearchParams(page)}`, { method: 'POST' });
  if (!sent.ok) {
    const said = (await sent.json().catch(() => ({}))) as { error?: string[] };
    return { kind: 'refused', why: said.error?.join('; ') || String(sent.status) };
  }
  for (let look = 0; look < LOOKS_MAX; look++) {
    const query = { id, ...lastDays(2), [`tag_${TAG}`]: mark };
    const { views } = await call('GET /api/v1/statistics/total', query);
    if (views > 0) return { kind: 'counted', ms: Math.round(performance.now() - startMs) };
    const reason = grown(before, await today(id));
    if (reason !== '') return { kind: 'dropped', reason };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return { kind: 'unseen' };
}

/** Today of the UTC, and tomorrow, which may begin meanwhile. */
function today(id: string): Promise<Ledger> {
  return call('GET /api/v1/ledger', { id, ...lastDays(1) });
}

/** The reason for which more was dropped than before; '' is none. */
function grown(before: Ledger, after: Ledger): string {
  const sums = sumOf(before);
  const [reason = ''] =
    Object.entries(sumOf(after)).find(([name, n]) => n > (sums[name] ?? 0)) ?? [];
  return reason;
}

function sumOf(ledger: Ledger): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { dropped } of ledger) {
    for (const [reason, n] of Object.entries(dropped)) sums[reason] = (sums[reason] ?? 0) + n;
  }
  return sums;
}

export function SetupCheck({ domain }: { domain: Domain }) {
  const [outcome, setOutcome] = useState<Outcome | 'asking' | null>(null);
  const [fault, setFault] = useState('');
  const check = async () => {
    setFault('');
    setOutcome('asking');
    try {
      setOutcome(await checkSetup(domain));
    } catch (error) {
      setOutcome(null);
      setFault((error instanceof ApiError && error.message) || word('awayFirst'));
    }
  };
  return (
    <div class="setup">
      <h3>{say('setup')}</h3>
      <p class="hint">{say('setupHint')}</p>
      <button
        type="button"
        class="button is-main"
        aria-disabled={outcome === 'asking'}
        onClick={() => {
          if (outcome !== 'asking') void check();
        }}
      >
        {say('setupSend')}
      </button>
      <p role="status" class="setup-outcome">
        {outcome === 'asking' && say('setupAsking')}
        {outcome !== null && outcome !== 'asking' && <Said outcome={outcome} />}
      </p>
      <p role="alert" class="fault-text">
        {fault}
      </p>
      <TodayLine domain={domain} />
    </div>
  );
}

function Said({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'counted') {
    return (
      <strong class="is-better">
        <span aria-hidden="true">✓ </span>
        {say('setupCounted', { ms: String(outcome.ms) })}
      </strong>
    );
  }
  const key = outcome.kind === 'dropped' ? reasonKey(outcome.reason) : null;
  const why =
    outcome.kind === 'refused'
      ? outcome.why
      : outcome.kind === 'dropped'
        ? `${key === null ? '' : say(key)} (${outcome.reason})`
        : say('setupUnseen');
  return <strong class="is-worse">{say('setupDropped', { reason: why })}</strong>;
}

/** What the pages sent today, as long as somebody looks. */
function TodayLine({ domain }: { domain: Domain }) {
  const [ledger, setLedger] = useState<Ledger | null>(null);
  const [atMs, setAtMs] = useState(0);
  useEffect(() => {
    const look = () => {
      if (document.hidden) return;
      today(domain.id).then(
        (found) => {
          setLedger(found);
          setAtMs(Date.now());
        },
        // The time that is shown says how old the numbers are.
        () => undefined,
      );
    };
    look();
    const timer = setInterval(look, WATCH_MS);
    return () => clearInterval(timer);
  }, [domain.id]);
  const day = ledger?.[0];
  if (day === undefined) return <p class="hint">{word('loading')}</p>;
  const stored = day.stored.page_views + day.stored.events + day.stored.keep_alives;
  const dropped = Object.values(day.dropped).reduce((sum, n) => sum + n, 0);
  return (
    <p class="hint">
      {day.received === 0
        ? say('todayNothing', { time: time(atMs, 'UTC') })
        : say('todayLine', {
            ...{ received: count(day.received), stored: count(stored) },
            ...{ dropped: count(dropped), time: time(atMs, 'UTC') },
          })}
    </p>
  );
}
