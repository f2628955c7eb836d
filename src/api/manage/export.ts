/** Exports (P-10): what is stored of a domain is written into files by a job, and fetched here. */
import { randomAlphanumeric } from '../../base/random.ts';
import { REQUIRED_TEXT, TEXT } from '../../control/descriptor/fields.ts';
import {
  EXPORT_FILE_PATH,
  EXPORT_SHOWN,
  EXPORTS_SHOWN,
  endedExport,
  exportsOf,
  isListed,
  newExport,
  shownExport,
} from '../../control/exports.ts';
import { domain } from '../../control/resources/domain.ts';
import { type ExportJob, exportJob } from '../../control/resources/export-job.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from '../../control/resources/permissions.ts';
import type { ExportFileFormat } from '../../exports/columns.ts';
import { checkWish } from '../../exports/plan.ts';
import { errors } from '../../model/errors.ts';
import { ENTITY_ID_LENGTH } from '../../model/limits.ts';
import { parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint, FileAnswer } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, jsonBody, NOTHING, READS, required } from '../presets.ts';
import { Problems } from '../problems.ts';
import { type SentDays, sentDays } from './days.ts';
import {
  checkRole,
  permittedRecord,
  requestedDomain,
  requiredValue,
  stampOf,
} from './permitted.ts';

const ID = required('id', 'The id of an export.');

export const exportEndpoints: readonly Endpoint[] = [
  {
    ...{ method: 'POST', path: '/api/v1/export', needsReady: true, parameters: [] },
    auth: authOf(WRITE_DOMAINS),
    summary:
      'Exports the rows of a domain into files, in the background: all that was stored before, or ' +
      'some days of it.',
    body: jsonBody({
      required: ['domain_id'],
      fields: { domain_id: REQUIRED_TEXT, from: TEXT, to: TEXT, what: TEXT, format: TEXT },
    }),
    answer: json(EXPORT_SHOWN),
    handle: startExport,
  },
  {
    ...{ ...READS, path: '/api/v1/export', auth: authOf(READ_SETTINGS) },
    summary: 'Lists the exports of a domain, oldest first; files are offered for 24 hours.',
    parameters: [required('id', 'The id of a domain.')],
    answer: json(EXPORTS_SHOWN),
    handle: (call, ports) => {
      const asked = { call, ports, role: READ_SETTINGS.role };
      const { id } = requestedDomain(asked, parseQueryString(call.query));
      return JSON.stringify(exportsOf(ports.records.look(), id, call.receivedMs).map(shownExport));
    },
  },
  {
    ...{ method: 'DELETE', path: '/api/v1/export', needsReady: true, body: null },
    auth: authOf(WRITE_DOMAINS),
    summary: 'Cancels an export that waits or runs; one that has ended is removed with its files.',
    parameters: [ID],
    answer: json(NOTHING),
    handle: endExport,
  },
  {
    ...{ ...READS, path: EXPORT_FILE_PATH, auth: authOf(READ_SETTINGS) },
    summary: 'A file of an export, as long as it is offered.',
    parameters: [ID, required('name', 'The name of the file.')],
    answer: { kind: 'file', status: 200, schema: null },
    refusals: [404],
    handle: fetchFile,
  },
];

interface SentExport extends SentDays {
  readonly domain_id: string;
  readonly what?: string | null;
  readonly format?: string | null;
}

async function startExport(call: Call, ports: Ports): Promise<string> {
  const sent = call.body as SentExport;
  const domainId = sent.domain_id.trim();
  const place = { kind: domain.name, id: domainId };
  checkRole({ call, ports, role: WRITE_DOMAINS.role }, place, place);
  const problems = new Problems();
  const span = sentDays(sent, problems);
  const named = { what: sent.what?.trim() || undefined, format: sent.format?.trim() || undefined };
  const wish = checkWish(named, (name, problem) => problems.add(name, problem));
  if (!problems.isEmpty) throw problems.error();
  const id = randomAlphanumeric(ENTITY_ID_LENGTH);
  const wanted = { id, domainId, userId: call.credential?.userId || null, ...wish, ...span };
  const job = await ports.records.decide(stampOf(call), (view, atMs) =>
    newExport(view, wanted, atMs),
  );
  return JSON.stringify(shownExport(job));
}

/** The export that a request names, which its caller may see. */
function askedExport(call: Call, ports: Ports, role: typeof READ_SETTINGS.role): ExportJob {
  const id = requiredValue(parseQueryString(call.query), 'id', 'the id of an export');
  const job = permittedRecord({ call, ports, role }, exportJob, id);
  if (isListed(job, call.receivedMs)) return job;
  throw errors.RECORD_NOT_FOUND({ kind: exportJob.name, id });
}

async function endExport(call: Call, ports: Ports): Promise<string> {
  const { id } = askedExport(call, ports, WRITE_DOMAINS.role);
  const ended = await ports.records.decide(stampOf(call), (view, atMs) =>
    endedExport(view, id, atMs),
  );
  if (ended === null) throw errors.RECORD_NOT_FOUND({ kind: exportJob.name, id });
  return '{}';
}

const CONTENT_TYPES: Readonly<Record<ExportFileFormat | 'json', string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  // A file like the others: what the document calls JSON has a schema there.
  json: 'application/octet-stream',
};

async function fetchFile(call: Call, ports: Ports): Promise<FileAnswer> {
  const job = askedExport(call, ports, READ_SETTINGS.role);
  const name = requiredValue(parseQueryString(call.query), 'name', 'the name of a file');
  const file = job.state === 'done' ? job.files.find((one) => one.name === name) : undefined;
  if (file === undefined) throw errors.RECORD_NOT_FOUND({ kind: 'file', id: name });
  const { id, domainId, place } = job;
  const download = await ports.downloads.open({ id, domainId, place, name, bytes: file.bytes });
  const ending = name.slice(name.lastIndexOf('.') + 1) as ExportFileFormat | 'json';
  return {
    headers: {
      'Content-Type': CONTENT_TYPES[ending],
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
    byteCount: file.bytes,
    bytesAt: (offset) => download.bytesAt(offset),
    close: () => download.close(),
  };
}
