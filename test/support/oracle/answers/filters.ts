/**
 * The oracle's filters: which sessions, page views and events a question means (F-10 to F-31).
 *
 * A filter value is a term: an operator and a text (F-20). Values of one parameter are combined by
 * F-21: any of the equal and `~` terms, and all of the `!` and `^` terms.
 */

import type { Dimensions, EventRow, PageView, Session, World } from '../world.ts';
import type { Question } from './question.ts';

interface Term {
  operator: '' | '!' | '~' | '^';
  text: string;
}

type Pairs = Readonly<Record<string, string>>;

/** F-20; F-26: an operator with nothing after it is ignored. */
function termsOf(question: Question, parameter: string, operators = '!~^'): Term[] {
  return (question.values[parameter] ?? []).flatMap((value): Term[] => {
    const operator = value.slice(0, 1);
    if (!operators.includes(operator)) return [{ operator: '', text: value }];
    const text = value.slice(1);
    return text === '' ? [] : [{ operator: operator as Term['operator'], text }];
  });
}

/**
 * F-21 over tests of single terms.
 *
 * @param holds whether the term without its negation (`!` as equal, `^` as `~`) is true of the row.
 */
function passes(terms: readonly Term[], holds: (term: Term) => boolean): boolean {
  const wanted = terms.filter((term) => term.operator === '' || term.operator === '~');
  const unwanted = terms.filter((term) => term.operator === '!' || term.operator === '^');
  return (wanted.length === 0 || wanted.some(holds)) && !unwanted.some(holds);
}

/** F-23, for the operators that compare whole values. */
function isNull(term: Term): boolean {
  return (term.operator === '' || term.operator === '!') && term.text.toLowerCase() === 'null';
}

function contains(text: string, part: string): boolean {
  // Letter by letter: whole words turn a sigma at their end into another letter.
  const letters = (of: string) =>
    Array.from(of, (letter) => letter.toLowerCase().replace('ς', 'σ')).join('');
  return letters(text).includes(letters(part));
}

/** A term on a text: `null` is the empty value (F-23), exact (F-10) or contained in any case (F-20). */
function holdsOfText(term: Term, actual: string): boolean {
  if (isNull(term)) return actual === '';
  const isContains = term.operator === '~' || term.operator === '^';
  return isContains ? contains(actual, term.text) : actual === term.text;
}

/** F-10 and F-22: codes are lower-cased, `~a,b` is a list of codes. */
function holdsOfCode(term: Term, actual: string): boolean {
  if (isNull(term)) return actual === '';
  const isList = term.operator === '~' || term.operator === '^';
  const codes = isList ? term.text.split(',') : [term.text];
  return codes.some((code) => code.toLowerCase() === actual && actual !== '');
}

/** F-30: every other value means unknown; only `!` is an operator (F-20). */
function holdsOfPlatform(term: Term, actual: string): boolean {
  const meant = term.text === 'desktop' || term.text === 'mobile' ? term.text : 'unknown';
  return meant === actual;
}

/** F-27: the URL or the name; `null` is neither (F-23). */
function holdsOfReferrer(term: Term, { referrer, referrerName }: Dimensions): boolean {
  if (isNull(term)) return referrer === '' && referrerName === '';
  return holdsOfText(term, referrer) || holdsOfText(term, referrerName);
}

const TEXT_FILTERS: Readonly<Record<string, keyof Dimensions>> = {
  region: 'region',
  city: 'city',
  referrer_name: 'referrerName',
  os: 'os',
  os_version: 'osVersion',
  browser: 'browser',
  browser_version: 'browserVersion',
  screen_class: 'screenClass',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_content: 'utmContent',
  utm_term: 'utmTerm',
  channel: 'channel',
  hostname: 'hostname',
  device: 'device',
};

