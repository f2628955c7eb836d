// Goal: what the page says has the form of its number, names everything that people change, and is
// whole in both languages (D-18, M-8).
// Method: the page's own catalogues, loaded as a browser of that language loads them, against
// tables; the service's resources say what an audit can name.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { storedFields, wireName } from '../../src/control/descriptor/resource.ts';
import { RESOURCES } from '../../src/control/resources/resources.ts';
import { de } from '../../src/dashboard/app/words/de.ts';
import { en } from '../../src/dashboard/app/words/en.ts';
import { de as settingsDe } from '../../src/dashboard/app/words/settings-de.ts';
import { en as settingsEn } from '../../src/dashboard/app/words/settings-en.ts';
import { SCOPE_AREAS } from '../../src/model/rights.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What the page has to say things with. */
interface Page {
  say(key: string, given?: Readonly<Record<string, string | number>>): string;
  seconds(value: number): string;
  count(value: number): string;
  rate(value: number): string;
  fieldText(field: string): string;
  kindText(kind: string): string;
  valueText(field: string, value: unknown): string;
  callerText(caller: { kind: string; name: string }): string;
  scopesOf(client: Readonly<Record<string, unknown>>): string[];
}

const MODULES = [
  ...['words/settings.ts', 'words/format.ts', 'settings/traffic/audit-words.ts'],
  'settings/lists/scopes.ts',
];

/** The modules of the page, as a browser of a language has them; their types are those of a browser. */
async function pageIn(language: string): Promise<Page> {
  vi.resetModules();
  vi.stubGlobal('navigator', { language, languages: [language] });
  vi.stubGlobal('localStorage', { getItem: () => null });
  const app = new URL('../../src/dashboard/app/', import.meta.url).pathname;
  const loaded: object[] = [];
  for (const name of MODULES) loaded.push(await import(/* @vite-ignore */ app + name));
  return Object.assign({}, ...loaded) as Page;
}

/** Every text that counts: its number, and how none, one and several of them read. */
const COUNTED = [
  ['exact', 'rows', ['0 rows', '1 row ', '2 rows'], ['0 Zeilen', '1 Zeile ', '2 Zeilen']],
  [
    'tooMany',
    'seconds',
    ['0 seconds', '1 second.', '2 seconds'],
    ['0 Sekunden', '1 Sekunde ', '2 Sekunden'],
  ],
  [
    'visitorsCount',
    'count',
    ['0 visitors', '1 visitor', '2 visitors'],
    ['0 Besucher', '1 Besucher', '2 Besucher'],
  ],
  [
    'lost',
    'count',
    ['0 leave ', '1 leaves ', '2 leave '],
    ['0 springen', '1 springt', '2 springen'],
  ],
  [
    'goalResult',
    'visitors',
    ['0 visitors,', '1 visitor,', '2 visitors,'],
    ['0 Besucher,', '1 Besucher,', '2 Besucher,'],
  ],
  ...(
    [
      ['importDone', 'imported'],
      ['importDoneSkipped', 'imported'],
      ['keywordsCame', 'rows'],
      ['keywordsStored', 'rows'],
      ['exportRows', 'rows'],
    ] as const
  ).map(
    ([key, name]) =>
      [key, name, ['0 rows', '1 row', '2 rows'], ['0 Zeilen', '1 Zeile', '2 Zeilen']] as const,
  ),
  [
    'exportFiles',
    'count',
    ['0 files', '1 file,', '2 files'],
    ['0 Dateien', '1 Datei,', '2 Dateien'],
  ],
  ['lastDays', 'count', ['0 days', '1 day', '2 days'], ['0 Tage', '1 Tag', '2 Tage']],
] as const;

describe.each([
  ['en-GB', 2, '12,345'],
  ['de-AT', 3, '12.345'],
  ['de-DE', 3, '12.345'],
] as const)('in a browser of %s', (language, column, many) => {
  test.each(COUNTED)('%s has the form of its number (D-18)', async (...row) => {
    const { say } = await pageIn(language);
    const [key, name] = row;
    const forms = row[column];
    for (const [index, value] of [0, 1, 2].entries()) {
      expect(say(key, { [name]: value })).toContain(forms[index]);
    }
    // Austria groups by a blank.
    const told = say(key, { [name]: 12_345 }).replace(/[\u00a0\u202f]/g, '.');
    expect(told).toContain(many);
  });
});

