/**
 * POST /api/v1/external/upload, and imports from other products (P-2): a file is brought,
 * then imported by a job, which is looked at and can be taken back.
 */
import { isUtf8 } from 'node:buffer';
import { randomAlphanumeric } from '../../base/random.ts';
import { codePointCount } from '../../base/validate.ts';
import { REQUIRED_TEXT, TEXT } from '../../control/descriptor/fields.ts';
import {
  cancelledImport,
  checkUploadRoom,
  JOB_SHOWN,
  JOBS_SHOWN,
  jobsOf,
  newestJobOf,
  newImport,
  newUpload,
  shownJob,
  shownUpload,
  UPLOAD_SHOWN,
  UPLOADS_SHOWN,
  uploadsOf,
} from '../../control/imports.ts';
import { domain } from '../../control/resources/domain.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from '../../control/resources/permissions.ts';
import { errors } from '../../model/errors.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_NAME_LENGTH_MAX } from '../../model/import-limits.ts';
import { ENTITY_ID_LENGTH } from '../../model/limits.ts';
import { parseQueryString } from '../../query/question/parameters.ts';
import type { BodySink, Call, Endpoint } from '../endpoint.ts';
import type { Ports, UploadPort } from '../ports.ts';
import { authOf, json, jsonBody, NOTHING, READS, required } from '../presets.ts';
import { Problems } from '../problems.ts';
import { type SentDays, sentDays } from './days.ts';
import { checkRole, requiredValue, stampOf } from './permitted.ts';

const DOMAIN = required('domain_id', 'The id of a domain.');
const NO_JOB = { type: ['object', 'null'] } as const;

export const importEndpoints: readonly Endpoint[] = [
  {
    ...{ method: 'POST', path: '/api/v1/external/upload', needsReady: true },
    auth: authOf(WRITE_DOMAINS),
    summary:
      'Uploads a file that another product has exported, to import it; it is kept for a day. Archives ' +
      'are taken as they are.',
    parameters: [
      DOMAIN,
      {
        ...{ name: 'X-Filename', in: 'header', isRequired: true },
        description: 'The name of the file, percent-encoded where it is not plain.',
        schema: { type: 'string' },
      },
    ],
    body: {
      ...{ kind: 'file', bytesMax: UPLOAD_BYTES_MAX, validate: null },
      schema: { type: 'string', format: 'binary' },
      open: takeUpload,
    },
    answer: json(UPLOAD_SHOWN),
    refusals: [503],
    handle: () => null,
  },
  {
    ...{ ...READS, path: '/api/v1/external/import/profile', auth: authOf(READ_SETTINGS) },
    summary: 'Lists the uploads of a domain that can be imported, oldest first.',
    parameters: [DOMAIN],
    answer: json(UPLOADS_SHOWN),
    handle: listUploads,
  },
  {
    ...{ method: 'POST', path: '/api/v1/external/import', needsReady: true, parameters: [] },
    auth: authOf(WRITE_DOMAINS),
    summary:
      'Imports an upload, in the background: days before the domain counted itself, or some of them.',
    body: jsonBody({
      required: ['domain_id', 'property'],
      fields: { domain_id: REQUIRED_TEXT, property: REQUIRED_TEXT, from: TEXT, to: TEXT },
    }),
    answer: json(JOB_SHOWN),
    handle: startImport,
  },
  {
    ...{ ...READS, path: '/api/v1/external/import', auth: authOf(READ_SETTINGS) },
    summary: 'Lists the imports of a domain, newest first.',
    parameters: [DOMAIN],
    answer: json(JOBS_SHOWN),
    handle: listJobs,
  },
  {
    ...{ ...READS, path: '/api/v1/external/import/job', auth: authOf(READ_SETTINGS) },
    summary: 'The newest import of a domain and how far it is; null when there is none.',
    parameters: [DOMAIN],
    answer: json({ ...JOB_SHOWN, ...NO_JOB }),
    handle: readJob,
  },
  {
    ...{ method: 'DELETE', path: '/api/v1/external/import/job', needsReady: true, body: null },
    auth: authOf(WRITE_DOMAINS),
    summary: 'Cancels the newest import, and takes back what it wrote, running or done.',
    parameters: [DOMAIN],
    answer: json(NOTHING),
    handle: cancelImport,
  },
];

/** The domain that a request names, which the caller may change or read. */
function askedDomain(call: Call, ports: Ports, role: typeof WRITE_DOMAINS.role): string {
  const id = requiredValue(parseQueryString(call.query), 'domain_id', 'the id of a domain');
  checkDomain(id, call, ports, role);
  return id;
}

