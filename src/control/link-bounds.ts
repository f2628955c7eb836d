/**
 * What bounds an access link (D-19): its end, filters that hold whatever is asked, hosts that may frame
 * its page. Pure: what is wrong comes back in words.
 */
import type { PinnedFilter } from '../model/credential.ts';
import {
  LINK_FILTER_COUNT_MAX,
  LINK_FRAME_COUNT_MAX,
  LINK_FRAME_LENGTH_MAX,
} from '../model/limits.ts';
import { stepFilterFault } from '../query/question/conversions.ts';
import { isUnfiltered, parseFilters, type QueryFilters } from '../query/question/filters.ts';
import { parametersOf } from '../query/question/parameters.ts';

/** Only what can stand in a list of hosts of a policy, and nothing that could end it. */
const FRAME =
  /^(?:https?:\/\/)?(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/;
const ANY = '*.';
/** Under these everybody can have a host: what registries sell below a country, and who gives hosts away. */
const SHARED_LABELS = /^(?:ac|co|com|edu|gob|gov|go|gouv|gv|ltd|me|mil|ne|net|nom|or|org|plc|sch)$/;
const SHARED_HOSTS: readonly string[] = [
  ...['azurewebsites.net', 'blogspot.com', 'cloudfront.net', 'firebaseapp.com', 'fly.dev'],
  ...['github.io', 'gitlab.io', 'herokuapp.com', 'netlify.app', 'ngrok.io', 'onrender.com'],
  ...['pages.dev', 's3.amazonaws.com', 'surge.sh', 'vercel.app', 'web.app', 'workers.dev'],
];
/** They stand for one visit, which nobody shares; and one without the other filters nothing (F-31). */
const UNPINNED = ['visitor_id', 'session_id'];

/** What is wrong with filters that are to be pinned; '' when each of them filters. */
export function pinnedFault(filter: PinnedFilter): string {
  const names = Object.keys(filter);
  if (names.length > LINK_FILTER_COUNT_MAX) {
    return `must have at most ${LINK_FILTER_COUNT_MAX} filters`;
  }
  const fault = stepFilterFault(filter);
  if (fault !== '') return fault.replace('must have a filter: an object', 'must be an object');
  for (const name of names) {
    if (UNPINNED.includes(name)) return `must not pin '${name}'`;
    const values = [filter[name] as string | readonly string[]].flat();
    // A filter that says nothing is none: the link would show everything.
    if (values.length === 0 || values.some((value) => filtersNothing(name, value))) {
      return `must have a value in '${name}'`;
    }
  }
  return 'path' in filter && 'pattern' in filter ? "must have 'path' or 'pattern', not both" : '';
}

function filtersNothing(name: string, value: string): boolean {
  const parameters = parametersOf(new Map([[name, [value]]]));
  return isUnfiltered(parseFilters(parameters, new Map()));
}

const read = new WeakMap<PinnedFilter, QueryFilters>();

/** The filters that a credential brings; read once for each link. */
export function pinnedFilters(pinned: PinnedFilter | null): QueryFilters | null {
  if (pinned === null) return null;
  let filters = read.get(pinned);
  if (filters === undefined) {
    const values = Object.entries(pinned).map(([name, value]) => [name, [value].flat()] as const);
    filters = parseFilters(parametersOf(new Map(values)), new Map());
    read.set(pinned, filters);
  }
  return filters;
}

/** Hosts as they are kept; what is no text stays, and is refused. */
export function framesOf(sent: unknown): readonly string[] {
  const hosts = Array.isArray(sent) ? sent : [];
  const texts = hosts.map((host) => (typeof host === 'string' ? host.trim().toLowerCase() : host));
  return [...new Set(texts.filter((host) => host !== ''))];
}

/** What is wrong with a list of hosts; '' when nothing is. */
export function frameFault(hosts: readonly unknown[]): string {
  if (hosts.length > LINK_FRAME_COUNT_MAX) return `must have at most ${LINK_FRAME_COUNT_MAX} hosts`;
  const wrong = hosts.find((host) => typeof host !== 'string' || !isFrame(host));
  if (wrong === undefined) {
    const shared = (hosts as readonly string[]).find(isOfEverybody);
    if (shared === undefined) return '';
    return `must not have '${shared}': anybody can have a host of those`;
  }
  return 'must be hosts such as www.example.org, *.example.org or https://example.org:8443';
}

function isFrame(host: string): boolean {
  return host.length <= LINK_FRAME_LENGTH_MAX && FRAME.test(host);
}

/** Whether a wildcard stands for hosts of people who have nothing to do with each other. */
function isOfEverybody(host: string): boolean {
  const name = host.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  if (!name.startsWith(ANY)) return false;
  const base = name.slice(ANY.length);
  const labels = base.split('.');
  const [first = '', last = ''] = labels;
  // Below a country of two letters, as co.uk is.
  const isSold = labels.length === 2 && last.length === 2 && SHARED_LABELS.test(first);
  return labels.length === 1 || isSold || SHARED_HOSTS.includes(base);
}
