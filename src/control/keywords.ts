/**
 * Keywords of a search console: rows that stand in a file of the registry, one a domain (P-4).
 *
 * Control plane. Rows of some days take the place of what there was of them, so that the same import
 * applied twice is the same. A file is made of what is there, kept, and named by the record; when
 * somebody else was first it is made anew of that.
 */
import { BoundedCache } from '../base/bounded-cache.ts';
import { randomAlphanumeric } from '../base/random.ts';
import { errors } from '../model/errors.ts';
import {
  KEYWORD_BYTES_MAX,
  KEYWORD_CACHED_TABLE_COUNT_MAX,
  KEYWORD_ROW_COUNT_MAX,
} from '../model/import-limits.ts';
import {
  type KeywordDays,
  type KeywordRow,
  type KeywordTable,
  keywordDays,
  NO_KEYWORDS,
  replacedKeywords,
} from '../model/keywords.ts';
import { ENTITY_ID_LENGTH } from '../model/limits.ts';
import { formatDay } from '../query/question/calendar.ts';
import { changed, created, deleted } from './descriptor/draft.ts';
import type { Change, Look } from './descriptor/resource.ts';
import { type FileContent, type Files, fileContent, isWhole } from './files.ts';
import type { Records } from './records.ts';
import type { Stamp } from './registry/registry.ts';
import { file, KEYWORDS_TYPE } from './resources/file.ts';
import { keywords, type StoredKeywords } from './resources/keywords.ts';

/** Where keywords are. */
export interface KeywordStore {
  readonly records: Pick<Records, 'decide' | 'list'>;
  readonly files: Pick<Files, 'find' | 'bytesAt' | 'keep'>;
}

/** What is to stand in the place of what there is of some days. */
export interface KeywordChange {
  readonly domainId: string;
  readonly rows: readonly KeywordRow[];
  readonly days: KeywordDays;
}

const tables = new BoundedCache<string, KeywordTable>(KEYWORD_CACHED_TABLE_COUNT_MAX);

/** What a domain has; null: nothing was imported. */
export function keywordsOf(store: KeywordStore, domainId: string): KeywordTable | null {
  return tableOf(store, store.records.list(keywords, 'domainId', domainId)[0]);
}

/** @returns what the domain has then; null: nothing. @throws VALIDATION_FAILED when it is too much. */
export async function changeKeywords(
  store: KeywordStore,
  change: KeywordChange,
  stamp: Stamp,
): Promise<StoredKeywords | null> {
  const { domainId, rows, days } = change;
  for (;;) {
    const before = store.records.list(keywords, 'domainId', domainId)[0];
    const table = replacedKeywords(tableOf(store, before) ?? NO_KEYWORDS, rows, days);
    const content = contentOf(table);
    if (content !== null) await store.files.keep(content, stamp);
    const outcome = await store.records.decide(stamp, (view, atMs) => {
      const now = view.of(keywords, 'domainId', domainId)[0];
      // Somebody else was first, or has taken the last name of the same file away meanwhile.
      const isStale = now?.file !== before?.file || !isThere(view, content);
      if (isStale) return { changes: [], result: { record: null, isDone: false } };
      const record = content === null ? null : recordOf({ domainId, table, content, atMs }, now);
      return { changes: changesOf(now, record), result: { record, isDone: true } };
    });
    if (outcome.isDone) return outcome.record;
  }
}

function isThere(view: Look, content: FileContent | null): boolean {
  return content === null || isWhole(view.find(file, content.hash));
}

interface Made {
  readonly domainId: string;
  readonly table: KeywordTable;
  readonly content: FileContent;
  readonly atMs: number;
}

function recordOf(
  { domainId, table, content, atMs }: Made,
  before: StoredKeywords | undefined,
): StoredKeywords {
  const { fromDay, toDay } = keywordDays(table.days.map((day) => ({ day }))) as KeywordDays;
  return {
    id: before?.id ?? randomAlphanumeric(ENTITY_ID_LENGTH),
    ...{ createdMs: before?.createdMs ?? atMs, modifiedMs: atMs },
    ...{ domainId, file: content.hash, rowCount: table.days.length },
    ...{ from: formatDay(fromDay), to: formatDay(toDay) },
  };
}

function changesOf(before: StoredKeywords | undefined, after: StoredKeywords | null): Change[] {
  if (before === undefined) return after === null ? [] : [created(keywords, after)];
  if (after === null) return [deleted(keywords, before.id)];
  return before.file === after.file ? [] : [changed(keywords, after)];
}

/** Null: there is nothing to keep. */
function contentOf(table: KeywordTable): FileContent | null {
  if (table.days.length === 0) return null;
  const bytes = Buffer.from(JSON.stringify(table));
  if (table.days.length > KEYWORD_ROW_COUNT_MAX || bytes.length > KEYWORD_BYTES_MAX) {
    const body =
      `a domain has at most ${KEYWORD_ROW_COUNT_MAX} rows of keywords; with these it would have ` +
      `${table.days.length}: delete days that are not needed any more, or import less`;
    throw errors.VALIDATION_FAILED({ validation: { body } });
  }
  return fileContent(KEYWORDS_TYPE, bytes);
}

function tableOf({ files }: KeywordStore, stored: StoredKeywords | undefined) {
  const hash = stored?.file ?? null;
  if (hash === null) return null;
  const known = tables.get(hash);
  if (known !== undefined) return known;
  const bytes = bytesOf(files, hash);
  if (bytes === null) return null;
  const table = JSON.parse(bytes.toString()) as KeywordTable;
  tables.set(hash, table);
  return table;
}

function bytesOf(files: KeywordStore['files'], hash: string): Buffer | null {
  const byteCount = files.find(hash)?.byteCount ?? 0;
  const parts: Uint8Array[] = [];
  for (let offset = 0; offset < byteCount; ) {
    const part = files.bytesAt(hash, offset);
    if (part === null) return null;
    parts.push(part);
    offset += part.length;
  }
  return byteCount === 0 ? null : Buffer.concat(parts);
}
