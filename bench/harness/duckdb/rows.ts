/**
 * The rows of a domain in DuckDB: the same sessions, views, events, tags and metadata, read from
 * its segments.
 *
 * Control plane. The layout is the one that serves DuckDB best: every row of a view, event, tag or
 * pair of metadata carries the dimensions of its session (no joins), texts are ENUMs in order of
 * their characters, ids are dense numbers, and rows lie in order of time.
 */
import { TEXT_DIMENSIONS } from '../../../src/model/dimensions.ts';
import { DAY_MS } from '../../../src/model/limits.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { KIND } from '../../../src/segment/memory/dictionary.ts';
import type { Segment } from '../../../src/segment/memory/segment.ts';
import type { FilledDirectory } from '../data/filled-directory.ts';
import type { DuckDb, DuckValue, Part } from './duckdb.ts';

/** The texts of a segment, named as their columns are; also the names of the ENUM types. */
type Kind = keyof typeof KIND;
const KINDS = Object.keys(KIND) as readonly Kind[];

/** `browserVersion` → `browser_version`: the columns are named as the answers are. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const DIMENSION_IDS = TEXT_DIMENSIONS.map((name) => `${snake(name)} UINTEGER`);

/**
 * A table with its texts in place of their numbers. Texts come as places in the sorted list of their
 * kind: handing them over one by one takes minutes.
 */
function withTexts(
  table: string,
  texts: readonly (readonly [column: string, kind: string])[],
  rest: string,
): string {
  const columns = texts.map(([column]) => `of_${column}.text AS ${column}`);
  const joins = texts.map(
    ([column, kind]) =>
      `JOIN texts_${kind} of_${column} ON of_${column}.place = ${table}.${column}`,
  );
  return `SELECT ${rest}, ${columns.join(', ')} FROM ${table} ${joins.join(' ')}`;
}

const SESSION_TEXTS = [
  ['entry_path', 'path'],
  ['exit_path', 'path'],
  ['entry_title', 'title'],
  ['exit_title', 'title'],
  ...TEXT_DIMENSIONS.map((name) => [snake(name), snake(name)] as const),
] as const;
const PAGE_TEXTS = [
  ['path', 'path'],
  ['title', 'title'],
] as const;
const EVENT_TEXTS = [['name', 'event_name'], ...PAGE_TEXTS] as const;
const TAG_TEXTS = [
  ['key', 'tag_key'],
  ['value', 'tag_value'],
] as const;
const META_TEXTS = [
  ['key', 'meta_key'],
  ['value', 'meta_value'],
] as const;

const RAW_TABLES = `
  CREATE TABLE raw_sessions (
    session UINTEGER, session_id UINTEGER, visitor UINTEGER, low UINTEGER, high UINTEGER,
    start_ms DOUBLE, last_ms DOUBLE, page_views UTINYINT, is_bounce BOOLEAN, extended USMALLINT,
    platform UTINYINT, entry_path UINTEGER, exit_path UINTEGER,
    entry_title UINTEGER, exit_title UINTEGER, ${DIMENSION_IDS.join(', ')});
  CREATE TABLE raw_views (
    session UINTEGER, row UINTEGER, time_ms DOUBLE, path UINTEGER, title UINTEGER,
    time_on_page USMALLINT);
  CREATE TABLE raw_events (
    session UINTEGER, row UINTEGER, time_ms DOUBLE, name UINTEGER, path UINTEGER,
    title UINTEGER, event_duration UINTEGER, meta VARCHAR);
  CREATE TABLE raw_tags (row UINTEGER, key UINTEGER, value UINTEGER);
  CREATE TABLE raw_metadata (row UINTEGER, key UINTEGER, value UINTEGER);`;

const INHERITED = `
  s.visitor, s.duration, s.is_bounce, s.platform, s.entry_path, s.exit_path,
  ${TEXT_DIMENSIONS.map((name) => `s.${snake(name)}`).join(', ')}`;

