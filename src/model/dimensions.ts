/**
 * The dimensions of a session, a row each. All else that knows them follows from this table.
 *
 * A dimension is a text that the hit which opens a session sets once (semantics, Terms). A new
 * one is a row here, `npm run generate`, and a step of `ingest/pipeline.ts` that fills the field.
 *
 *     row ─▶ field of a hit ─▶ text of a log record ─▶ dictionary, column of `sessions` ─▶ rollups
 *         ─▶ filter, statistic, option, field of a session
 *
 * The rows are in the order in which a session shows them; their order means nothing on disk.
 */

/** How many distinct values a segment keeps (I-79); a closed list of ours bounds itself. */
export type ValueBound = 'wide' | 'narrow' | 'metadata' | 'closed';

/**
 * What the values of a filter are: texts (F-20), codes of countries and languages (F-10, F-22), or
 * an address that may be a name as well (F-27).
 */
export type FilterForm = 'text' | 'code' | 'address';

/** Numbers on disk and in the log. They are permanent: none is changed or given a second time. */
export interface DiskNumbers {
  /** Of the dictionary that its texts are in. */
  readonly kind: number;
  /** Position of its column among those of a session that are stored. */
  readonly column: number;
  /** Position among the texts of a hit in a log record. */
  readonly text: number;
  /** Code of the pre-aggregates that are grouped by it; null: there are none. */
  readonly family: number | null;
}

/** One dimension; null says that it has none of that sort. */
export interface Dimension {
  readonly disk: DiskNumbers;
  readonly values: ValueBound;
  /** Its fields in the rows of statistics. The first is the parameter of its filter as well. */
  readonly fields: readonly [string, ...string[]];
  readonly filter: FilterForm | null;
  /** Path below `/statistics/`. */
  readonly statistic: string | null;
  /** What statistic and pre-aggregates are grouped by, in order, where it is not alone. */
  readonly by?: readonly string[];
  /** Path below `/statistics/options/`. */
  readonly option: string | null;
  /** Its field in `session/list` and `session/details`. */
  readonly session: string | null;
  /** A change of it opens a new session (I-48). */
  readonly isAcquisition?: true;
}

