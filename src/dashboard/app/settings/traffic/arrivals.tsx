/** What became of everything that a site was sent: the ledger, and the bots by name (P-31). */
import { useState } from 'preact/hooks';
import { type AnswerOf, call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { dayOf } from '../../view/days.ts';
import { count, days } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { lastDays } from '../lists/last-days.ts';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';
import { reasonKey } from './drop-reasons.ts';

type Ledger = AnswerOf<'GET /api/v1/ledger'>;
type Bots = AnswerOf<'GET /api/v1/ledger/bots'>;

const RANGES = [7, 30, 90] as const;

export function Arrivals({ domain }: SitePlace) {
  const [days, setDays] = useState<number>(RANGES[0]);
  const query = { id: domain.id, ...lastDays(days) };
  const asked = () =>
    Promise.all([call('GET /api/v1/ledger', query), call('GET /api/v1/ledger/bots', query)]);
  const { found, fault, load } = useLoaded(asked, [domain.id, days]);
  const [ledger, bots] = found ?? [null, []];
  return (
    <section class="settings-part">
      <PartHead title={say('arrivals')} hint={say('arrivalsHint')}>
        <fieldset class="day-buttons">
          <legend class="sr-only">{say('days')}</legend>
          {RANGES.map((range) => (
            <button
              type="button"
              class="button"
              key={range}
              aria-pressed={range === days}
              onClick={() => setDays(range)}
            >
              {say('lastDays', { count: range })}
            </button>
          ))}
        </fieldset>
      </PartHead>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {ledger !== null && <Sums ledger={ledger} />}
      {ledger !== null && <BotTable bots={bots} />}
      {ledger !== null && <DayTable ledger={ledger} />}
    </section>
  );
}

function storedOf({ stored }: Ledger[number]): number {
  return stored.page_views + stored.events + stored.keep_alives;
}

function droppedOf({ dropped }: Ledger[number]): number {
  return Object.values(dropped).reduce((sum, n) => sum + n, 0);
}

/** Received is what is stored, what was dropped, and what came twice. */
function Sums({ ledger }: { ledger: Ledger }) {
  const sum = (of: (day: Ledger[number]) => number) =>
    count(ledger.reduce((total, day) => total + of(day), 0));
  const reasons = new Map<string, number>();
  for (const { dropped } of ledger) {
    for (const [reason, n] of Object.entries(dropped)) {
      // Several reasons of the ledger are one to people: a row twice would look like a mistake.
      const words = reasonWords(reason);
      reasons.set(words, (reasons.get(words) ?? 0) + n);
    }
  }
  return (
    <>
      <dl class="sums">
        <Sum name={say('received')} value={sum(({ received }) => received)} />
        <Sum name={say('storedItems')} value={sum(storedOf)} sign="=" />
        <Sum name={say('droppedItems')} value={sum(droppedOf)} sign="+" />
        <Sum name={say('duplicates')} value={sum(({ duplicates }) => duplicates)} sign="+" />
      </dl>
      {reasons.size > 0 && (
        <table class="plain">
          <caption class="sr-only">{say('droppedItems')}</caption>
          <thead>
            <tr>
              <th scope="col">{say('reason')}</th>
              <th scope="col" class="number">
                {say('droppedItems')}
              </th>
            </tr>
          </thead>
          <tbody>
            {[...reasons]
              .sort(([, left], [, right]) => right - left)
              .map(([words, n]) => (
                <tr key={words}>
                  <th scope="row">{words}</th>
                  <td class="number">{count(n)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function reasonWords(reason: string): string {
  const key = reasonKey(reason);
  return key === null ? reason : say(key);
}

function Sum({ name, value, sign }: { name: string; value: string; sign?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {sign !== undefined && <span aria-hidden="true">{sign} </span>}
        {value}
      </dd>
    </div>
  );
}

/** By name and kind, over all days. */
function BotTable({ bots }: { bots: Bots }) {
  const byName = new Map<string, { name: string; kind: string; items: number }>();
  for (const { name, kind, items } of bots) {
    const before = byName.get(name)?.items ?? 0;
    byName.set(name, { name, kind, items: before + items });
  }
  const rows = [...byName.values()].sort((left, right) => right.items - left.items);
  return (
    <>
      <h3>{say('bots')}</h3>
      {rows.length === 0 ? (
        <p class="hint">{say('botsNone')}</p>
      ) : (
        <table class="plain">
          <caption class="sr-only">{say('bots')}</caption>
          <thead>
            <tr>
              <th scope="col">{say('name')}</th>
              <th scope="col">{say('kind')}</th>
              <th scope="col" class="number">
                {say('droppedItems')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, kind, items }) => (
              <tr key={name}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                <td>{botKindText(kind)}</td>
                <td class="number">{count(items)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const BOT_KINDS = ['ai', 'search', 'preview', 'monitor', 'library', 'other'] as const;

/** One that is newer than this page is told by its name. */
function botKindText(kind: string): string {
  const known = BOT_KINDS.find((one) => one === kind);
  return known === undefined ? kind : say(`bot_${known}`);
}

function dayShown(date: string): string {
  const day = dayOf(date);
  return days({ from: day, to: day });
}

function DayTable({ ledger }: { ledger: Ledger }) {
  return (
    <>
      <h3>{say('byDay')}</h3>
      <table class="plain">
        <caption class="sr-only">{say('byDay')}</caption>
        <thead>
          <tr>
            <th scope="col">{say('day')}</th>
            {(['received', 'storedItems', 'droppedItems', 'duplicates'] as const).map((key) => (
              <th key={key} scope="col" class="number">
                {say(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ledger.toReversed().map((day) => (
            <tr key={day.date}>
              <th scope="row">
                <time dateTime={day.date}>{dayShown(day.date)}</time>
              </th>
              <td class="number">{count(day.received)}</td>
              <td class="number">{count(storedOf(day))}</td>
              <td class="number">{count(droppedOf(day))}</td>
              <td class="number">{count(day.duplicates)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