const TABLES = [
  `CREATE TABLE sessions AS ${withTexts(
    'raw_sessions',
    SESSION_TEXTS,
    `session, session_id, visitor, high::UBIGINT * 4294967296 + low AS visitor_id,
     make_timestamp_ms(start_ms::BIGINT) AS start, make_timestamp_ms(last_ms::BIGINT) AS last,
     floor((last_ms - start_ms) / 1000)::UINTEGER AS duration,
     page_views, is_bounce, extended, raw_sessions.platform`,
  )}`,
  `CREATE TABLE views AS SELECT r.* EXCLUDE (time_ms), ${INHERITED},
     make_timestamp_ms(r.time_ms::BIGINT) AS time
   FROM (${withTexts('raw_views', PAGE_TEXTS, 'session, row, time_ms, time_on_page')}) r
   JOIN sessions s USING (session) ORDER BY time, row`,
  `CREATE TABLE events AS SELECT r.* EXCLUDE (time_ms), ${INHERITED},
     make_timestamp_ms(r.time_ms::BIGINT) AS time
   FROM (${withTexts('raw_events', EVENT_TEXTS, 'session, row, time_ms, event_duration, meta')}) r
   JOIN sessions s USING (session) ORDER BY time, row`,
  `CREATE TABLE tags AS SELECT v.*, r.key, r.value
   FROM (${withTexts('raw_tags', TAG_TEXTS, 'row')}) r JOIN views v USING (row)`,
  `CREATE TABLE metadata AS SELECT e.*, r.key, r.value
   FROM (${withTexts('raw_metadata', META_TEXTS, 'row')}) r JOIN events e USING (row)`,
  'CREATE TABLE paths AS SELECT DISTINCT path FROM views',
  ...['sessions', 'views', 'events', 'tags', 'metadata'].map((name) => `DROP TABLE raw_${name}`),
];

/** Copies everything of a filled directory's domain; nothing may write to it meanwhile. */
export async function copyRows(
  database: DuckDb,
  dataDir: string,
  filled: FilledDirectory,
): Promise<void> {
  const places = new Map<Kind, Map<string, number>>();
  for (const [kind, texts] of await textsOf(dataDir, filled)) {
    const list = texts.map((text) => `'${text.replaceAll("'", "''")}'`);
    await database.run(`CREATE TYPE kind_${snake(kind)} AS ENUM (${list.join(', ')})`);
    await database.run(
      `CREATE TABLE texts_${snake(kind)} AS
       SELECT (row_number() OVER () - 1)::UINTEGER AS place, text::kind_${snake(kind)} AS text
       FROM (SELECT unnest(enum_range(NULL::kind_${snake(kind)})) AS text)`,
    );
    places.set(kind, new Map(texts.map((text, place) => [text, place])));
  }
  await database.run(RAW_TABLES);
  const copy = async (segment: Segment, first: First): Promise<void> => {
    const day = new DayRows(segment, places, first);
    await database.fill('raw_sessions', [day.sessions()]);
    await database.fill('raw_views', [day.views()]);
    await database.fill('raw_events', [day.events()]);
    await database.fill('raw_tags', [day.tags()]);
    await database.fill('raw_metadata', [day.metadata()]);
  };
  const first = { visitor: 0, session: 0, view: 0, event: 0 };
  for await (const segment of segmentsOf(dataDir, filled)) {
    await copy(segment, first);
    first.visitor += segment.visitors.rowCount;
    first.session += segment.sessions.rowCount;
    first.view += segment.views.rowCount;
    first.event += segment.events.rowCount;
  }
  for (const table of TABLES) await database.run(table);
}

/** Day by day, so that one decoded day is in memory at a time. */
async function* segmentsOf(dataDir: string, filled: FilledDirectory): AsyncGenerator<Segment> {
  const reader = new SegmentReader(dataDir, 0);
  const { shard, domainId } = filled;
  const endMs = Date.parse(filled.to) + DAY_MS;
  let last: number | null = null;
  for (let startMs = Date.parse(filled.from); startMs < endMs; startMs += DAY_MS) {
    const range = { startMs, endMs: startMs + DAY_MS };
    for (const segment of reader.read({ shard, epoch: 1, domainId, ...range })) {
      // A session over midnight puts the day before into the range of this one.
      if (last !== null && segment.day <= last) continue;
      last = segment.day;
      yield segment;
    }
  }
  await reader.close();
}

async function textsOf(dataDir: string, filled: FilledDirectory): Promise<Map<Kind, string[]>> {
  const found = new Map<Kind, Set<string>>(KINDS.map((kind) => [kind, new Set([''])]));
  for await (const { dictionary } of segmentsOf(dataDir, filled)) {
    for (const [kind, texts] of found) {
      for (const text of dictionary.texts(KIND[kind])) texts.add(text);
    }
  }
  return new Map([...found].map(([kind, texts]) => [kind, byCodePoint([...texts])]));
}

