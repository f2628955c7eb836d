/**
 * The story: an owner signs in, makes a site, works on it with a colleague, gives it away; it is
 * deleted, and what it cost stays.
 */
import { expect } from 'vitest';
import { until } from '../until.ts';
import { Person } from './person.ts';
import type { Stage, Wish } from './stage.ts';

const HOSTNAME = 'story.example';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const VIEW_COUNT = 24;
const PASSWORDS = ['five quiet lighthouses', 'a colleague with a kite'] as const;
/** What M-11 gives the erasure, on an idle service. */
const ERASED_WITHIN_MS = 60_000;
/** What a shard is given to have a node again. */
const ANSWERED_WITHIN_MS = 30_000;

interface DomainObject {
  readonly id: string;
  readonly hostname: string;
  readonly user_role: string;
}

/** What is known of the site so far. */
interface Cast {
  readonly stage: Stage;
  readonly owner: Person;
  readonly colleague: Person;
  domainId: string;
  accessKey: string;
  /** Page views that were acknowledged. */
  views: number;
}

type Chapter = readonly [title: string, play: (cast: Cast) => Promise<void>];

/** Today and the days around it: the story may play at midnight. */
function range(): string {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  return `from=${day(1)}&to=${day(-1)}`;
}

const signsIn: Chapter = [
  'the owner signs in by the link that the first start printed (M-80, M-81)',
  async ({ stage, owner }) => {
    const token = /\/reset\?token=(\w+)/.exec(stage.firstOutput)?.[1];
    expect(token, stage.firstOutput).toMatch(/^\w{32}$/);
    await owner.signIn(String(token), PASSWORDS[0]);
    expect(await owner.get('user')).toMatchObject({ email: owner.email, totp: false });
  },
];

const makesSite: Chapter = [
  'makes a site, and a key that collects (M-10, M-40)',
  async (cast) => {
    const { owner } = cast;
    const sent = { hostname: HOSTNAME, subdomain: '', timezone: 'Europe/Berlin' };
    const made = await owner.post<DomainObject>('domain', sent);
    expect(made).toMatchObject({ hostname: HOSTNAME, user_role: 'Owner' });
    cast.domainId = made.id;
    const key = await owner.post<{ id: string; client_secret: string }>('client', {
      ...{ domain_id: made.id, type: 'token', description: 'collects' },
      ...{ scope_hit: 'w', scope_event: 'w', scope_session: 'w' },
    });
    cast.accessKey = key.client_secret;
  },
];

const collects: Chapter = [
  'which visitors come to',
  async (cast) => {
    for (let index = 0; index < VIEW_COUNT / 2; index++) await view(cast);
    await expectViews(cast, cast.owner);
  },
];

const invites: Chapter = [
  'a colleague is invited, follows the link of the mail, and accepts (M-30, M-31)',
  async ({ stage, owner, colleague, domainId }) => {
    await owner.post('member', { id: domainId, emails: [colleague.email] });
    await until(() => isMailed(stage, colleague.email), 5_000);
    await colleague.signIn(stage.mailedToken(colleague.email), PASSWORDS[1]);
    // Invited is not yet on the site.
    await colleague.get(`domain?id=${domainId}`, { status: 404 });
    const [invitation] = await colleague.get<{ id: string; domain: DomainObject }[]>('invitation', {
      is: (list) => (list as unknown[]).length === 1,
    });
    expect(invitation?.domain).toMatchObject({ hostname: HOSTNAME });
    await colleague.post('invitation', { id: invitation?.id });
    // Accepted is accepted: it is not there a second time.
    await colleague.post('invitation', { id: invitation?.id }, { status: 404 });
  },
];

const reads: Chapter = [
  'sees the site, and may not delete it (M-2, M-4)',
  async (cast) => {
    const { colleague, domainId } = cast;
    const shown = await colleague.get<DomainObject>(`domain?id=${domainId}`);
    expect(shown).toMatchObject({ id: domainId, user_role: 'Viewer' });
    await expectViews(cast, colleague);
    await colleague.delete(`domain?id=${domainId}`, { status: 403 });
    await colleague.post('domain/public', { domain_id: domainId }, { status: 403 });
  },
];

const revokes: Chapter = [
  'a client is made and revoked, and its next request is refused (M-5, M-40)',
  async ({ stage, owner, domainId }) => {
    const client = await owner.post<{ id: string; client_id: string; client_secret: string }>(
      'client',
      { domain_id: domainId, type: 'oauth', description: 'reads', scope_statistics: 'r' },
    );
    const { client_id, client_secret } = client;
    const { json } = await stage.ask({
      ...{ method: 'POST', path: 'token', body: { client_id, client_secret } },
    });
    const { access_token } = json as { access_token: string };
    const reading: Wish = {
      ...{ method: 'GET', path: `statistics/total?id=${domainId}&${range()}` },
      headers: { authorization: `Bearer ${access_token}` },
    };
    await stage.ask(reading);
    await owner.delete(`client?id=${client.id}`);
    await stage.ask({ ...reading, status: 401 });
  },
];

