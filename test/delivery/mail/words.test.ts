// Goal: numbers, times and counted things stand in mails as a reader of that language writes them
// (O-21, D-18).
// Method: tables of what is given and what has to be read; numbers of a report are read back out of
// its text by the rules of the language.
import { describe, expect, test } from 'vitest';
import { LANGUAGES, languageOfCode } from '../../../src/base/languages.ts';
import type { Letter } from '../../../src/delivery/mail/letter/letter.ts';
import { renderLetter } from '../../../src/delivery/mail/letter/render.ts';
import { textOf } from '../../../src/delivery/mail/letter/text.ts';
import { en } from '../../../src/delivery/mail/words/en.ts';
import { type MailWord, Words } from '../../../src/delivery/mail/words/words.ts';
import { sampleLetters, WEEK } from '../../support/mail-samples.ts';

const WORDS = { en: new Words('en'), de: new Words('de') };
/** Blanks that do not break look like others. */
const plain = (text: string) => text.replace(/[\u00a0\u202f\u2009]/g, ' ');

test.each([
  ['count', 1_234_567, '1,234,567', '1.234.567'],
  ['count', 81_233.5, '81,233.5', '81.233,5'],
  ['count', 0, '0', '0'],
  ['short', 12_431, '12.4k', '12.431'],
  ['short', 4_812_000, '4.8m', '4,8 Mio.'],
  ['rate', 0.4127, '41.3%', '41,3 %'],
  ['rate', 0, '0%', '0 %'],
  ['change', 0.184, '+18.4%', '+18,4 %'],
  ['change', -0.024, '-2.4%', '-2,4 %'],
  ['change', 0, '0%', '0 %'],
  ['seconds', 4, '4s', '4 s'],
  ['seconds', 141, '2m 21s', '2 min 21 s'],
  ['seconds', 4_000, '1h 6m', '1 h 6 min'],
  ['bytes', 1_834_221_004, '1.8 GB', '1,8 GB'],
] as const)('%s of %d is %s, in German %s (O-31)', (name, value, english, german) => {
  expect(plain(WORDS.en[name](value))).toBe(english);
  expect(plain(WORDS.de[name](value))).toBe(german);
});

test('days, instants and countries are written as in the language, in the zone of the domain', () => {
  const atMs = Date.UTC(2026, 10, 16, 23, 30);
  const told = LANGUAGES.map((language) => {
    const words = WORDS[language];
    return [
      words.days('2026-11-09', '2026-11-15'),
      words.days('2026-03-01', '2026-03-01'),
      words.barDay('2026-11-09', true),
      words.instant(atMs, 'Europe/Berlin'),
      words.country('de'),
      words.country(''),
      words.country('zz9'),
    ].map(plain);
  });
  expect(told).toEqual([
    [
      ...['9 – 15 Nov 2026', '1 Mar 2026', 'Mon 9', '17 Nov 2026, 00:30 CET'],
      ...['Germany', '(unknown)', 'zz9'],
    ],
    [
      ...['9.–15. Nov. 2026', '1. März 2026', 'Mo 9', '17. Nov. 2026, 00:30 MEZ'],
      ...['Deutschland', '(unbekannt)', 'zz9'],
    ],
  ]);
});

/** Every text that counts something: its number, and how one and several of them read. */
const COUNTED: readonly (readonly [MailWord, string, readonly string[], readonly string[]])[] = [
  ['reportSubject', 'visitors', ['1 visitor,', '2 visitors,'], ['1 Besucher,', '2 Besucher,']],
  ['reportPreheader', 'views', ['1 view ·', '2 views ·'], ['1 Aufruf ·', '2 Aufrufe ·']],
  ['spikeSubject', 'visitors', ['1 visitor right', '2 visitors'], ['1 Besucher', '2 Besucher']],
  ['spikeHeading', 'visitors', ['1 visitor right', '2 visitors'], ['1 Besucher', '2 Besucher']],
  ['warningSubject', 'days', ['for 1 day', 'for 2 days'], ['seit 1 Tag k', 'seit 2 Tagen k']],
  ['warningHeading', 'days', ['for 1 day', 'for 2 days'], ['Seit 1 Tag k', 'Seit 2 Tagen k']],
  ['importDonePreheader', 'rows', ['1 row,', '2 rows,'], ['1 Zeile,', '2 Zeilen,']],
  ['importDoneText', 'rows', ['1 row of', '2 rows of'], ['1 Zeile von', '2 Zeilen von']],
  ['exportText', 'rows', ['1 row,', '2 rows,'], ['1 Zeile,', '2 Zeilen,']],
];

