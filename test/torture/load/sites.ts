/**
 * The domains of ten rounds: what the service calls them, and what the model knows of each.
 *
 * A round has its own night on every timed domain, days away from the others', so that its model
 * is a small world: the oracle is simple and slow. After ten rounds new domains are made.
 */
import type { Conversions, World } from '../../support/oracle/world.ts';
import { emptyWorld } from '../../support/oracle/world.ts';
import { pause } from '../cluster/child.ts';
import type { Cluster, MadeDomain } from '../cluster/cluster.ts';
import type { Reader } from '../judge/reader.ts';
import type { Receiver } from './receiver.ts';

/** Rounds that share domains. */
export const GENERATION_ROUNDS = 10;
/** Timed domains; one live one comes after them. */
export const TIMED_COUNT = 3;
/** All of them. */
export const SITE_COUNT = TIMED_COUNT + 1;
/** Between the nights of two rounds: nothing of one is in a previous period of the other (S-72). */
const STRIDE_DAYS = 12;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.parse('2025-01-06T00:00:00Z');

/** Names of events that a webhook of every domain tells: to the letter, so that `Order` is another. */
export const TOLD_EVENT_NAMES = ['order', 'sign up'] as const;

/** What is defined on every domain. */
export const CONVERSIONS: Conversions = {
  goals: [
    goal('docs', { path_pattern: '/docs/**' }),
    goal('orders', { event_name: 'order' }),
    goal('worth', { event_name: 'Order', custom_metric_key: 'k', custom_metric_type: 'float' }),
  ],
  steps: [
    { name: 'home', filter: { path: ['/', '/a'] } },
    { name: 'order', filter: { event: 'order' } },
    { name: 'Chrome', filter: { browser: 'Chrome' } },
  ],
};

function goal(name: string, given: Partial<Conversions['goals'][number]>) {
  return {
    ...{ name, path_pattern: '', event_name: '', event_meta_key: '', event_meta_value: '' },
    ...{ custom_metric_key: '', custom_metric_type: 'integer' },
    ...given,
  };
}

/** 00:00 UTC of the day in whose night the visits of a round lie. */
export function dayOf(round: number): number {
  return FIRST_DAY_MS + (round % GENERATION_ROUNDS) * STRIDE_DAYS * DAY_MS;
}

/** A request without a key whose outcome is to be found out. */
export interface Doubt {
  path: string;
  fate: 'unknown' | 'refused';
  /** Puts it into the model. */
  adopt: () => void;
}

/** What was sent to a site in a round. */
export interface SentItems {
  /** Items that are in the model, whatever became of them. */
  items: number;
  /** How many must be counted as duplicates, and how many may be. */
  readonly repeats: [least: number, most: number];
  /** Items without an answer that are in no statistic if they count: by the reason they have then. */
  readonly unsure: Map<string, number>;
}

/** One domain and what is known of it. */
export class Site {
  readonly made: MadeDomain;
  readonly isLive: boolean;
  readonly funnelId: string;
  readonly #worlds = new Map<number, World>();
  readonly #sent = new Map<number, SentItems>();
  /** Items that were sent and may or may not be counted yet, by round. */
  readonly open = new Map<number, number>();
  /** Some hits have times that are not those of their arrival. */
  hasClockSteps = false;
  /** Of the round that runs. */
  doubts: Doubt[] = [];

  constructor(made: MadeDomain, isLive: boolean, funnelId: string) {
    this.made = made;
    this.isLive = isLive;
    this.funnelId = funnelId;
  }

  get name(): string {
    return this.made.hostname;
  }

  /** The model of a round; a live domain has one for all of them. */
  world(round: number): World {
    const at = this.isLive ? 0 : round;
    const found = this.#worlds.get(at) ?? emptyWorld();
    this.#worlds.set(at, found);
    return found;
  }

  /** What was sent in the rounds of such a model. */
  sent(round: number): SentItems {
    const at = this.isLive ? 0 : round;
    const found = this.#sent.get(at) ?? { items: 0, repeats: [0, 0], unsure: new Map() };
    this.#sent.set(at, found);
    return found;
  }

  /** Rounds that it has models of. */
  get rounds(): number[] {
    return [...this.#worlds.keys()];
  }

  /** More items, or fewer, of which nobody knows whether they count. */
  addOpen(round: number, items: number): void {
    this.open.set(round, (this.open.get(round) ?? 0) + items);
  }
}

/** New domains with goals, webhooks and a funnel, known to every node. */
export async function makeSites(
  cluster: Cluster,
  { reader, receiver }: { reader: Reader; receiver: Receiver },
  generation: number,
): Promise<Site[]> {
  const names = Array.from({ length: SITE_COUNT }, (_, index) =>
    index < TIMED_COUNT ? `timed-${generation}-${index}.example` : `live-${generation}.example`,
  );
  const sites: Site[] = [];
  for (const hostname of names) {
    const made = await cluster.makeDomain(hostname);
    const domain = { domain_id: made.id };
    for (const wanted of CONVERSIONS.goals) await create(reader, 'goal', { ...domain, ...wanted });
    await makeWebhooks(made, reader, receiver);
    const steps = CONVERSIONS.steps;
    const funnel = await create(reader, 'funnel', { ...domain, name: 'funnel', steps });
    sites.push(new Site(made, hostname.startsWith('live'), funnel.id));
  }
  for (const site of sites) {
    // A change on one node is known to all within a second.
    for (const node of cluster.nodes) await reader.patiently(node, 'funnel', funnelOf(site));
  }
  return sites;
}

async function makeWebhooks(
  { id, hostname: site }: MadeDomain,
  reader: Reader,
  receiver: Receiver,
): Promise<void> {
  for (const event of TOLD_EVENT_NAMES) {
    const endpoint = receiver.addressOf(site, event);
    const wanted = { domain_id: id, description: '', event, endpoint };
    const { secret } = await create<{ secret: string }>(reader, 'webhook', wanted);
    receiver.expect({ site, event, secret });
  }
}

function funnelOf(site: Site) {
  const day = new Date(FIRST_DAY_MS).toISOString().slice(0, 10);
  return { id: site.made.id, funnel_id: site.funnelId, from: day, to: day };
}

async function create<Made = { id: string }>(
  reader: Reader,
  what: string,
  body: unknown,
): Promise<Made> {
  for (let attempt = 1; ; attempt++) {
    const answer = await reader.post(what, body);
    if (answer.status === 200) return JSON.parse(answer.text) as Made;
    if (attempt === 100) throw new Error(`a ${what} was answered ${answer.status}: ${answer.text}`);
    // The node may not know the new domain yet.
    await pause(50);
  }
}
