/** The latest sessions, and the hours of the week in which people come (D-12). */
import type { Query } from '../../data/batch.ts';
import { Fault } from '../../parts/fault.tsx';
import { loaded } from '../../parts/loaded.tsx';
import { scrolled } from '../../parts/scrolled.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { show, view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { answerOf, daysOf, type SiteData, sharedOf } from '../site-data.ts';
import { usePart } from '../use-part.ts';
import { ApiLink } from './api-link.tsx';
import { panelQuestions } from './questions.ts';
import { type Session, SessionTable } from './session-table.tsx';
import { picked } from './tab.ts';

/** Loaded once somebody looks at them. */
const Hours = loaded(async () => (await import('./hours-map.tsx')).HoursMap);

export function SessionsPanel({ data }: { data: SiteData }) {
  const shown = usePart(data, (one) => one === 'sessions' || one === 'hours');
  const isHours = picked(view.value, 'sessions') === 'hours';
  const key = isHours ? 'hours' : 'sessions';
  const rows = answerOf<readonly Session[]>(shown, 'sessions');
  const result = shown?.results.get(key);
  const query = shown === null ? undefined : panelQuestions(shown.view).get(key);
  const shared =
    shown === null ? {} : { ...sharedOf(data.domain.id, shown.view), ...daysOf(shown.span) };
  return (
    <section class="card panel is-double" aria-labelledby="sessions-title">
      <header class="panel-head">
        <h2 id="sessions-title">{word('sessionsPanel')}</h2>
        <Tabs
          label={word('sessionsPanel')}
          tabs={[
            { key: '', label: word('latest') },
            { key: 'hours', label: word('hoursPanel') },
          ]}
          chosen={isHours ? 'hours' : ''}
          controls="sessions-body"
          onChoose={(tab) => show({ tabs: { ...view.value.tabs, sessions: tab } }, true)}
        />
      </header>
      <div id="sessions-body" role="tabpanel" class="panel-body">
        {result !== undefined && 'error' in result && (
          <Fault error={result.error} onRetry={() => data.again()} />
        )}
        {isHours ? (
          <Hours data={data} />
        ) : (
          rows !== null &&
          (rows.length === 0 ? (
            <p class="empty">{word('nothing')}</p>
          ) : (
            <div class="scroll-x" {...scrolled(word('sessionsPanel'))}>
              <SessionTable rows={rows} zone={data.domain.timezone} />
            </div>
          ))
        )}
      </div>
      <footer class="panel-foot">
        {!isHours && rows !== null && rows.length > 0 ? (
          <button
            type="button"
            class="button is-plain"
            onClick={() => show({ open: 'sessions', search: '', sort: '', at: 0 })}
          >
            {word('more')}
            <span class="sr-only">: {word('sessionsPanel')}</span>
          </button>
        ) : (
          <span />
        )}
        {query !== undefined && (
          <ApiLink shared={shared} query={query as Query} label={word('sessionsPanel')} />
        )}
      </footer>
    </section>
  );
}
