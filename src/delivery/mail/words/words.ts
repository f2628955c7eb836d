/** Words, numbers and times of mails, in the language of who reads them. Pure. */
import { de } from './de.ts';
import { en } from './en.ts';

/** Languages that mails are written in; whoever has another reads English. */
export type Language = 'en' | 'de';

type Key = keyof typeof en;

/** Numbers and dates of English are those of Europe: `16 Nov 2026` means one day everywhere. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };
const WORDS: Readonly<Record<Language, Readonly<Record<Key, string>>>> = { en, de };

/** From here on numbers do not fit below a bar. */
const SHORT_FROM = 10_000;

/** Everything that a mail says in one language. */
export class Words {
  readonly language: Language;
  readonly #locale: string;

  constructor(language: Language) {
    this.language = language;
    this.#locale = LOCALES[language];
  }

  /** A text. @param given what stands for its `{names}`; they are texts of others, and stay so. */
  say(key: Key, given: Readonly<Record<string, string>> = {}): string {
    return WORDS[this.language][key].replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(given, name) ? String(given[name]) : whole,
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

  /** Seconds as the dashboard shows them: `1m 5s`. */
  seconds(value: number): string {
    const total = Math.round(value);
    const hours = Math.floor(total / 3_600);
    const minutes = Math.floor((total % 3_600) / 60);
    if (hours > 0) return `${this.count(hours)}h ${minutes}m`;
    return minutes > 0 ? `${minutes}m ${total % 60}s` : `${total}s`;
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
    return from === to ? format.format(dateOf(from)) : format.formatRange(dateOf(from), dateOf(to));
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
    return new Intl.DateTimeFormat(this.#locale, { ...fields, ...clock, timeZone }).format(ms);
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

/** The language that mails to somebody are written in. @param asked as a record has it. */
export function languageOf(asked: string | null | undefined): Language {
  return asked?.toLowerCase().startsWith('de') === true ? 'de' : 'en';
}

function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