function checkDomain(id: string, call: Call, ports: Ports, role: typeof WRITE_DOMAINS.role): void {
  const place = { kind: domain.name, id };
  checkRole({ call, ports, role }, place, place);
}

/** Names everything wrong with the request before the first byte is taken. */
function takeUpload(call: Call, ports: Ports): BodySink {
  const domainId = askedDomain(call, ports, WRITE_DOMAINS.role);
  const name = nameOf(call);
  const bytes = call.file?.bytes ?? 0;
  checkUploadRoom(ports.records.look(), domainId, bytes);
  const id = randomAlphanumeric(ENTITY_ID_LENGTH);
  const writer = ports.uploads.begin({ id, domainId, name, bytes });
  return new UploadSink(writer, async (stored) => {
    const wanted = { id, domainId, name, bytes: stored };
    const made = await ports.records.decide(stampOf(call), (view, atMs) =>
      newUpload(view, wanted, atMs),
    );
    return JSON.stringify(shownUpload(made));
  });
}

/** Only what is whole gets a record; all else is removed. */
class UploadSink implements BodySink {
  readonly #writer: UploadPort;
  readonly #keep: (bytes: number) => Promise<string>;
  #bytes = 0;

  constructor(writer: UploadPort, keep: (bytes: number) => Promise<string>) {
    this.#writer = writer;
    this.#keep = keep;
  }

  write(piece: Buffer): boolean {
    this.#bytes += piece.length;
    return this.#writer.write(piece);
  }

  room(): Promise<void> {
    return this.#writer.room();
  }

  async end(): Promise<string> {
    if (this.#bytes === 0) {
      throw errors.VALIDATION_FAILED({
        validation: { body: 'is empty: send the file as the body' },
      });
    }
    await this.#writer.endFile();
    return this.#keep(this.#bytes);
  }

  abort(): void {
    void this.#writer.abort();
  }
}

/** @throws VALIDATION_FAILED. */
function nameOf({ file }: Call): string {
  const sent = file?.name ?? '';
  const name = (decodedName(sent).split(/[\\/]/).at(-1) ?? '').trim();
  const length = codePointCount(name);
  if (length > 0 && length <= UPLOAD_NAME_LENGTH_MAX) return name;
  const fault = `is required: the name of the file, at most ${UPLOAD_NAME_LENGTH_MAX} characters`;
  throw errors.VALIDATION_FAILED({ validation: { 'X-Filename': fault } });
}

/** Percent-encoded, or as it is typed into curl: UTF-8, which arrives as a character for each byte. */
function decodedName(sent: string): string {
  const bytes = Buffer.from(sent, 'latin1');
  const typed = isUtf8(bytes) ? bytes.toString() : sent;
  try {
    return decodeURIComponent(typed);
  } catch {
    return typed;
  }
}

function listUploads(call: Call, ports: Ports): string {
  const id = askedDomain(call, ports, READ_SETTINGS.role);
  const there = uploadsOf(ports.records.look(), id, call.receivedMs);
  return JSON.stringify(there.map(shownUpload));
}

interface SentImport extends SentDays {
  readonly domain_id: string;
  readonly property: string;
}

async function startImport(call: Call, ports: Ports): Promise<string> {
  const sent = call.body as SentImport;
  const domainId = sent.domain_id.trim();
  checkDomain(domainId, call, ports, WRITE_DOMAINS.role);
  const problems = new Problems();
  const span = sentDays(sent, problems);
  if (!problems.isEmpty) throw problems.error();
  const id = randomAlphanumeric(ENTITY_ID_LENGTH);
  const userId = call.credential?.userId || null;
  const wanted = { id, domainId, userId, property: sent.property.trim(), ...span };
  const job = await ports.records.decide(stampOf(call), (view, atMs) =>
    newImport(view, wanted, atMs),
  );
  return JSON.stringify(shownJob(job, ports.records.look()));
}

function readJob(call: Call, ports: Ports): string {
  const id = askedDomain(call, ports, READ_SETTINGS.role);
  const view = ports.records.look();
  const job = newestJobOf(view, id);
  return JSON.stringify(job === null ? null : shownJob(job, view));
}

function listJobs(call: Call, ports: Ports): string {
  const id = askedDomain(call, ports, READ_SETTINGS.role);
  const view = ports.records.look();
  return JSON.stringify(jobsOf(view, id).map((job) => shownJob(job, view)));
}

async function cancelImport(call: Call, ports: Ports): Promise<string> {
  const id = askedDomain(call, ports, WRITE_DOMAINS.role);
  const cancelled = await ports.records.decide(stampOf(call), (view, atMs) =>
    cancelledImport(view, id, atMs),
  );
  if (cancelled === null) throw errors.RECORD_NOT_FOUND({ kind: 'import', id });
  return '{}';
}
