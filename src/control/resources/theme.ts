/**
 * Themes: how dashboards look, in settings and files (M-70, M-71).
 *
 * A domain shows several of them, one over the other: that of its organization, the one that was chosen
 * for it, and its own. Its own is a theme that belongs to the domain, at most one.
 */
import { boolean, mapOf, nullable, string } from '../../base/schema.ts';
import { codePointCount } from '../../base/validate.ts';
import {
  NAME_LENGTH_MAX,
  OWNER_THEME_COUNT_MAX,
  THEME_KEY_LENGTH_MAX,
  THEME_SETTING_COUNT_MAX,
  THEME_VALUE_LENGTH_MAX,
} from '../../model/limits.ts';
import { computed, hidden, kept, optionalReference, TEXT, text } from '../descriptor/fields.ts';
import {
  type AnyRecord,
  defineResource,
  type Field,
  type Look,
  type RecordType,
} from '../descriptor/resource.ts';

/** Where files are served; the id of a file, its hash, stands behind it. */
export const FILE_PATH = '/api/v1/theme/file/';

/** The files of a theme: the name on the wire, and the field of the record. */
export const THEME_FILES = {
  logo_light: 'logoLight',
  logo_dark: 'logoDark',
  favicon: 'favicon',
} as const;

export type ThemeFile = keyof typeof THEME_FILES;

/** Their names, in the order of the contract. */
export const THEME_FILE_NAMES = Object.keys(THEME_FILES) as ThemeFile[];

/** Keys and values as they were sent; what a change does not carry stays. */
const settings: Field<Readonly<Record<string, string>>> = {
  schema: mapOf(string),
  sent: [{ rule: { type: ['object', 'null'] } }],
  make: (sent, { before }) =>
    (sent ?? before?.['settings'] ?? {}) as Readonly<Record<string, string>>,
  fault: settingsFault,
};

/** Names a file by its hash; answers show where it is. */
const image: Field<string | null> = {
  schema: nullable(string),
  sent: [{ rule: TEXT }],
  make: (sent) => (sent as string | undefined) ?? null,
  refersTo: { to: 'file', whenGone: 'clear', whenUnused: 'remove' },
};

function imageField(name: ThemeFile): Field<string | null> {
  const field = THEME_FILES[name];
  return {
    ...image,
    sent: [{ name, rule: TEXT }],
    make: (sent, { before }) => (sent ?? before?.[field] ?? null) as string | null,
    shown: [{ name, schema: nullable(string), of: (id) => addressOf(id as string | null) }],
  };
}

/** Belongs to a user, an organization or a domain. */
export const theme = defineResource({
  name: 'theme',
  table: 'themes',
  owners: ['domainId', 'organizationId', 'ownerId'],
  countMax: OWNER_THEME_COUNT_MAX,
  fields: {
    organizationId: optionalReference({ to: 'organization', whenGone: 'remove' }),
    domainId: hidden({
      ...optionalReference({ to: 'domain', whenGone: 'remove' }),
      unique: { key: (id: string | null) => id, taken: () => 'has a theme of its own already' },
    }),
    // One of an organization or a domain outlives who made it.
    ownerId: hidden({
      ...kept(nullable(string), ({ draft, userId }) =>
        draft['organizationId'] === null && draft['domainId'] === null ? userId : null,
      ),
      refersTo: { to: 'user', whenGone: 'remove' },
    }),
    userId: kept(string, ({ userId }) => userId),
    name: {
      ...text({
        lengthMax: NAME_LENGTH_MAX,
        absent: ({ before }) => String(before?.['name'] ?? ''),
      }),
      isRequired: true,
    },
    settings,
    logoLight: imageField('logo_light'),
    logoDark: imageField('logo_dark'),
    favicon: imageField('favicon'),
    // Of its organization.
    isDefault: computed(
      boolean,
      ({ id }, { view }) => view.named('organization').of('themeId', id).length > 0,
    ),
  },
});

export type Theme = RecordType<typeof theme>;

/** What is wrong with settings, which may be anything within an object. */
function settingsFault(given: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(given);
  if (entries.length > THEME_SETTING_COUNT_MAX) {
    return `must have at most ${THEME_SETTING_COUNT_MAX} keys`;
  }
  for (const [key, value] of entries) {
    const length = codePointCount(key);
    if (length < 1 || length > THEME_KEY_LENGTH_MAX) {
      return `must have keys of 1 to ${THEME_KEY_LENGTH_MAX} characters`;
    }
    if (typeof value !== 'string') return `must have texts as values, also under '${key}'`;
    if (codePointCount(value) > THEME_VALUE_LENGTH_MAX) {
      return `must have values of at most ${THEME_VALUE_LENGTH_MAX} characters, also under '${key}'`;
    }
  }
  return '';
}

/** Where a file is; null stays null. */
function addressOf(id: string | null): string | null {
  return id === null ? null : FILE_PATH + id;
}

/** The themes that a domain shows, weakest first (M-71). */
export function themeLayers(site: AnyRecord, view: Look): Theme[] {
  const { organizationId, themeId } = site;
  const within =
    typeof organizationId === 'string' ? view.named('organization').find(organizationId) : null;
  const layers: Theme[] = [];
  const add = (layer: Theme | null) => layer === null || layers.push(layer);
  for (const id of [within?.['themeId'], themeId]) {
    if (typeof id === 'string') add(view.find(theme, id));
  }
  add(ownTheme(site.id, view));
  return layers;
}

/** The theme that a domain has for itself; null: none. */
export function ownTheme(domainId: string, view: Look): Theme | null {
  return view.by(theme, 'domainId', domainId);
}

/** Settings of a domain's own. */
export function ownSettings(domainId: string, view: Look): Readonly<Record<string, string>> {
  return ownTheme(domainId, view)?.settings ?? {};
}

const NOTHING_SHOWN: Readonly<Record<string, string>> = Object.freeze({});

/** What a domain shows: settings, and beside them the addresses of files. */
export function shownTheme(site: AnyRecord, view: Look): Readonly<Record<string, string>> {
  const layers = themeLayers(site, view);
  // Most have none, and a list may show ten thousand.
  if (layers.length === 0) return NOTHING_SHOWN;
  const files = THEME_FILE_NAMES.flatMap((name) => {
    const id = layers.findLast((layer) => layer[THEME_FILES[name]] !== null)?.[THEME_FILES[name]];
    return id == null ? [] : [[name, FILE_PATH + id] as const];
  });
  const settingsOf = layers.flatMap((layer) => Object.entries(layer.settings));
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries([...settingsOf, ...files]);
}