/** DuckDB's order of texts is that of their bytes in UTF-8. */
function byCodePoint(texts: string[]): string[] {
  return texts.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

type First = Readonly<Record<'visitor' | 'session' | 'view' | 'event', number>>;
type Read = (row: number) => DuckValue;

function numbers(column: ArrayLike<number>, offset = 0): Read {
  return (row) => column[row]! + offset;
}

/** The rows of one segment, with the places of their texts and their places in the whole. */
class DayRows {
  readonly #segment: Segment;
  readonly #first: First;
  readonly #placesOf: (kind: Kind) => Uint32Array;

  constructor(segment: Segment, places: Map<Kind, Map<string, number>>, first: First) {
    this.#segment = segment;
    this.#first = first;
    const byKind = new Map<Kind, Uint32Array>();
    this.#placesOf = (kind) => {
      const known = byKind.get(kind);
      if (known !== undefined) return known;
      const placeOf = places.get(kind)!;
      const texts = segment.dictionary.texts(KIND[kind]);
      const found = Uint32Array.from(texts, (text) => placeOf.get(text)!);
      byKind.set(kind, found);
      return found;
    };
  }

  sessions(): Part {
    const { columns, rowCount } = this.#segment.sessions;
    const { low, high } = this.#segment.visitors.columns;
    return {
      rows: rowCount,
      columns: [
        (row) => this.#first.session + row,
        (row) => row + 1,
        numbers(columns.visitor, this.#first.visitor),
        (row) => low[columns.visitor[row]!]!,
        (row) => high[columns.visitor[row]!]!,
        numbers(columns.startMs),
        numbers(columns.lastMs),
        numbers(columns.pageViews),
        (row) => columns.isBounce[row] === 1,
        numbers(columns.extended),
        numbers(columns.platform),
        this.#texts('path', columns.entryPath),
        this.#texts('path', columns.exitPath),
        this.#texts('title', columns.entryTitle),
        this.#texts('title', columns.exitTitle),
        ...TEXT_DIMENSIONS.map((name) => this.#texts(name, columns[name])),
      ],
    };
  }

  views(): Part {
    const { columns, rowCount } = this.#segment.views;
    return {
      rows: rowCount,
      columns: [
        numbers(columns.session, this.#first.session),
        (row) => this.#first.view + row,
        numbers(columns.timeMs),
        this.#texts('path', columns.path),
        this.#texts('title', columns.title),
        numbers(columns.timeOnPage),
      ],
    };
  }

  events(): Part {
    const { columns, rowCount } = this.#segment.events;
    return {
      rows: rowCount,
      columns: [
        numbers(columns.session, this.#first.session),
        (row) => this.#first.event + row,
        numbers(columns.timeMs),
        this.#texts('eventName', columns.name),
        this.#texts('path', columns.path),
        this.#texts('title', columns.title),
        numbers(columns.durationSeconds),
        (row) => metadataText(this.#segment, row),
      ],
    };
  }

  tags(): Part {
    const { views, tagPairs } = this.#segment;
    const owners = ownersOf(views.columns.tagEnd, views.rowCount, tagPairs.rowCount);
    const { key, value } = tagPairs.columns;
    const columns = [this.#texts('tagKey', key), this.#texts('tagValue', value)];
    return { rows: tagPairs.rowCount, columns: [numbers(owners, this.#first.view), ...columns] };
  }

  metadata(): Part {
    const { events, metaPairs } = this.#segment;
    const owners = ownersOf(events.columns.metaEnd, events.rowCount, metaPairs.rowCount);
    const { key, value } = metaPairs.columns;
    const columns = [this.#texts('metaKey', key), this.#texts('metaValue', value)];
    return { rows: metaPairs.rowCount, columns: [numbers(owners, this.#first.event), ...columns] };
  }

  #texts(kind: Kind, ids: ArrayLike<number>): Read {
    const places = this.#placesOf(kind);
    return (row) => places[ids[row]!]!;
  }
}

/** Metadata as JSON with sorted keys: what event/list groups by. */
function metadataText({ events, metaPairs, dictionary }: Segment, event: number): string {
  const { metaEnd } = events.columns;
  const { key, value } = metaPairs.columns;
  const keys = dictionary.texts(KIND.metaKey);
  const values = dictionary.texts(KIND.metaValue);
  const pairs: [string, string][] = [];
  for (let at = event === 0 ? 0 : metaEnd[event - 1]!; at < metaEnd[event]!; at++) {
    pairs.push([keys[key[at]!]!, values[value[at]!]!]);
  }
  return JSON.stringify(Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The row that each pair belongs to. */
function ownersOf(ends: ArrayLike<number>, rows: number, pairs: number): Uint32Array {
  const owners = new Uint32Array(pairs);
  for (let row = 0, at = 0; row < rows; row++) {
    while (at < ends[row]!) owners[at++] = row;
  }
  return owners;
}
