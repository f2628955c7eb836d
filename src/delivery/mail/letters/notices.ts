/** What happened to a domain: a spike, no traffic, a goal, a webhook that fails (O-11, O-40 to O-42). Pure. */
import type { Language } from '../../../base/languages.ts';
import type { Block, Figure, Letter } from '../letter/letter.ts';
import { shortened } from '../plain.ts';
import { Words } from '../words/words.ts';
import {
  type CountedRow,
  countedRows,
  dashboardButton,
  NAME_LENGTH_MAX,
  titlesOf,
} from './parts.ts';

/** What every one of them has. */
interface Notice {
  readonly language: Language;
  /** What the domain is called (M-17). */
  readonly host: string;
  readonly timezone: string;
  /** Where the reader looks next. */
  readonly link: string;
  /** Ends mails of this kind for this reader. */
  readonly endLink: string;
}

/** Active visitors reached the threshold. */
export interface SpikeMail extends Notice {
  readonly visitors: number;
  readonly threshold: number;
  readonly atMs: number;
  /** Of the moment, most visitors first. */
  readonly pages: readonly CountedRow[];
  readonly referrers: readonly CountedRow[];
}

/** No hit was stored for some days. */
export interface WarningMail extends Notice {
  readonly days: number;
  /** null: there never was one. */
  readonly lastHitMs: number | null;
}

/** All set targets of a goal are reached. */
export interface GoalMail extends Notice {
  readonly goal: string;
  readonly sinceMs: number;
  readonly isDeleted: boolean;
  /** Each target that is set, and what was reached. */
  readonly targets: readonly GoalTarget[];
}

/** One target; rates are in percent. */
export interface GoalTarget {
  readonly of: 'visitors' | 'rate' | 'total' | 'average';
  /** Key of the custom metric; '' for the first two. */
  readonly metric: string;
  readonly reached: number;
  readonly target: number;
}

/** A webhook failed too often in a row. */
export interface WebhookMail extends Notice {
  readonly event: string;
  readonly endpoint: string;
  readonly failures: number;
  /** A status, or what kept it from one. */
  readonly lastFault: string;
}

const FAULT_LENGTH_MAX = 300;

/** To Owner and Admins: how many, and what they look at. */
export function spikeLetter(mail: SpikeMail): Letter {
  const { language, host, timezone, visitors, threshold, atMs } = mail;
  const words = new Words(language);
  const given = {
    host,
    ...{ visitors, threshold },
    time: words.instant(atMs, timezone),
  };
  return {
    ...framed(mail, words),
    ...titlesOf('spike', words, given),
    blocks: [
      { kind: 'text', text: words.say('spikeText', given) },
      ...listOf(words.say('activePages'), mail.pages, words.say('unknown'), words),
      ...listOf(words.say('activeReferrers'), mail.referrers, words.say('direct'), words),
      dashboardButton(mail.link, words),
    ],
  };
}

/** To Owner and Admins: since when nobody came. */
export function warningLetter(mail: WarningMail): Letter {
  const { language, host, timezone, days, lastHitMs } = mail;
  const words = new Words(language);
  const time = lastHitMs === null ? '' : words.instant(lastHitMs, timezone);
  const given = { host, days, time };
  const text = lastHitMs === null ? words.say('warningNever') : words.say('warningText', given);
  return {
    ...framed(mail, words),
    ...titlesOf('warning', words, given),
    ...(lastHitMs === null ? { preheader: text } : {}),
    blocks: [
      { kind: 'text', text },
      { kind: 'note', text: words.say('warningNote') },
      dashboardButton(mail.link, words),
    ],
  };
}

/** To Owner and Admins: what was reached of each target. */
export function goalLetter(mail: GoalMail): Letter {
  const { language, host, timezone, sinceMs, isDeleted, targets } = mail;
  const words = new Words(language);
  const goal = shortened(mail.goal, NAME_LENGTH_MAX);
  const given = { host, goal, time: words.instant(sinceMs, timezone) };
  const deleted: Block[] = isDeleted ? [{ kind: 'note', text: words.say('goalDeleted') }] : [];
  return {
    ...framed(mail, words),
    ...titlesOf('goal', words, given),
    blocks: [
      { kind: 'text', text: words.say('goalText', given) },
      { kind: 'figures', figures: targets.map((target) => targetOf(target, words)) },
      ...deleted,
      dashboardButton(mail.link, words),
    ],
  };
}

/** To the owner: which webhook, and what its receiver said last. */
export function webhookLetter(mail: WebhookMail): Letter {
  const { language, host, failures, event, endpoint } = mail;
  const words = new Words(language);
  const given = { host, failures };
  const named = {
    event: shortened(event, NAME_LENGTH_MAX),
    endpoint: shortened(endpoint, NAME_LENGTH_MAX),
  };
  return {
    ...framed(mail, words),
    ...titlesOf('webhook', words, given),
    blocks: [
      { kind: 'note', text: words.say('webhookNamed', named) },
      { kind: 'text', text: words.say('webhookText', given) },
      { kind: 'quote', text: shortened(mail.lastFault, FAULT_LENGTH_MAX) },
      { kind: 'text', text: words.say('webhookNote') },
      { kind: 'button', label: words.say('webhookButton'), href: mail.link },
    ],
  };
}

function framed({ language, host, endLink }: Notice, words: Words) {
  return {
    ...{ language, about: host, reason: words.say('roleReason', { host }) },
    end: { label: words.say('endKind'), href: endLink },
  };
}

/** Nothing, where there are no rows: an empty list tells nobody anything here. */
function listOf(title: string, of: readonly CountedRow[], blank: string, words: Words): Block[] {
  if (of.length === 0) return [];
  const rows = countedRows(of, blank, words);
  return [{ kind: 'list', title, unit: words.say('visitors'), rows, empty: '' }];
}

function targetOf({ of, metric, reached, target }: GoalTarget, words: Words): Figure {
  const shown = (value: number) => (of === 'rate' ? words.rate(value / 100) : words.count(value));
  const label = {
    visitors: () => words.say('visitors'),
    rate: () => words.say('conversionRate'),
    total: () => words.say('metricTotal', { metric: shortened(metric, NAME_LENGTH_MAX) }),
    average: () => words.say('metricAverage', { metric: shortened(metric, NAME_LENGTH_MAX) }),
  }[of]();
  const text = words.say('ofTarget', { target: shown(target) });
  return { label, value: shown(reached), change: { text, tone: 'better' } };
}
