/** Work that took its time and is done: imports and exports of a domain (O-22). Pure. */
import type { Language } from '../../../base/languages.ts';
import type { Letter } from '../letter/letter.ts';
import { shortened } from '../plain.ts';
import { Words } from '../words/words.ts';
import { dashboardButton, titlesOf } from './parts.ts';

interface Work {
  readonly language: Language;
  /** What the domain is called (M-17). */
  readonly host: string;
  readonly link: string;
}

/** What was imported is in the statistics. */
export interface ImportDoneMail extends Work {
  readonly source: string;
  readonly rows: number;
  /** The last day that may have any, `2026-11-16`. */
  readonly to: string;
}

/** Nothing of an import is in the statistics. */
export interface ImportFailedMail extends Work {
  readonly fault: string;
}

/** A file is there to be fetched. */
export interface ExportReadyMail extends Work {
  readonly rows: number;
  readonly bytes: number;
  readonly untilMs: number;
  readonly timezone: string;
}

const FAULT_LENGTH_MAX = 500;
const SOURCE_LENGTH_MAX = 80;

/** To who began it: what is in the statistics now. */
export function importDoneLetter(mail: ImportDoneMail): Letter {
  const words = new Words(mail.language);
  const given = {
    host: mail.host,
    source: shortened(mail.source, SOURCE_LENGTH_MAX),
    rows: mail.rows,
    to: words.days(mail.to, mail.to),
  };
  return {
    ...framed(mail, words),
    ...titlesOf('importDone', words, given),
    blocks: [
      { kind: 'text', text: words.say('importDoneText', given) },
      dashboardButton(mail.link, words),
    ],
  };
}

/** To who began it: what to change. */
export function importFailedLetter(mail: ImportFailedMail): Letter {
  const words = new Words(mail.language);
  return {
    ...framed(mail, words),
    ...titlesOf('importFailed', words, { host: mail.host }),
    blocks: [
      { kind: 'text', text: words.say('importFailedText') },
      { kind: 'quote', text: shortened(mail.fault, FAULT_LENGTH_MAX) },
      dashboardButton(mail.link, words),
    ],
  };
}

/** To who asked for it: where it is, and how long. */
export function exportReadyLetter(mail: ExportReadyMail): Letter {
  const words = new Words(mail.language);
  const given = {
    host: mail.host,
    rows: mail.rows,
    size: words.bytes(mail.bytes),
    time: words.instant(mail.untilMs, mail.timezone),
  };
  return {
    ...framed(mail, words),
    ...titlesOf('export', words, given),
    blocks: [
      { kind: 'text', text: words.say('exportText', given) },
      { kind: 'button', label: words.say('exportButton'), href: mail.link },
    ],
  };
}

function framed({ language, host }: Work, words: Words) {
  return { language, about: host, reason: words.say('jobReason', { host }), end: null };
}
