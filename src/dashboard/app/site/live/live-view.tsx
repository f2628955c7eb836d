/** Who is there now: the number, the pages, a running list of hits (D-15). */
import { BarList } from '../../parts/bar-list.tsx';
import { withFilter } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import { count, country, time } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import type { LiveData } from './live-data.ts';

/** The number beside the name of the site. */
export function ActiveMark({ live }: { live: LiveData }) {
  const active = live.active.value;
  const isStill = live.isPaused.value || !live.isOpen.value;
  return (
    <span class={isStill ? 'active is-still' : 'active'}>
      <span class="pulse" aria-hidden="true" />
      <b>{active === null ? '–' : count(active.visitors)}</b>
      <span class="sr-only">{word('active')}</span>
    </span>
  );
}

export function LiveView({ live }: { live: LiveData }) {
  const active = live.active.value;
  const rows = (active?.stats ?? []).slice(0, 6).map(({ path, visitors }) => ({
    ...{ key: path, text: path, value: visitors, shown: count(visitors) },
  }));
  return (
    <section class="card live" aria-labelledby="live-title">
      <header class="panel-head">
        <h2 id="live-title">{word('live')}</h2>
        <button
          type="button"
          class="button is-plain"
          aria-pressed={live.isPaused.value}
          onClick={() => live.toggle()}
        >
          {word(live.isPaused.value ? 'resume' : 'pause')}
        </button>
      </header>
      <p class="live-count">
        <b>{active === null ? '–' : count(active.visitors)}</b> {word('active')}
      </p>
      {rows.length === 0 ? (
        <p class="empty">{word('nobody')}</p>
      ) : (
        <BarList
          rows={rows}
          column={word('onPages')}
          metric={word('visitors')}
          onChoose={(value, isExcluded) => {
            const added = { name: 'path', operator: isExcluded ? '!' : '', value } as const;
            show({ filters: withFilter(view.value.filters, added) });
          }}
        />
      )}
      {live.hits.value.length > 0 && <h3>{word('latest')}</h3>}
      <ol class="hits">
        {live.hits.value.map((hit) => (
          <li key={hit.key}>
            <time dateTime={hit.time}>{time(Date.parse(hit.time))}</time>
            <b dir="auto">{hit.event_name === '' ? hit.path : hit.event_name}</b>
            <small dir="auto">
              {[
                hit.country_code === '' ? '' : country(hit.country_code),
                hit.referrer_name,
                hit.browser,
                hit.os,
              ]
                .filter((text) => text !== '')
                .join(' · ')}
            </small>
          </li>
        ))}
      </ol>
    </section>
  );
}
