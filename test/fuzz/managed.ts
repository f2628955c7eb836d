/**
 * Good requests to what is managed: rows of the table of callers and endpoints (`test/edge/callers`),
 * sent by any of its callers, each in a world of its own.
 *
 * Worlds are made straight in the registry, as the command line would, while the service runs; the
 * oldest goes when a new one comes. So what is asked for is there, and the registry does not grow.
 */
import { must } from '../../src/base/assert.ts';
import { Access } from '../../src/control/access.ts';
import { removalOf } from '../../src/control/registry/changes.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { RESOURCES } from '../../src/control/resources/resources.ts';
import { user } from '../../src/control/resources/user.ts';
import { CALLERS } from '../edge/callers/callers.ts';
import { DOMAIN_ROWS } from '../edge/callers/rows-domains.ts';
import { OPEN_ROWS } from '../edge/callers/rows-open.ts';
import { ORGANIZATION_ROWS } from '../edge/callers/rows-organizations.ts';
import { PEOPLE_ROWS } from '../edge/callers/rows-people.ts';
import { RECORD_ROWS } from '../edge/callers/rows-records.ts';
import { ghostOf, makeWorld, type World } from '../edge/callers/world.ts';
import type { Stream } from '../torture/random.ts';
import type { Draft } from './draft.ts';

/** Each has some thirty callers, who may change something 60 times a minute (M-90). */
const WORLD_COUNT = 60;
/** Callers who are mostly refused before anything is read are asked for less often. */
const REFUSED_SHARE = 0.15;

const ROWS = [
  ...[...DOMAIN_ROWS, ...RECORD_ROWS, ...PEOPLE_ROWS, ...ORGANIZATION_ROWS],
  // The state of the process is asked for elsewhere, and pages are no JSON.
  ...OPEN_ROWS.filter(({ at }) => !at.startsWith('GET /')),
];
const CAPABLE = CALLERS.filter(({ name }) => /, w$|signed in$|code of/.test(name));
/** What leaves nothing to ask for. */
const ENDS_WORLD = /^DELETE (domain|user|organization)$/;

/** Records of each resource that has any. */
export type RecordCounts = readonly (readonly [table: string, count: number])[];

/** The worlds of one run. */
export class ManagedWorlds {
  readonly #registry: Registry;
  readonly #access: Access;
  readonly #origin: string;
  readonly #worlds: World[] = [];
  readonly #tokens = new WeakMap<World, Map<string, string>>();

  private constructor(registry: Registry, origin: string) {
    this.#registry = registry;
    this.#access = new Access(registry);
    this.#origin = origin;
  }

  /** @param dataDir of the service, which may run. */
  static async open(dataDir: string, baseUrl: string): Promise<ManagedWorlds> {
    const worlds = new ManagedWorlds(Registry.open(dataDir, Date.now()), baseUrl);
    while (worlds.#worlds.length < WORLD_COUNT) await worlds.#add();
    return worlds;
  }

  /** A new world takes the place of the oldest. */
  async renew(): Promise<void> {
    const gone = must(this.#worlds.shift(), 'there are worlds');
    await this.#add();
    const nowMs = Date.now();
    await this.#registry.change({ nowMs, by: { kind: 'cli', id: '' } }, (view) => {
      const there = gone.users.filter((id) => view.has(user.name, id));
      return removalOf(
        there.map((id) => ({ resource: user, id })),
        view,
        nowMs,
      );
    });
  }

  /** How many records there are of each resource, the most first. */
  records(): RecordCounts {
    this.#registry.refresh();
    const { view } = this.#registry;
    return RESOURCES.map((resource): [string, number] => [resource.table, view.count(resource)])
      .filter(([, count]) => count > 0)
      .toSorted(([, left], [, right]) => right - left);
  }

  async close(): Promise<void> {
    await this.#registry.close();
  }

  /** A request that one of the callers may well send; now and then about what is another's or nothing. */
  draft(random: Stream): Draft {
    const row = this.#row(random);
    const caller = random.pick(random.chance(REFUSED_SHARE) ? CALLERS : CAPABLE);
    const world = random.pick(this.#worlds);
    const named = random.weighted<() => World>([
      [17, () => world],
      [2, () => random.pick(this.#worlds)],
      [1, () => ghostOf(world)],
    ])();
    const own = named.own[caller.personOf(row)];
    const tokens = { expired: 'expired', revoked: 'revoked', pageToken: 'none' };
    const tokenOf = (name: string) => this.#token(world, name);
    const signed = caller.sign({ ...tokens, world, origin: this.#origin, tokenOf }, row);
    const [method = '', path = ''] = row.at.split(' ');
    return {
      method,
      path: (path.startsWith('/') ? path : `/api/v1/${path}`).replace('{id}', 'f'.repeat(64)),
      query: Object.entries({ ...row.query?.(named, own), ...signed.query }),
      body: structuredClone(row.body?.(named, own)),
      form: row.form?.(named, own).map((part) => ({ ...part })),
      bearer: signed.headers['authorization']?.replace('Bearer ', '') ?? '',
      headers: [
        ...Object.entries(signed.headers).filter(([name]) => name !== 'authorization'),
        // Callers without a name are counted by their address.
        ['x-forwarded-for', `81.${random.whole(0, 255)}.${random.whole(0, 255)}.1`],
      ],
    };
  }

  #row(random: Stream) {
    const row = random.pick(ROWS);
    return ENDS_WORLD.test(row.at) && random.chance(0.9) ? random.pick(ROWS) : row;
  }

  async #add(): Promise<void> {
    this.#worlds.push(await makeWorld(this.#registry, Date.now()));
  }

  #token(world: World, name: string): string {
    const known = this.#tokens.get(world) ?? new Map<string, string>();
    this.#tokens.set(world, known);
    const { clientId, secret } = must(world.secrets.oauth.get(name), 'callers have clients');
    const token =
      known.get(name) ?? this.#access.issueToken(clientId, secret, Date.now())?.accessToken ?? '';
    known.set(name, token);
    return token;
  }
}
