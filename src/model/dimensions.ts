/**
 * The dimensions of a session: one row each, and everything else is derived from this table.
 *
 * A dimension is set once, by the hit that opens the session (semantics, section 0). `kind` is the
 * dictionary it draws its ids from, `width` the width of its column.
 */

/** Names of the dictionaries of a segment: every text in a segment belongs to one of these kinds. */
export const DICTIONARY_KINDS = [
  'path',
  'title',
  'country',
  'region',
  'city',
  'language',
  'referrer',
  'referrerName',
  'referrerIcon',
  'channel',
  'os',
  'osVersion',
  'browser',
  'browserVersion',
  'screenClass',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmContent',
  'utmTerm',
  'hostname',
  'eventName',
  'tagKey',
  'tagValue',
  'metaKey',
  'metaValue',
] as const;

export type DictionaryKind = (typeof DICTIONARY_KINDS)[number];

/** The dimensions that are texts, in the order in which a hit carries them. */
export const TEXT_DIMENSIONS = [
  'country',
  'region',
  'city',
  'language',
  'referrer',
  'referrerName',
  'referrerIcon',
  'channel',
  'os',
  'osVersion',
  'browser',
  'browserVersion',
  'screenClass',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmContent',
  'utmTerm',
  'hostname',
] as const satisfies readonly DictionaryKind[];

export type TextDimension = (typeof TEXT_DIMENSIONS)[number];

/** The dimensions whose change opens a new session (I-48). */
export const ACQUISITION_DIMENSIONS = [
  'referrer',
  'referrerName',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmContent',
  'utmTerm',
] as const satisfies readonly TextDimension[];

/** Platform is a closed set and has no dictionary (I-81). */
export const Platform = { Unknown: 0, Desktop: 1, Mobile: 2 } as const;
