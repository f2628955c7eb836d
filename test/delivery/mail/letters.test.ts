// Goal: every mail says what it has to in text and in HTML, needs nothing from outside, and is changed
// by no text that a stranger writes.
// Method: one mail of every kind in both languages; the same with hostile texts, whose elements have
// to be those of a harmless one.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Letter } from '../../../src/delivery/mail/letter/letter.ts';
import { renderLetter } from '../../../src/delivery/mail/letter/render.ts';
import { COLOURS } from '../../../src/delivery/mail/letter/style.ts';
import { spikeLetter } from '../../../src/delivery/mail/letters/notices.ts';
import { invitationLetter } from '../../../src/delivery/mail/letters/people.ts';
import { de } from '../../../src/delivery/mail/words/de.ts';
import { en } from '../../../src/delivery/mail/words/en.ts';
import { HOSTILE, hostileLetters, sampleLetters } from '../../support/mail-samples.ts';

const LANGUAGES = ['en', 'de'] as const;
const MAILS = LANGUAGES.flatMap((language) =>
  Object.entries(sampleLetters(language)).map(
    ([name, letter]) => [`${name} (${language})`, letter] as const,
  ),
);

/** Names of elements and of their attributes, in order. */
function skeletonOf(html: string): string[] {
  return [
    ...html.matchAll(/<(\/?[a-z!][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>|<!--.*?-->|</gi),
  ].map(([whole, name, attributes = '']) =>
    name === undefined
      ? whole
      : `${name} ${[...attributes.matchAll(/([a-z-]+)="[^"]*"/g)].map(([, key]) => key).join(' ')}`,
  );
}

function numbersOf(text: string): string[] {
  return text.match(/\d[\d.,\u202f\u00a0]*\s?%?/g)?.map((one) => one.trim()) ?? [];
}

describe.each(MAILS)('%s', (_, letter: Letter) => {
  const { subject, text, html } = renderLetter(letter);

  test('fetches nothing and runs nothing (O-21)', () => {
    expect(html).not.toMatch(/<(?:img|script|link|iframe|object|embed|form|video|svg)\b/i);
    expect(html).not.toMatch(/\b(?:src|srcset|background|on\w+)=/i);
    expect(html).not.toMatch(/url\(|@import|expression\(/i);
    // Links lead to the service, and to nobody who counts who follows them.
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => String(href));
    expect(links.every((href) => href.startsWith('https://stats.example.org/'))).toBe(true);
  });

  test('is 600 pixels wide at most, light and dark, and says its language (O-21)', () => {
    expect(html).toContain(`<html lang="${letter.language}"`);
    expect(html).toContain('max-width:600px');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    // What has a colour in the light has one in the dark.
    const sheet = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    for (const [, classes = ''] of html.matchAll(
      /<[a-z0-9]+ [^>]*class="([^"]*)"[^>]*style="[^"]*color:/g,
    )) {
      expect(classes.split(' ').some((name) => sheet.includes(`.${name}{`))).toBe(true);
    }
  });

  test('tells in text what it tells in HTML', () => {
    // What has no blank cannot be broken.
    const wide = text.split('\n').filter((line) => [...line].length > 72);
    expect(wide.filter((line) => !/^(?:> )?\S+$|https?:/.test(line))).toEqual([]);
    const shown = html.replace(/<style>.*?<\/style>|<title>.*?<\/title>|<!--.*?-->/gs, '');
    const body = shown.replace(/<div style="display:none.*?<\/div>/s, '').replace(/<[^>]*>/g, '\n');
    const plain = body.replaceAll('&nbsp;', ' ').replaceAll('&amp;', '&');
    for (const number of numbersOf(plain)) expect(text).toContain(number);
    for (const link of html.matchAll(/href="([^"]*)"/g)) {
      expect(text).toContain(String(link[1]).replaceAll('&amp;', '&'));
    }
  });

  test('has every text, and a preheader that is not its subject', () => {
    expect(subject).not.toBe('');
    expect(letter.preheader).not.toBe('');
    expect(letter.preheader).not.toBe(subject);
    for (const part of [subject, text, html.replace(/<style>.*?<\/style>/s, '')]) {
      expect(part).not.toMatch(/\{\w+(?::[^}]*)?\}|undefined|NaN|null|\[object/);
    }
  });
});

test('there is a mail of every kind, in both languages, with other words (O-22)', () => {
  const kinds = [
    ...['activation', 'password-reset', 'invitation', 'report', 'spike', 'warning', 'goal'],
    ...['webhook', 'import-done', 'import-failed', 'export-ready'],
  ];
  const [english, german] = [sampleLetters('en'), sampleLetters('de')];
  for (const kind of kinds) {
    const [one, other] = [english[kind], german[kind]].map((letter) => renderLetter(letter!));
    expect(one?.text).not.toBe(other?.text);
  }
  expect(Object.keys(de)).toEqual(Object.keys(en));
  const names = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted();
  for (const key of Object.keys(en) as (keyof typeof en)[]) {
    expect([key, ...names(de[key])]).toEqual([key, ...names(en[key])]);
  }
});

test('a spike of one visitor from nowhere is told without empty lists (O-22)', () => {
  const links = { link: 'https://stats.example.org/a', endLink: 'https://stats.example.org/b' };
  const site = { language: 'en', host: 'shop.example', timezone: 'UTC', ...links } as const;
  const spike = { ...site, visitors: 1, threshold: 1, atMs: 0, pages: [], referrers: [] };
  const { subject, text, html } = renderLetter(spikeLetter(spike));
  expect(subject).toBe('shop.example: 1 visitor right now');
  for (const part of [text, html]) expect(part).not.toContain('Where they come from');
});

describe('texts of strangers', () => {
  const kinds = hostileLetters('en').length / HOSTILE.length;

  test.each(HOSTILE)('change nothing but what is read: %j', (hostile) => {
    const start = HOSTILE.indexOf(hostile) * kinds;
    for (const letter of hostileLetters('en').slice(start, start + kinds)) {
      const { html, text, subject } = renderLetter(letter);
      const model = renderLetter(harmless(letter));
      expect(skeletonOf(html)).toEqual(skeletonOf(model.html));
      expect(html).not.toMatch(/href="(?!#|https?:)/);
      expect(subject).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e]/u);
      expect(text).not.toMatch(/[\u202a-\u202e]/);
    }
  });

  test('are no links in a mail to who does not know whose they are', () => {
    const place = 'Win at https://evil.test/now or ask eve@evil.test';
    const link = 'https://stats.example.org/account';
    const letter = invitationLetter({ language: 'en', host: 'stats.example.org', link, place });
    const { html, text } = renderLetter(letter);
    const body = html.slice(html.indexOf('<body'));
    for (const part of [body, text]) {
      expect(part).not.toMatch(/evil\.test/);
      expect(part).toMatch(/evil.\u2060test/);
    }
  });
});

/** The same letter where every text is a plain one; what was none stays none. */
function harmless(letter: Letter): Letter {
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return value === '' ? '' : 'harmless';
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const kept = ['kind', 'language', 'tone'];
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, kept.includes(key) ? one : plain(one)]),
    );
  };
  return plain(letter) as Letter;
}