/** Session-level filters without the event filter (S-2 step 1, F-11, F-15). */
export function passesSessionFilters(question: Question, session: Session): boolean {
  const { dimensions } = session;
  const test = (name: string, holds: (term: Term) => boolean, operators?: string): boolean =>
    passes(termsOf(question, name, operators), holds);
  return (
    Object.entries(TEXT_FILTERS).every(([name, field]) =>
      test(name, (term) => holdsOfText(term, dimensions[field])),
    ) &&
    test('country', (term) => holdsOfCode(term, dimensions.country)) &&
    test('language', (term) => holdsOfCode(term, dimensions.language)) &&
    test('referrer', (term) => holdsOfReferrer(term, dimensions)) &&
    test('platform', (term) => holdsOfPlatform(term, dimensions.platform), '!') &&
    test('entry_path', (term) => holdsOfText(term, session.entryPath)) &&
    test('exit_path', (term) => holdsOfText(term, session.exitPath)) &&
    isNamed(question, session)
  );
}

/** F-31: one of the visitors and one of the sessions; one of the parameters alone is ignored. */
function isNamed({ values }: Question, session: Session): boolean {
  const { visitor_id: visitors, session_id: sessions } = values;
  if (visitors === undefined || sessions === undefined) return true;
  return visitors.includes(session.visitor) && sessions.includes(String(session.id));
}

/** Keys of a pair filter such as `meta_<key>`, with their terms. */
function pairFilters(question: Question, prefix: string): [string, Term[]][] {
  return Object.keys(question.values)
    .filter((name) => name.startsWith(prefix))
    .map((name) => [name.slice(prefix.length), termsOf(question, name)]);
}

/** F-20 on a list of keys: `k` present, `!k` absent, `~k` and `^k` some, or no, key contains k. */
function passesKeys(terms: readonly Term[], pairs: Pairs): boolean {
  const keys = Object.keys(pairs);
  return passes(terms, (term) => keys.some((key) => holdsOfText(term, key)));
}

/** F-18, F-19, F-23, F-24: a missing key is the empty value. */
function passesPairs(question: Question, prefix: string, pairs: Pairs): boolean {
  return pairFilters(question, prefix).every(([key, terms]) =>
    passes(terms, (term) => holdsOfText(term, pairs[key] ?? '')),
  );
}

/** F-16, F-17: regular expressions, of which only `!` is an operator (F-20). */
function passesPattern(question: Question, path: string): boolean {
  if (termsOf(question, 'path').length > 0) return true;
  const matches = ({ text }: Term): boolean => {
    const ignoresCase = text.startsWith('(?i)');
    return new RegExp(ignoresCase ? text.slice(4) : text, ignoresCase ? 'iu' : 'u').test(path);
  };
  return passes(termsOf(question, 'pattern', '!'), matches);
}

/** Page-level filters (S-2 step 2). */
export function passesPageFilters(question: Question, view: PageView): boolean {
  return (
    passes(termsOf(question, 'path'), (term) => holdsOfText(term, view.path)) &&
    passesPattern(question, view.path) &&
    passesKeys(termsOf(question, 'tag'), view.tags) &&
    passesPairs(question, 'tag_', view.tags)
  );
}

/** F-32: contained in one of the texts, in any case; `!` inverts it, blank is unset. */
export function passesSearch(question: Question, ...texts: readonly string[]): boolean {
  const terms = termsOf(question, 'search', '!').filter(({ text }) => text.trim() !== '');
  return passes(terms, (term) => texts.some((text) => contains(text, term.text)));
}

/** Whether a page-level filter is set (S-82). */
export function hasPageFilter(question: Question): boolean {
  return Object.keys(question.values).some(
    (name) => /^(path|pattern|tag)$/.test(name) || name.startsWith('tag_'),
  );
}

/** Whether `event_meta_key` names a key (S-97). */
export function passesMetaKey(question: Question, key: string): boolean {
  return passesKeys(termsOf(question, 'event_meta_key'), { [key]: '' });
}

/** The metadata conditions of the event filter (F-12). */
function passesMetaFilters(question: Question, event: EventRow): boolean {
  return (
    passesKeys(termsOf(question, 'event_meta_key'), event.meta) &&
    passesPairs(question, 'meta_', event.meta)
  );
}