const shares: Chapter = [
  'a link is shared, read without credentials, and ended (M-16, M-20)',
  async ({ stage, owner, domainId, views }) => {
    const link = await owner.post<{ id: string; code: string }>('domain/link', {
      ...{ domain_id: domainId, description: 'for the press' },
    });
    const shown = await stage.ask({ method: 'GET', path: `domain?access=${link.code}` });
    expect(shown.json).toMatchObject({
      id: domainId,
      user_role: 'Viewer',
      identification_code: '',
    });
    const reading: Wish = {
      method: 'GET',
      path: `statistics/total?id=${domainId}&${range()}&access=${link.code}`,
    };
    const { json } = await stage.ask(reading);
    expect(json).toMatchObject({ views });
    await owner.delete(`domain/link?id=${link.id}`);
    await stage.ask({ ...reading, status: 401 });
  },
];

const transfers: Chapter = [
  'the site is given to the colleague; who gave it is Admin from then on (M-15)',
  async (cast) => {
    const { owner, colleague, domainId } = cast;
    for (let index = 0; index < VIEW_COUNT / 2; index++) await view(cast);
    await owner.post('domain/transfer', { domain_id: domainId, email: colleague.email });
    await colleague.put('domain/transfer', { domain_id: domainId });
    const hasRole = (role: string) => ({
      is: (json: unknown) => (json as DomainObject).user_role === role,
    });
    await colleague.get(`domain?id=${domainId}`, hasRole('Owner'));
    await owner.get(`domain?id=${domainId}`, hasRole('Admin'));
    await owner.delete(`domain?id=${domainId}`, { status: 403 });
    await expectViews(cast, owner);
    await expectBilled(cast);
  },
];

const deletes: Chapter = [
  'who deletes it: its key is refused, and nobody sees it any more (M-11)',
  async (cast) => {
    const { stage, owner, colleague, domainId } = cast;
    await until(async () => (await stage.daysOnDisk(domainId)) > 0, ANSWERED_WITHIN_MS);
    await colleague.delete(`domain?id=${domainId}`);
    // Another node may take hits for a second more (M-5): what it acknowledges is billed.
    const saw = (status: number) => {
      if (status === 200) cast.views++;
    };
    await stage.ask({ ...hitOf(cast), status: 401, saw });
    for (const person of [owner, colleague]) {
      await person.get(`domain?id=${domainId}`, { status: 404 });
      await person.get(`statistics/total?id=${domainId}&${range()}`, { status: 404 });
    }
  },
];

const isGone: Chapter = [
  'its data is gone after a minute, and its billing stays (M-11, S-99)',
  async (cast) => {
    const { stage, domainId } = cast;
    await stage.recover();
    await until(async () => (await stage.daysOnDisk(domainId)) === 0, ERASED_WITHIN_MS);
    await expectBilled(cast);
  },
];

const stays: Chapter = [
  'and so it is after all nodes were killed once more',
  async (cast) => {
    const { stage, colleague, domainId } = cast;
    await stage.recover();
    await Promise.all(stage.nodes.map((node) => node.kill()));
    for (const node of stage.nodes) await node.start();
    await colleague.get(`domain?id=${domainId}`, { status: 404 });
    await stage.ask({ ...hitOf(cast), status: 401 });
    await expectBilled(cast);
    await until(async () => (await stage.daysOnDisk(domainId)) === 0, ANSWERED_WITHIN_MS);
  },
];

const CHAPTERS: readonly Chapter[] = [
  ...[signsIn, makesSite, collects, invites, reads, revokes, shares, transfers, deletes, isGone],
  stays,
];

/** Plays all of it. @param between what happens after every chapter. */
export async function playStory(stage: Stage, between: () => Promise<void>): Promise<void> {
  const cast: Cast = {
    ...{ stage, domainId: '', accessKey: '', views: 0 },
    owner: new Person(stage, 'admin@example.org'),
    colleague: new Person(stage, 'grace@example.org'),
  };
  for (const [title, play] of CHAPTERS) {
    await play(cast).catch((error: unknown) => {
      throw new Error(`in '${title}', after ${stage.killCount} kills`, { cause: error });
    });
    await between();
  }
}

/** One view of a new visitor. */
function hitOf({ accessKey, views }: Cast): Wish {
  return {
    ...{ method: 'POST', path: 'hit', headers: { authorization: `Bearer ${accessKey}` } },
    body: {
      ...{ url: `https://${HOSTNAME}/p/${views % 5}`, ip: `10.4.0.${views + 1}` },
      user_agent: AGENT,
    },
  };
}

async function view(cast: Cast): Promise<void> {
  await cast.stage.ask(hitOf(cast));
  cast.views++;
}

/** All that were acknowledged, at whichever node. */
async function expectViews({ domainId, views }: Cast, person: Person): Promise<void> {
  const total = await person.get(`statistics/total?id=${domainId}&${range()}`);
  expect(total).toMatchObject({ views, visitors: views });
}

/** The owner pays for all views, also of what is no more (S-99). */
async function expectBilled({ colleague, views, domainId }: Cast): Promise<void> {
  const billed = await colleague.get<{ domain: DomainObject; page_views: number }[]>('billing');
  const site = billed.find(({ domain }) => domain.id === domainId);
  expect(site).toMatchObject({ page_views: views, domain: { hostname: HOSTNAME } });
}

function isMailed(stage: Stage, address: string): boolean {
  try {
    return stage.mailedToken(address) !== '';
  } catch {
    return false;
  }
}
