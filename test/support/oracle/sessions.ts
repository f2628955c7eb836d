/**
 * The oracle's single sessions: the list of them and what happened in one (S-90 to S-92).
 */
import { eventsInRange, rowsOf, viewsInRange } from './filters.ts';
import { ordered, type Row } from './lists.ts';
import type { Question } from './question.ts';
import {
  durationSeconds,
  type EventRow,
  type PageView,
  type Session,
  timeOnPageSeconds,
  type World,
} from './world.ts';

/** What a session is on the wire, with ids of the oracle's own. */
function sessionFields(session: Session): Row {
  const { dimensions } = session;
  return {
    visitor_id: session.visitor,
    session_id: session.id,
    language: dimensions.language,
    country_code: dimensions.country,
    city: dimensions.city,
    referrer: dimensions.referrer,
    referrer_name: dimensions.referrerName,
    os: dimensions.os,
    os_version: dimensions.osVersion,
    browser: dimensions.browser,
    browser_version: dimensions.browserVersion,
    device: dimensions.device,
    desktop: dimensions.platform === 'desktop',
    mobile: dimensions.platform === 'mobile',
    screen_class: dimensions.screenClass,
    utm_source: dimensions.utmSource,
    utm_medium: dimensions.utmMedium,
    utm_campaign: dimensions.utmCampaign,
    utm_content: dimensions.utmContent,
    utm_term: dimensions.utmTerm,
  };
}

/** S-90. */
export function sessionList(question: Question, world: World): unknown {
  const sessions = [...new Set(rowsOf(question, world).map((view) => view.session))];
  const rows = sessions.map((session) => ({
    ...sessionFields(session),
    time: new Date(session.lastMs).toISOString(),
    start: new Date(session.startMs).toISOString(),
    duration_seconds: durationSeconds(session),
    entry_path: session.entryPath,
    exit_path: session.exitPath,
    entry_title: session.entryTitle,
    exit_title: session.exitTitle,
    page_views: session.pageViews,
    is_bounce: session.isBounce,
    extended: session.extended,
  }));
  return ordered(question, rows, ['time', 'start', 'visitor_id']);
}

/** S-92, S-66; other filters are ignored. */
export function sessionDetails(question: Question, world: World): unknown {
  const wanted = question.values.session_id?.[0];
  const session = world.sessions.find(({ id }) => String(id) === wanted);
  if (session === undefined || session.visitor !== question.values.visitor_id?.[0]) return [];
  const shared = (row: PageView | EventRow): Row => ({
    ...sessionFields(session),
    time: new Date(row.timeMs).toISOString(),
    path: row.path,
    title: row.title,
  });
  const views = viewsInRange(question, world).filter((view) => view.session === session);
  const events = eventsInRange(question, world).filter((event) => event.session === session);
  const items = [
    ...views.map((view) => ({
      atMs: view.timeMs,
      page_view: {
        ...shared(view),
        duration_seconds: timeOnPageSeconds(world, view) ?? 0,
        tag_keys: Object.keys(view.tags),
        tag_values: Object.values(view.tags),
      },
      event: null,
    })),
    ...events.map((event) => ({
      atMs: event.timeMs,
      page_view: null,
      event: {
        ...shared(event),
        name: event.name,
        duration_seconds: event.durationSeconds,
        meta_keys: Object.keys(event.meta),
        meta_values: Object.values(event.meta),
      },
    })),
  ];
  // Sorting is stable: a page view stays before an event of the same time.
  return items
    .sort((a, b) => a.atMs - b.atMs)
    .slice(question.offset, question.offset + question.limit)
    .map(({ page_view, event }) => ({ page_view, event }));
}
