/**
 * The query parameters of a page address that mean something (I-90, I-96, I-97).
 *
 * Data plane. Read once per hit that has a query: names that mean nothing are skipped without
 * being decoded. Values are decoded (`+` is a space, kept as sent if they do not decode); the first
 * occurrence of a name wins, also when it is empty; names are case-sensitive.
 */

import { decodeParameter } from '../text.ts';

/** The parameters known; null when the query has none of the name. */
export interface PageQuery {
  ref: string | null;
  referer: string | null;
  referrer: string | null;
  source: string | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  utmContent: string | null;
  utmTerm: string | null;
  gclid: string | null;
  msclkid: string | null;
}

/** Name on the wire → field. A Map: lookup by a text of the client's, which may be anything. */
const FIELDS: ReadonlyMap<string, keyof PageQuery> = new Map([
  ['ref', 'ref'],
  ['referer', 'referer'],
  ['referrer', 'referrer'],
  ['source', 'source'],
  ['utm_source', 'utmSource'],
  ['utm_medium', 'utmMedium'],
  ['utm_campaign', 'utmCampaign'],
  ['utm_content', 'utmContent'],
  ['utm_term', 'utmTerm'],
  ['gclid', 'gclid'],
  ['msclkid', 'msclkid'],
]);

const EMPTY: PageQuery = Object.freeze(createPageQuery());

/**
 * Reads a query.
 *
 * @param search without its `?`, as `PageUrl.search` has it.
 * @returns one shared, frozen object when the query is empty.
 */
export function readPageQuery(search: string): PageQuery {
  if (search === '') return EMPTY;
  const query = createPageQuery();
  const isEncoded = search.includes('%') || search.includes('+');
  let start = 0;
  while (start <= search.length) {
    let end = search.indexOf('&', start);
    if (end === -1) end = search.length;
    readParameter(query, search.slice(start, end), isEncoded);
    start = end + 1;
  }
  return query;
}

/** @param isEncoded whether anything in the query needs decoding; most have nothing. */
function readParameter(query: PageQuery, parameter: string, isEncoded: boolean): void {
  const equals = parameter.indexOf('=');
  const rawName = equals === -1 ? parameter : parameter.slice(0, equals);
  const field = FIELDS.get(isEncoded ? decodeParameter(rawName) : rawName);
  if (field === undefined || query[field] !== null) return;
  const value = equals === -1 ? '' : parameter.slice(equals + 1);
  query[field] = isEncoded ? decodeParameter(value) : value;
}

function createPageQuery(): PageQuery {
  return {
    ref: null,
    referer: null,
    referrer: null,
    source: null,
    utmSource: null,
    utmMedium: null,
    utmCampaign: null,
    utmContent: null,
    utmTerm: null,
    gclid: null,
    msclkid: null,
  };
}