test('and there is no other text with forms', () => {
  const formed = Object.entries({ ...en, ...settingsEn }).filter(([, text]) => /\{\w+:/.test(text));
  expect(formed.map(([key]) => key).toSorted()).toEqual(COUNTED.map(([key]) => key).toSorted());
});

describe.each([
  ['the page', en, de],
  ['the settings', settingsEn, settingsDe],
] as const)('the German catalogue of %s', (_, english, german) => {
  const rows = Object.entries(english).map(
    ([key, text]) => [key, text, (german as Record<string, string>)[key] ?? ''] as const,
  );

  test('has every text, with the same places', () => {
    expect(Object.keys(german).toSorted()).toEqual(Object.keys(english).toSorted());
    const places = (text: string) => [...new Set(text.match(/\{\w+/g) ?? [])].toSorted();
    for (const [key, one, other] of rows) expect([key, places(other)]).toEqual([key, places(one)]);
    for (const [, , text] of rows) expect(text.trim()).not.toBe('');
  });

  test('calls one thing by one word', () => {
    // What these were called before, or somewhere else: each has a word of its own.
    const others = /\bSites?\b|\bThemes?\b|\bClients\b|\bConversion\b|\bTags?\b(?! \(UTC|\}|\|)/;
    const days = ['day', 'lastDays', 'byDay'];
    const found = rows.filter(([key, , text]) => !days.includes(key) && others.test(text));
    expect(found.map(([key, , text]) => `${key}: ${text}`)).toEqual([]);
    // People are addressed as friends are, nowhere formally.
    const formal = rows.filter(([, , text]) => /[a-zäöüß,] (?:Sie|Ihr[en]?|Ihnen)\b/.test(text));
    expect(formal).toEqual([]);
    const ascii = rows.filter(([, , text]) =>
      /\b\w*(?:fuer|ueber|moecht|waehl|loesch)\w*/i.test(text),
    );
    expect(ascii).toEqual([]);
  });
});

/** What an audit may tell of each kind that belongs to a site or an organization. */
const AUDITED = RESOURCES.filter(({ owners }) =>
  owners.some((owner) => owner === 'domainId' || owner === 'organizationId'),
);
/** Of every record; told beside it, or by what it belongs to. */
const UNTOLD = ['id', 'def_time', 'mod_time', 'domain_id', 'organization_id', 'user_id'];

describe.each(['en', 'de'])('the audit in "%s" (M-8)', (language) => {
  test('names every field of every kind in words', async () => {
    const { fieldText, kindText } = await pageIn(language);
    expect(AUDITED.length).toBeGreaterThan(10);
    const bare: string[] = [];
    for (const resource of AUDITED) {
      if (/^[a-z]+_/.test(kindText(resource.name))) bare.push(resource.name);
      const names = storedFields(resource).flatMap(
        ([name, field]) => field.shown?.map((one) => one.name) ?? wireName(name, field),
      );
      for (const name of names) {
        if (!UNTOLD.includes(name) && fieldText(name) === name)
          bare.push(`${resource.name}.${name}`);
      }
    }
    expect(bare).toEqual([]);
  });
});

test.each([
  ['role', 'Admin', 'Admin', 'Admin'],
  ['role', 'Viewer', 'Viewer', 'Betrachter'],
  ['role', 'Owner', 'Owner', 'Inhaber'],
  ['scope_hit', 'w', 'may send', 'darf senden'],
  ['scope_statistics', 'r', 'may read', 'darf lesen'],
  ['scope_domains', 'w', 'may write', 'darf schreiben'],
  ['scope_domains', '', '–', '–'],
  ['language', 'de', 'Deutsch', 'Deutsch'],
  ['public', true, 'on', 'an'],
  ['public', false, 'off', 'aus'],
  ['timezone', 'Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin'],
  ['name', null, '–', '–'],
  ['name', 'constructor', 'constructor', 'constructor'],
  ['constructor', 'name', 'name', 'name'],
  ['frame', ['a.test'], '["a.test"]', '["a.test"]'],
])(
  'the value of %s %j is told as %s, in German as %s (M-8)',
  async (field, value, english, german) => {
    expect((await pageIn('en')).valueText(field, value)).toBe(english);
    expect((await pageIn('de')).valueText(field, value)).toBe(german);
  },
);

test.each([
  [{ kind: 'cli', name: 'command line' }, 'The command line', 'Die Befehlszeile'],
  [{ kind: 'user', name: 'Ada' }, 'Ada', 'Ada'],
  [{ kind: 'user', name: '' }, 'Someone who has been removed', 'Jemand, der nicht mehr'],
  [{ kind: 'client', name: '' }, 'client', 'API-Zugang'],
])(
  'the caller %j of a change is told as %s, in German as %s (M-8)',
  async (caller, english, german) => {
    expect((await pageIn('en')).callerText(caller)).toContain(english);
    expect((await pageIn('de')).callerText(caller)).toContain(german);
  },
);

test('the lines of an audit read as German', async () => {
  const { say, kindText } = await pageIn('de');
  const line = (action: 'auditCreated' | 'auditChanged' | 'auditDeleted', kind: string) =>
    say(action, { object: `${kindText(kind)} Herbst` });
  expect([
    line('auditCreated', 'goal'),
    line('auditChanged', 'former-domain'),
    line('auditDeleted', 'theme'),
  ]).toEqual([
    'hat angelegt: Ziel Herbst',
    'hat geändert: frühere Website Herbst',
    'hat entfernt: Design Herbst',
  ]);
});

test.each(['en', 'de'])('what a client may is said in words in "%s" (M-40)', async (language) => {
  const { scopesOf, say } = await pageIn(language);
  const rights = Object.fromEntries(SCOPE_AREAS.map((area) => [`scope_${area}`, 'w']));
  const more = scopesOf({ id: 'x', client_id: 'abc', ...rights }).join(' · ');
  for (const area of SCOPE_AREAS) expect(more).toContain(`${say(`scope_${area}`)}: `);
  expect(more).not.toMatch(/scope_|undefined/);
  const words = language === 'en' ? ['may send', 'may write'] : ['darf senden', 'darf schreiben'];
  for (const one of words) expect(more).toContain(one);
});

test.each([
  ['en', '1m 5s', '2h 0m', '12,345', '41.3%'],
  ['de', '1 min 5 s', '2 h 0 min', '12.345', '41,3 %'],
] as const)('numbers in "%s" are written as there (D-18)', async (language, ...expected) => {
  const page = await pageIn(language);
  const told = [page.seconds(65), page.seconds(7_200), page.count(12_345), page.rate(0.4127)];
  expect(told.map((text) => text.replace(/\u00a0/g, ' '))).toEqual(expected);
});