/** Event filters, path and tags on the event itself (S-13). */
function passesEventScope(question: Question, event: EventRow): boolean {
  return (
    passes(termsOf(question, 'event'), (term) => holdsOfText(term, event.name)) &&
    passesMetaFilters(question, event) &&
    passes(termsOf(question, 'path'), (term) => holdsOfText(term, event.path)) &&
    passesPattern(question, event.path) &&
    passesKeys(termsOf(question, 'tag'), event.meta) &&
    passesPairs(question, 'tag_', event.meta)
  );
}

/**
 * The event filter of a session: F-12, and F-25 for negated and `null` names.
 *
 * @param events the session's events in the range.
 */
function passesEventFilter(question: Question, events: readonly EventRow[]): boolean {
  const names = termsOf(question, 'event');
  const wanted = names.filter((term) => term.operator === '' || term.operator === '~');
  const unwanted = names.filter((term) => term.operator === '!' || term.operator === '^');
  const hasMetaFilter = Object.keys(question.values).some(
    (name) => name === 'event_meta_key' || name.startsWith('meta_'),
  );
  // F-25: `!x` and `^x` look at all events, whatever their metadata; `!null` wants one.
  const passesUnwanted = unwanted.every((term) =>
    isNull(term) ? events.length > 0 : !events.some((event) => holdsOfText(term, event.name)),
  );
  if (!passesUnwanted) return false;
  if (wanted.length === 0 && !hasMetaFilter) return true;
  const hasMatch = events.some(
    (event) =>
      (wanted.length === 0 ||
        wanted.some((term) => !isNull(term) && holdsOfText(term, event.name))) &&
      passesMetaFilters(question, event),
  );
  // F-25: `null` is one more alternative: sessions without any event in the range.
  return hasMatch || (wanted.some(isNull) && events.length === 0 && !hasMetaFilter);
}

/** The page views of the range, every filter ignored (T_v and T_w of S-5). */
export function viewsInRange(question: Question, world: World): PageView[] {
  return world.pageViews.filter(
    (view) => view.timeMs >= question.fromMs && view.timeMs < question.toMs,
  );
}

/** The events of the range, every filter ignored. */
export function eventsInRange(question: Question, world: World): EventRow[] {
  return world.events.filter(
    (event) => event.timeMs >= question.fromMs && event.timeMs < question.toMs,
  );
}

/** The events that meet a positive event filter (F-12); null without one (S-25). */
export function matchingEvents(question: Question, world: World): EventRow[] | null {
  const wanted = termsOf(question, 'event').filter(({ operator }) => !/[!^]/.test(operator));
  const hasMetaFilter = Object.keys(question.values).some(
    (name) => name === 'event_meta_key' || name.startsWith('meta_'),
  );
  if (wanted.length === 0 && !hasMetaFilter) return null;
  return eventsInRange(question, world).filter(
    (event) =>
      (wanted.length === 0 ||
        wanted.some((term) => !isNull(term) && holdsOfText(term, event.name))) &&
      passesMetaFilters(question, event),
  );
}

/** Selected sessions (S-2 step 1). */
export function selectedSessions(question: Question, world: World): Set<Session> {
  const events = new Map<Session, EventRow[]>();
  for (const event of eventsInRange(question, world)) {
    events.set(event.session, [...(events.get(event.session) ?? []), event]);
  }
  return new Set(
    world.sessions.filter(
      (session) =>
        passesSessionFilters(question, session) &&
        passesEventFilter(question, events.get(session) ?? []),
    ),
  );
}

/** The rows of S-2: page views in the range of selected sessions that pass the page-level filters. */
export function rowsOf(question: Question, world: World): PageView[] {
  const sessions = selectedSessions(question, world);
  return viewsInRange(question, world).filter(
    (view) => sessions.has(view.session) && passesPageFilters(question, view),
  );
}

/** The events of event scope (S-13). */
export function scopedEvents(question: Question, world: World): EventRow[] {
  return eventsInRange(question, world).filter(
    (event) => passesSessionFilters(question, event.session) && passesEventScope(question, event),
  );
}