/** The table. The name of a row is the field of a hit, the dictionary and the column of sessions. */
export const DIMENSIONS = {
  language: {
    disk: { kind: 5, column: 15, text: 6, family: 8 },
    values: 'narrow',
    fields: ['language'],
    filter: 'code',
    statistic: 'language',
    option: 'language',
    session: 'language',
  },
  country: {
    disk: { kind: 2, column: 12, text: 3, family: 7 },
    values: 'closed',
    fields: ['country', 'country_code'],
    filter: 'code',
    statistic: 'country',
    option: 'country',
    session: 'country_code',
  },
  region: {
    disk: { kind: 3, column: 13, text: 4, family: 21 },
    values: 'narrow',
    fields: ['region'],
    filter: 'text',
    statistic: 'region',
    by: ['region', 'country'],
    option: 'region',
    session: null,
  },
  city: {
    disk: { kind: 4, column: 14, text: 5, family: 22 },
    values: 'narrow',
    fields: ['city'],
    filter: 'text',
    statistic: 'city',
    by: ['city', 'region', 'country'],
    option: 'city',
    session: 'city',
  },
  referrer: {
    disk: { kind: 6, column: 16, text: 7, family: 23 },
    values: 'wide',
    fields: ['referrer'],
    filter: 'address',
    statistic: null,
    option: 'referrer',
    session: 'referrer',
    isAcquisition: true,
  },
  // By name there are pre-aggregates and a statistic of their own (S-50).
  referrerName: {
    disk: { kind: 7, column: 17, text: 8, family: null },
    values: 'wide',
    fields: ['referrer_name'],
    filter: 'text',
    statistic: null,
    option: 'referrer/name',
    session: 'referrer_name',
    isAcquisition: true,
  },
  referrerIcon: {
    disk: { kind: 8, column: 18, text: 9, family: null },
    values: 'closed',
    fields: ['referrer_icon'],
    filter: null,
    statistic: null,
    option: null,
    session: 'referrer_icon',
  },
  channel: {
    disk: { kind: 9, column: 19, text: 10, family: 12 },
    values: 'closed',
    fields: ['channel'],
    filter: 'text',
    statistic: 'channel',
    option: 'channel',
    session: null,
  },
  os: {
    disk: { kind: 10, column: 20, text: 11, family: 9 },
    values: 'closed',
    fields: ['os'],
    filter: 'text',
    statistic: 'os',
    option: null,
    session: 'os',
  },
  osVersion: {
    disk: { kind: 11, column: 21, text: 12, family: 19 },
    values: 'narrow',
    fields: ['os_version'],
    filter: 'text',
    statistic: 'os/version',
    by: ['os', 'osVersion'],
    option: null,
    session: 'os_version',
  },
  browser: {
    disk: { kind: 12, column: 22, text: 13, family: 10 },
    values: 'narrow',
    fields: ['browser'],
    filter: 'text',
    statistic: 'browser',
    option: null,
    session: 'browser',
  },
  browserVersion: {
    disk: { kind: 13, column: 23, text: 14, family: 20 },
    values: 'narrow',
    fields: ['browser_version'],
    filter: 'text',
    statistic: 'browser/version',
    by: ['browser', 'browserVersion'],
    option: null,
    session: 'browser_version',
  },
  //
  device: {
    disk: { kind: 26, column: 31, text: 22, family: 24 },
    values: 'narrow',
    fields: ['device'],
    filter: 'text',
    statistic: 'device',
    option: 'device',
    session: 'device',
  },
  screenClass: {
    disk: { kind: 14, column: 24, text: 15, family: 11 },
    values: 'closed',
    fields: ['screen_class'],
    filter: 'text',
    statistic: 'screen',
    option: null,
    session: 'screen_class',
  },
  utmSource: {
    disk: { kind: 15, column: 25, text: 16, family: 14 },
    values: 'wide',
    fields: ['utm_source'],
    filter: 'text',
    statistic: 'utm/source',
    option: 'utm/source',
    session: 'utm_source',
    isAcquisition: true,
  },
  utmMedium: {
    disk: { kind: 16, column: 26, text: 17, family: 15 },
    values: 'wide',
    fields: ['utm_medium'],
    filter: 'text',
    statistic: 'utm/medium',
    option: 'utm/medium',
    session: 'utm_medium',
    isAcquisition: true,
  },
  utmCampaign: {
    disk: { kind: 17, column: 27, text: 18, family: 16 },
    values: 'wide',
    fields: ['utm_campaign'],
    filter: 'text',
    statistic: 'utm/campaign',
    option: 'utm/campaign',
    session: 'utm_campaign',
    isAcquisition: true,
  },
  utmContent: {
    disk: { kind: 18, column: 28, text: 19, family: 17 },
    values: 'wide',
    fields: ['utm_content'],
    filter: 'text',
    statistic: 'utm/content',
    option: 'utm/content',
    session: 'utm_content',
    isAcquisition: true,
  },
  utmTerm: {
    disk: { kind: 19, column: 29, text: 20, family: 18 },
    values: 'wide',
    fields: ['utm_term'],
    filter: 'text',
    statistic: 'utm/term',
    option: 'utm/term',
    session: 'utm_term',
    isAcquisition: true,
  },
  hostname: {
    disk: { kind: 20, column: 30, text: 21, family: 13 },
    values: 'narrow',
    fields: ['hostname'],
    filter: 'text',
    statistic: 'hostname',
    option: 'hostname',
    session: null,
  },
} as const satisfies Readonly<Record<string, Dimension>>;

export type TextDimension = keyof typeof DIMENSIONS;

/** The rows of the table with their names. */
export const DIMENSION_ROWS = Object.entries(DIMENSIONS) as readonly [TextDimension, Dimension][];

/** What the statistic and the pre-aggregates of a dimension are grouped by. */
export function groupedBy(name: TextDimension): readonly TextDimension[] {
  const { by }: Dimension = DIMENSIONS[name];
  return by === undefined ? [name] : (by as readonly TextDimension[]);
}

/** Platform is a closed set and has no dictionary (I-81). */
export const Platform = { Unknown: 0, Desktop: 1, Mobile: 2 } as const;

/** Its numbers on disk. */
export const PLATFORM_DISK = { column: 11, family: 6 } as const;