test('mails have the colours of the dashboard, and enough contrast in the light and in the dark', () => {
  const css = readFileSync('src/dashboard/app/style/tokens.css', 'utf8');
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  const tokenIn = (part: string, name: string) =>
    new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(part)?.[1];
  for (const [name, colours] of Object.entries(COLOURS)) {
    if (['pale', 'track'].includes(name)) continue;
    expect([name, ...colours]).toEqual([name, tokenIn(light, name), tokenIn(dark, name)]);
  }
  // Text and what it stands on (WCAG 2.2, 1.4.3).
  const pairs = [
    ...(['ink', 'quiet', 'better', 'worse'] as const).map((text) => [text, 'card'] as const),
    ...[['ink', 'paper'] as const, ['quiet', 'paper'] as const, ['ink', 'track'] as const],
    ['accent-ink', 'accent'] as const,
  ];
  for (const [text, ground] of pairs) {
    for (const scheme of [0, 1] as const) {
      const ratio = contrastOf(COLOURS[text][scheme], COLOURS[ground][scheme]);
      expect([text, ground, scheme, ratio >= 4.5]).toEqual([text, ground, scheme, true]);
    }
  }
});

/** As WCAG defines it. */
function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other]
    .map(luminanceOf)
    .toSorted((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const parts = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (parts[0] ?? 0) + 0.7152 * (parts[1] ?? 0) + 0.0722 * (parts[2] ?? 0);
}
