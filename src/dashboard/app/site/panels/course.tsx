/** The course of one session: its pages and events with their times (D-12). */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, type ApiError, call, faultOf } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { show, view } from '../../view/view.ts';
import { country, seconds } from '../../words/format.ts';
import { language } from '../../words/language.ts';
import { word } from '../../words/words.ts';
import { daysOf } from '../site-data.ts';
import { ApiLink } from './api-link.tsx';
import type { OverGiven } from './over-given.ts';

type Step = AnswerOf<'GET /api/v1/statistics/session/details'>[number];
type Item = NonNullable<Step['page_view']> | NonNullable<Step['event']>;

export function Course({ data, what, onClose }: OverGiven) {
  const [steps, setSteps] = useState<readonly Step[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [visitor = '', session = ''] = what.split(':');
  const { span } = data.spansOf(view.peek());
  const query = { visitor_id: visitor, session_id: session };
  const shared = { id: data.domain.id, ...daysOf(span) };
  const load = () => {
    call('GET /api/v1/statistics/session/details', { ...shared, ...query }).then(
      (answer) => {
        setSteps(answer);
        setFault(null);
      },
      (error: unknown) => setFault(faultOf(error)),
    );
  };
  useEffect(load, [what]);
  const items = (steps ?? []).flatMap(({ page_view: page, event }) => page ?? event ?? []);
  return (
    <Dialog title={word('course')} onClose={onClose} isWide>
      {fault !== null && <Fault error={fault} onRetry={load} />}
      {steps !== null && items.length === 0 && <p class="empty">{word('nothing')}</p>}
      {items[0] !== undefined && <About item={items[0]} visitor={visitor} session={session} />}
      <ol class="course">
        {items.map((item, at) => (
          <CourseStep key={at} item={item} before={items[at - 1]} zone={data.domain.timezone} />
        ))}
      </ol>
      <ApiLink
        shared={shared}
        query={{ name: 'session/details', ...query }}
        label={word('course')}
      />
    </Dialog>
  );
}

/** What is known of whoever came: no more than of any other visitor. */
function About({ item, visitor, session }: { item: Item; visitor: string; session: string }) {
  const facts = [
    item.referrer_name || word('direct'),
    [item.city, item.country_code === '' ? '' : country(item.country_code)]
      .filter((text) => text !== '')
      .join(', '),
    `${item.browser} ${item.browser_version}`.trim(),
    `${item.os} ${item.os_version}`.trim(),
    item.device,
    item.screen_class,
  ].filter((text) => text !== '');
  return (
    <p class="course-facts">
      {facts.map((fact) => (
        <bdi key={fact}>{fact}</bdi>
      ))}
      <button
        type="button"
        class="button is-plain"
        onClick={() =>
          show({
            open: '',
            filters: [
              { name: 'visitor_id', operator: '', value: visitor },
              { name: 'session_id', operator: '', value: session },
            ],
          })
        }
      >
        {word('onlyThis')}
      </button>
    </p>
  );
}

function CourseStep({
  item,
  before,
  zone,
}: {
  item: Item;
  before: Item | undefined;
  zone: string;
}) {
  const clock = new Intl.DateTimeFormat(language, {
    ...{ timeZone: zone, hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const isEvent = 'name' in item;
  const pairs = isEvent
    ? item.meta_keys.map((key, at) => `${key}: ${item.meta_values[at]}`)
    : item.tag_keys.map((key, at) => `${key}: ${item.tag_values[at]}`);
  const since =
    before === undefined
      ? 0
      : Math.round((Date.parse(item.time) - Date.parse(before.time)) / 1_000);
  return (
    <li class={isEvent ? 'is-event' : ''}>
      <time dateTime={item.time}>
        {clock.format(Date.parse(item.time))}
        {before !== undefined && <small>+{seconds(since)}</small>}
      </time>
      <span class="course-what">
        <b dir="auto">{isEvent ? item.name : item.path}</b>
        <small dir="auto">{isEvent ? item.path : item.title}</small>
        {pairs.length > 0 && <small dir="auto">{pairs.join(' · ')}</small>}
      </span>
      <span class="number">{item.duration_seconds > 0 ? seconds(item.duration_seconds) : ''}</span>
    </li>
  );
}
