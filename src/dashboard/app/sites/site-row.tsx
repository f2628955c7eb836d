/** One site of the list: its name, visitors today, the last day as a line. */
import { useEffect, useState } from 'preact/hooks';
import { askAll } from '../data/batch.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import type { Domain } from '../site/site-data.ts';
import { dayText, today } from '../view/days.ts';
import { go } from '../view/view.ts';
import { shortCount } from '../words/format.ts';
import { word } from '../words/words.ts';

interface Traffic {
  readonly visitors: number;
  readonly hours: readonly number[];
  readonly active: number;
}

/** A row that passes by quickly is not asked for. */
const SETTLE_MS = 120;

export function SiteRow({ site, top }: { site: Domain; top: number }) {
  const [traffic, setTraffic] = useState<Traffic | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      trafficOf(site, abort.signal).then(setTraffic, () => undefined);
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [site.id]);
  const path = `/${site.subdomain}`;
  return (
    <li class="site" style={{ transform: `translateY(${top}px)` }}>
      <a
        class="card"
        href={path}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          go(path);
        }}
      >
        <b dir="auto">{site.display_name || site.hostname}</b>
        <Sparkline values={traffic?.hours ?? []} label={word('last24')} />
        <span class="number">
          {traffic === null ? '' : shortCount(traffic.visitors)} <small>{word('today')}</small>
        </span>
        <span class="number is-active">
          {traffic === null || traffic.active === 0
            ? ''
            : word('activeNow', { count: shortCount(traffic.active) })}
        </span>
      </a>
    </li>
  );
}

async function trafficOf({ id, timezone }: Domain, signal: AbortSignal): Promise<Traffic> {
  const day = today(timezone);
  const [total, hours, active] = await askAll(
    { id, from: dayText(day), to: dayText(day) },
    [{ name: 'total' }, { name: 'hours' }, { name: 'active' }],
    signal,
  );
  const answer = (result: typeof total) =>
    result !== undefined && 'answer' in result ? (result.answer as never) : null;
  return {
    visitors: (answer(total) as { visitors: number } | null)?.visitors ?? 0,
    hours: ((answer(hours) as { visitors: number }[] | null) ?? []).map(({ visitors }) => visitors),
    active: (answer(active) as { visitors: number } | null)?.visitors ?? 0,
  };
}
