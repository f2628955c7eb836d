/** GET, POST and DELETE /api/v1/external/keywords: what a search console exported (P-4). */
import { exactly, integer, nullable, string } from '../../base/schema.ts';
import { changeKeywords } from '../../control/keywords.ts';
import { keywords, type StoredKeywords } from '../../control/resources/keywords.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from '../../control/resources/permissions.ts';
import { ImportFault } from '../../imports/adapter.ts';
import { keywordText, readKeywords } from '../../imports/keywords.ts';
import { errors } from '../../model/errors.ts';
import { KEYWORD_BYTES_MAX } from '../../model/import-limits.ts';
import { type KeywordDays, type KeywordRow, keywordDays } from '../../model/keywords.ts';
import { DATE_MESSAGE, parseDay } from '../../query/question/calendar.ts';
import {
  firstValue,
  parseQueryString,
  type QueryParameters,
} from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { checkRole, requiredValue, stampOf } from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, optional, READS, required } from '../presets.ts';
import { Problems } from '../problems.ts';

const PATH = '/api/v1/external/keywords';
const DOMAIN = required('domain_id', 'The id of the domain.');
/** Earlier and later than any search console knows. */
const EVER: KeywordDays = { fromDay: 0, toDay: 2 ** 31 };

/** What a domain has. */
const STORED = {
  ...{ domain_id: string, rows: integer, from: nullable(string), to: nullable(string) },
};
/** The same after a change. */
const ANSWER = exactly({ ...STORED, rows_imported: integer });

export const keywordEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: PATH, auth: authOf(READ_SETTINGS) },
    summary: 'How many keywords of a search console a domain has, and of which days.',
    parameters: [DOMAIN],
    answer: json(exactly(STORED)),
    handle: (call, ports) => {
      const domainId = domainOf(call, ports, READ_SETTINGS.role);
      return JSON.stringify(shown(domainId, ports.records.list(keywords, 'domainId', domainId)[0]));
    },
  },
  {
    ...{ method: 'POST', path: PATH, needsReady: true, auth: authOf(WRITE_DOMAINS) },
    summary: 'Imports the CSV export of a search console, in place of what there was of its days.',
    parameters: [DOMAIN],
    body: {
      ...{ kind: 'text', bytesMax: KEYWORD_BYTES_MAX, validate: null },
      schema: { ...string, description: 'date, query, clicks, impressions, ctr, position' },
    },
    answer: json(ANSWER),
    handle: importKeywords,
  },
  {
    ...{ method: 'DELETE', path: PATH, needsReady: true, auth: authOf(WRITE_DOMAINS) },
    summary: 'Deletes what was imported from a search console, of some days or of all.',
    parameters: [
      DOMAIN,
      optional('from', 'The first day that goes; without one from the beginning.'),
      optional('to', 'The last day that goes; without one to the end.'),
    ],
    body: null,
    answer: json(ANSWER),
    handle: deleteKeywords,
  },
];

async function importKeywords(call: Call, ports: Ports): Promise<string> {
  const domainId = domainOf(call, ports, WRITE_DOMAINS.role);
  const rows = await rowsIn(String(call.body));
  const days = keywordDays(rows);
  if (days === null) throw refusal('must have rows below the names of its columns');
  return answerTo({ domainId, rows, days }, call, ports);
}

async function deleteKeywords(call: Call, ports: Ports): Promise<string> {
  const domainId = domainOf(call, ports, WRITE_DOMAINS.role);
  const parameters = parseQueryString(call.query);
  const problems = new Problems();
  const fromDay = dayIn(parameters, 'from', EVER.fromDay, problems);
  const toDay = dayIn(parameters, 'to', EVER.toDay, problems);
  if (!problems.isEmpty) throw problems.error();
  return answerTo({ domainId, rows: [], days: { fromDay, toDay } }, call, ports);
}

function domainOf(call: Call, ports: Ports, role: typeof WRITE_DOMAINS.role): string {
  const id = requiredValue(parseQueryString(call.query), 'domain_id', 'the id of a domain');
  const place = { kind: 'domain', id };
  checkRole({ call, ports, role }, place, place);
  return id;
}

async function answerTo(
  change: { domainId: string; rows: readonly KeywordRow[]; days: KeywordDays },
  call: Call,
  ports: Ports,
): Promise<string> {
  const saved = await changeKeywords(ports, change, stampOf(call));
  const stored = shown(change.domainId, saved);
  return JSON.stringify({ ...stored, rows_imported: change.rows.length });
}

function shown(domainId: string, stored: StoredKeywords | null | undefined) {
  const { rowCount: rows = 0, from = null, to = null } = stored ?? {};
  return { domain_id: domainId, rows, from, to };
}

/** @throws VALIDATION_FAILED with the line that is damaged. */
async function rowsIn(text: string): Promise<KeywordRow[]> {
  try {
    return await readKeywords(keywordText(text));
  } catch (error) {
    if (error instanceof ImportFault) throw refusal(error.message.replace(/^body, /, ''));
    throw error;
  }
}

function refusal(body: string) {
  return errors.VALIDATION_FAILED({ validation: { body } });
}

function dayIn(
  parameters: QueryParameters,
  name: string,
  absent: number,
  problems: Problems,
): number {
  const text = firstValue(parameters, name);
  const day = text === undefined ? absent : parseDay(text);
  if (day === null) problems.add(name, DATE_MESSAGE);
  return day ?? absent;
}
