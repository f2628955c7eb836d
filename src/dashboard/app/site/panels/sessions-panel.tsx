/** The latest sessions, and the course of one of them with its times (D-12). */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, call } from '../../data/api.ts';
import type { StatisticOf } from '../../data/batch.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { country, seconds } from '../../words/format.ts';
import { language, word } from '../../words/words.ts';
import { answerOf, daysOf, type SiteData } from '../site-data.ts';

type Session = StatisticOf<'session/list'>[number];
type Step = AnswerOf<'GET /api/v1/statistics/session/details'>[number];

export function SessionsPanel({ data }: { data: SiteData }) {
  const [open, setOpen] = useState<Session | null>(null);
  const shown = data.shown.value;
  const rows = answerOf<readonly Session[]>(shown, 'sessions');
  const zone = data.domain.timezone;
  const moment = new Intl.DateTimeFormat(language, {
    ...{ timeZone: zone, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  });
  return (
    <section class="card panel is-double" aria-labelledby="sessions-title">
      <header class="panel-head">
        <h2 id="sessions-title">{word('sessionsPanel')}</h2>
      </header>
      {rows !== null && rows.length === 0 && <p class="empty">{word('nothing')}</p>}
      {rows !== null && rows.length > 0 && (
        <div class="table-scroll is-tall">
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">{word('from')}</th>
                <th scope="col">{word('entryPage')}</th>
                <th scope="col">{word('source')}</th>
                <th scope="col">{word('country')}</th>
                <th scope="col">{word('technology')}</th>
                <th scope="col" class="number">
                  {word('views')}
                </th>
                <th scope="col" class="number">
                  {word('duration')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.visitor_id} ${row.session_id}`}>
                  <th scope="row">
                    <button type="button" class="bar-text" onClick={() => setOpen(row)}>
                      {moment.format(Date.parse(row.start))}
                    </button>
                  </th>
                  <td dir="auto" class="cut">
                    {row.entry_path}
                  </td>
                  <td dir="auto">{row.referrer_name || word('direct')}</td>
                  <td>{row.country_code === '' ? '' : country(row.country_code)}</td>
                  <td>
                    {row.browser} · {row.os}
                  </td>
                  <td class="number">{row.page_views}</td>
                  <td class="number">{seconds(row.duration_seconds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open !== null && <Course session={open} data={data} onClose={() => setOpen(null)} />}
    </section>
  );
}

interface Given {
  readonly session: Session;
  readonly data: SiteData;
  readonly onClose: () => void;
}

function Course({ session, data, onClose }: Given) {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const clock = new Intl.DateTimeFormat(language, {
    ...{ timeZone: data.domain.timezone, hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  useEffect(() => {
    const shown = data.shown.peek();
    if (shown === null) return;
    const { visitor_id, session_id } = session;
    const query = { id: data.domain.id, ...daysOf(shown.span), visitor_id, session_id };
    call('GET /api/v1/statistics/session/details', query).then(setSteps, () => setSteps([]));
  }, [session]);
  return (
    <Dialog
      title={`${word('sessions')}: ${seconds(session.duration_seconds)}`}
      onClose={onClose}
      isWide
    >
      <ol class="course">
        {steps.map(({ page_view: view, event }, index) => {
          const at = view ?? event;
          if (at === null) return null;
          return (
            <li key={index}>
              <time dateTime={at.time}>{clock.format(Date.parse(at.time))}</time>
              <b dir="auto">{event === null ? at.path : event.name}</b>
              <small dir="auto">{event === null ? at.title : at.path}</small>
              <span class="number">
                {at.duration_seconds > 0 ? seconds(at.duration_seconds) : ''}
              </span>
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}