describe('what is counted has the form of its number', () => {
  test.each(COUNTED)('%s', (key, name, english, german) => {
    for (const [language, forms] of [['en', english] as const, ['de', german] as const]) {
      const [one, two] = forms;
      expect(WORDS[language].say(key, { [name]: 1 })).toContain(one);
      expect(WORDS[language].say(key, { [name]: 2 })).toContain(two);
      // None is as several are, in both.
      const none = WORDS[language].say(key, { [name]: 0 });
      expect(none).toContain(two?.replace('2', '0'));
      const many = WORDS[language].say(key, { [name]: 12_345 });
      expect(many).toContain(language === 'en' ? '12,345' : '12.345');
    }
  });

  test('and there is no other such text', () => {
    const formed = Object.entries(en).filter(([, text]) => /\{\w+:/.test(text));
    expect(formed.map(([key]) => key).toSorted()).toEqual(COUNTED.map(([key]) => key).toSorted());
  });
});

test('a name that is read from right to left turns nothing of the sentence around it', () => {
  const name = 'שלום 50% (2026)';
  const said = WORDS.en.say('goalHeading', { goal: `\u202e${name}\u2069\u2068` });
  // A first strong isolate, closed by the one end that is ours.
  expect(said).toBe(`Goal “\u2068${name}\u2069” is reached`);
  expect(WORDS.de.say('goalHeading', { goal: 'Kauf\u2068' })).toBe('Ziel „Kauf“ ist erreicht');
  const { subject, text, html } = renderLetter({
    ...(sampleLetters('en')['goal'] as Letter),
    ...{ subject: said, heading: said },
  });
  expect(subject).toBe(`Goal “${name}” is reached`);
  for (const part of [text, html]) expect(part).toContain(said);
});

test('what somebody wrote is no place and no form of a text', () => {
  const said = WORDS.en.say('goalHeading', { goal: '{goal} {goal:one|other} $& {time}' });
  expect(said).toBe('Goal “{goal} {goal:one|other} $& {time}” is reached');
  // What is not given is seen, and not silently nothing.
  expect(WORDS.en.say('goalHeading')).toContain('{goal}');
  expect(WORDS.en.say('goalHeading', { ['__proto__' as string]: 'x' })).toContain('{goal}');
});

test.each([
  ['de', 'de'],
  ['en', 'en'],
  ...['fr', 'DE', '', 'constructor', null, undefined].map((code) => [code, null]),
] as [string | null | undefined, string | null][])('the language %j is %j', (code, language) => {
  expect(languageOfCode(code)).toBe(language);
});

/** As people of a language read a number. */
function numberOf(text: string, language: 'en' | 'de'): number {
  const [group, point] = language === 'en' ? [',', '.'] : ['.', ','];
  return Number(text.replaceAll(group, '').replace(point, '.'));
}

test.each(LANGUAGES)(
  'the numbers of a report in "%s" are those that it was given (O-31)',
  (lang) => {
    const letter = sampleLetters(lang)['report'];
    expect(letter).toBeDefined();
    const text = plain(textOf(letter as NonNullable<typeof letter>));
    const words = WORDS[lang];
    const numberAfter = (label: string) => {
      const line = text.split('\n').find((one) => one.startsWith(`${label}  `)) ?? '';
      const found = /(-?\d[\d.,]*)\s?%?/.exec(line.slice(label.length));
      return numberOf(found?.[1] ?? '', lang);
    };
    expect(numberAfter(words.say('visitors'))).toBe(WEEK.visitors.value);
    expect(numberAfter(words.say('views'))).toBe(WEEK.views.value);
    expect(numberAfter(words.say('sessions'))).toBe(WEEK.sessions.value);
    expect(numberAfter(words.say('bounceRate'))).toBe(
      Math.round(WEEK.bounceRate.value * 1_000) / 10,
    );
    const rows = [...WEEK.pages, ...WEEK.campaigns, ...WEEK.events];
    for (const { name, count } of rows) {
      const lines = text.split('\n');
      const at = lines.findIndex(
        (line) => line.startsWith(name) && /^\S+(?: {2}|$)|^\w+ up {2}/.test(line),
      );
      const found =
        /(\d[\d.,]*)$/.exec(lines[at] ?? '') ?? /(\d[\d.,]*)$/.exec(lines[at + 1] ?? '');
      expect([name, numberOf(found?.[1] ?? '', lang)]).toEqual([name, count]);
    }
    for (const { day, visitors } of WEEK.days) {
      const line = text.split('\n').find((one) => one.startsWith(words.barDay(day, true))) ?? '';
      expect(numberOf(/ {2}(\d[\d.,]*)/.exec(line)?.[1] ?? '', lang)).toBe(visitors);
    }
  },
);
