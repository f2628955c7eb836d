/** Words, numbers and times of mails, in the language of who reads them. Pure. */
import type { Language } from '../../../base/languages.ts';
import { apart } from '../plain.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** What a text is asked for by. */
export type MailWord = keyof typeof en;

/** What stands in the places of a text; a number is written as the reader writes it. */
export type Given = Readonly<Record<string, string | number>>;

/** Numbers and dates of English are those of Europe: `16 Nov 2026` means one day everywhere. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };
const WORDS: Readonly<Record<Language, Readonly<Record<MailWord, string>>>> = { en, de };
/** `{name}`, or `{name:one|other}`. */
const PLACE = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g;

/** Of times; in German `m` is a metre. */
const UNITS: Readonly<Record<Language, readonly [string, string, string]>> = {
  en: ['h', 'm', 's'],
  de: ['\u00a0h', '\u00a0min', '\u00a0s'],
};

/** From here on numbers do not fit below a bar. */
const SHORT_FROM = 10_000;

/** Everything that a mail says in one language. */
export class Words {
  readonly language: Language;
  readonly #locale: string;
  readonly #plurals: Intl.PluralRules;

  constructor(language: Language) {
    this.language = language;
    this.#locale = LOCALES[language];
    this.#plurals = new Intl.PluralRules(this.#locale);
  }

  /** A text. @param given what stands for its `{names}`; they are texts of others, and stay so. */
  say(key: MailWord, given: Given = {}): string {
    return WORDS[this.language][key].replace(
      PLACE,
      (whole, name: string, one?: string, other = '') => {
        const value = Object.hasOwn(given, name) ? given[name] : undefined;
        if (value === undefined) return whole;
        // English and German know two forms: one, and all others.
        if (one !== undefined) return this.#plurals.select(Number(value)) === 'one' ? one : other;
        return typeof value === 'number' ? this.count(value) : apart(value);
      },
    );
  }

  /** A count, whole, or with up to two places. */
  count(value: number): string {
    return new Intl.NumberFormat(this.#locale, { maximumFractionDigits: 2 }).format(value);
  }

  /** A count where there is little room. */
  short(value: number): string {
    if (value < SHORT_FROM) return this.count(value);
    const style = { notation: 'compact', maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(this.#locale, style).format(value);
  }

  /** A rate as a percentage. */
  rate(value: number): string {
    const style = { style: 'percent', maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(this.#locale, style).format(value);
  }

  /** A change, with its sign. */
  change(value: number): string {
    const style = {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    } as const;
    return new Intl.NumberFormat(this.#locale, style).format(value);
  }

  /** Seconds as the dashboard shows them: `1m 5s`, `1 min 5 s`. */
  seconds(value: number): string {
    const total = Math.round(value);
    const hours = Math.floor(total / 3_600);
    const minutes = Math.floor((total % 3_600) / 60);
    const [h, m, s] = UNITS[this.language];
    if (hours > 0) return `${this.count(hours)}${h}\u00a0${minutes}${m}`;
    return minutes > 0 ? `${minutes}${m}\u00a0${total % 60}${s}` : `${total}${s}`;
  }

  /** A count of bytes: `1.2 MB`. */
  bytes(value: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
    const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
    return new Intl.NumberFormat(this.#locale, {
      ...{ style: 'unit', unit: units[power] ?? 'byte', unitDisplay: 'short' },
      maximumFractionDigits: 1,
    }).format(value / 1_000 ** power);
  }

  /** One day, or from one to another. @param from `2026-11-16`, as is `to`. */
  days(from: string, to: string): string {
    const format = this.#days({ day: 'numeric', month: 'short', year: 'numeric' });
    const text =
      from === to ? format.format(dateOf(from)) : format.formatRange(dateOf(from), dateOf(to));
    return whole(text);
  }

  /** A day below a bar: with its weekday where there are few, else with its month. */
  barDay(day: string, isOneOfFew: boolean): string {
    const date = dateOf(day);
    if (!isOneOfFew) return this.#days({ day: 'numeric', month: 'short' }).format(date);
    const weekday = this.#days({ weekday: 'short' }).format(date);
    return `${weekday.replace('.', '')} ${date.getUTCDate()}`;
  }

  /** An instant as the clocks of a time zone show it, with that zone. */
  instant(ms: number, timeZone: string): string {
    const fields = { day: 'numeric', month: 'short', year: 'numeric' } as const;
    const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
    return whole(
      new Intl.DateTimeFormat(this.#locale, { ...fields, ...clock, timeZone }).format(ms),
    );
  }

  /** The name of a country by its code; what is no code stays as it is. */
  country(code: string): string {
    if (code === '') return this.say('unknown');
    try {
      const names = new Intl.DisplayNames(this.#locale, { type: 'region' });
      return names.of(code.toUpperCase()) ?? code;
    } catch {
      return code;
    }
  }

  #days(fields: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat(this.#locale, { ...fields, timeZone: 'UTC' });
  }
}

/** In German the number of a day, `1.`, does not end a line. */
function whole(date: string): string {
  return date.replace(/(\d\.) (?=\p{L})/gu, '$1\u00a0');
}

function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
