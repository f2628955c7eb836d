/**
 * What requests of the table are about: a domain in an organization, what belongs to them, and people
 * with every role; made straight in a registry, since making it over HTTP is what is tested.
 */
import { sha256Hex } from '../../../src/base/hash.ts';
import { created, draftNew } from '../../../src/control/descriptor/draft.ts';
import type { AnyRecord, Change } from '../../../src/control/descriptor/resource.ts';
import type { Registry } from '../../../src/control/registry/registry.ts';
import { RESOURCES } from '../../../src/control/resources/resources.ts';
import { CAPABLE, PEOPLE, type Person } from './people.ts';

const DAY_MS = 86_400_000;
const AREAS = ['statistics', 'domains', 'organizations', 'themes', 'billing'] as const;
const COLLECTING = ['hit', 'event', 'session'] as const;

/** What one person has to itself. */
export interface Own {
  readonly userId: string;
  readonly email: string;
  /** Somebody else. */
  readonly other: { readonly email: string };
  /** A domain that its owner wants to give to this person. */
  readonly offered: string;
  /** An invitation to a domain that this person does not see yet. */
  readonly invitation: string;
  /** A view of the domain that this person has made; of a stranger somebody else's. */
  readonly view: string;
  readonly theme: string;
  /** An account client. */
  readonly client: string;
  /** Its record on the domain; '' without one. */
  readonly membership: string;
}

/** Ids, unless said otherwise. */
export interface World {
  /** Another one in every world: part of names that have to be unique. */
  readonly number: number;
  readonly domain: string;
  readonly subdomain: string;
  readonly hostname: string;
  readonly customHostname: string;
  readonly identificationCode: string;
  readonly organization: string;
  /** Domains outside of the organization, by what those in it may do there: Admin, Viewer, nothing. */
  readonly loose: string;
  readonly watched: string;
  readonly unseen: string;
  /** On the domain. */
  readonly link: string;
  readonly alternative: string;
  readonly goal: string;
  readonly funnel: string;
  readonly report: string;
  readonly webhook: string;
  readonly annotation: string;
  readonly upload: string;
  readonly exportJob: string;
  readonly domainClient: string;
  readonly invitation: string;
  /** Made by somebody who does not ask. */
  readonly view: string;
  /** Members who do not ask: a Viewer and an Admin of the domain, a Viewer of the organization. */
  readonly guest: string;
  readonly coAdmin: string;
  readonly orgGuest: string;
  readonly orgInvitation: string;
  readonly orgTheme: string;
  /** Of somebody who does not ask. */
  readonly foreignClient: string;
  readonly foreignTheme: string;
  readonly own: Readonly<Record<Person, Own>>;
  /** Everybody of this world. */
  readonly users: readonly string[];
  readonly secrets: Secrets;
}

/** By what callers say who they are. */
interface Secrets {
  readonly accessKey: string;
  readonly code: string;
  readonly otherCode: string;
  /** Oauth clients by name: `domain r`, `owner w`, `stranger''s domain`. */
  readonly oauth: ReadonlyMap<string, { readonly clientId: string; readonly secret: string }>;
  /** What the cookie holds. */
  readonly cookies: ReadonlyMap<Person, string>;
}

let count = 0;

/** Of an export that is offered. */
const EXPORTED = {
  state: 'done',
  files: [{ name: 'manifest.json', bytes: 3, sha256: ''.padEnd(64, '0') }],
};

/** Makes one. @param lacking the areas that clients like `owner lacking` have no scope for. */
export async function makeWorld(
  registry: Registry,
  nowMs: number,
  lacking: readonly string[] = [],
): Promise<World> {
  const number = ++count;
  let world: World | undefined;
  await registry.change({ nowMs, by: { kind: 'cli', id: '' } }, (view) => {
    const filling = new Filling(number, { view, nowMs });
    world = filling.fill(lacking);
    return filling.changes;
  });
  return world as World;
}

type Sent = Readonly<Record<string, unknown>>;
type At = Pick<Parameters<typeof draftNew>[1], 'view' | 'nowMs'>;

/** The drafts of one world, in the order in which one needs the other. */
class Filling {
  readonly changes: Change[] = [];
  readonly #number: number;
  readonly #at: At;
  readonly #oauth = new Map<string, { clientId: string; secret: string }>();
  readonly #cookies = new Map<Person, string>();

  constructor(number: number, at: At) {
    this.#number = number;
    this.#at = at;
  }

  /** @param userId who makes it. @param fields what no request carries. @returns its id; '' when there is no such resource. */
  #make(name: string, userId: string, sent: Sent, fields: Sent = {}): string {
    return this.#draft(name, userId, sent, fields).id;
  }

  #draft(name: string, userId: string, sent: Sent, fields: Sent = {}) {
    const resource = RESOURCES.find((one) => one.name === name);
    if (resource === undefined) return { id: '', record: {} as AnyRecord, revealed: {} };
    const { record, revealed } = draftNew(resource, { ...this.#at, userId, sent });
    const made = { ...record, ...fields } as AnyRecord;
    this.changes.push(created(resource, made));
    return { id: made.id, record: made, revealed };
  }

  #user(name: string): string {
    const email = this.#email(name);
    return this.#make('user', '', { email, name }, { email });
  }

  #email(name: string): string {
    return `${name.toLowerCase()}-${this.#number}@example.org`;
  }

  #domain(name: string, userId: string, fields: Sent = {}): string {
    const subdomain = `${name}-${this.#number}`;
    const sent = { hostname: `${name}.test`, subdomain, timezone: 'UTC' };
    return this.#make('domain', userId, sent, fields);
  }

  #member(userId: string, place: Sent, role: 'Admin' | 'Viewer'): string {
    const [[wire, id] = ['', '']] = Object.entries(place);
    const fields = { domainId: null, organizationId: null, userId, role };
    const named = wire === 'domain_id' ? { domainId: id } : { organizationId: id };
    return this.#make(
      'member',
      userId,
      { ...place, user_id: userId, role },
      { ...fields, ...named },
    );
  }

  #invitation(email: string, place: Sent): string {
    const [[wire, id] = ['', '']] = Object.entries(place);
    const named = wire === 'domain_id' ? { domainId: id } : { organizationId: id };
    const fields = { domainId: null, organizationId: null, email, ...named };
    return this.#make('invitation', '', { ...place, email }, fields);
  }

  /** An oauth client. @param lacking areas that it has no scope for. */
  #client(
    name: string,
    userId: string,
    { domainId = '', scope = '', lacking = [] }: ClientWish,
  ): string {
    const areas = domainId === '' ? AREAS : AREAS.slice(0, 2);
    const collecting = scope === 'w' ? 'w' : '';
    const scopes = [
      ...areas.map((area) => [area, lacking.includes(area) ? '' : scope]),
      ...COLLECTING.map((area) => [area, lacking.includes(area) ? '' : collecting]),
    ].map(([area, right]) => [`scope_${area}`, right]);
    const sent = { type: 'oauth', domain_id: domainId, ...Object.fromEntries(scopes) };
    const { id, record, revealed } = this.#draft('client', userId, sent);
    const clientId = String(record['clientId']);
    this.#oauth.set(name, { clientId, secret: revealed['client_secret'] ?? '' });
    return id;
  }

  #session(person: Person, userId: string): void {
    const token = `${person}-${this.#number}`.padEnd(43, '-');
    const expires_ms = this.#at.nowMs + 30 * DAY_MS;
    this.#make('session', userId, { token_hash: sha256Hex(token), expires_ms });
    this.#cookies.set(person, token);
  }

  fill(lacking: readonly string[]): World {
    const users = Object.fromEntries(
      PEOPLE.map((person) => [person, this.#user(person)]),
    ) as Record<Person, string>;
    const [keeper, guest, coAdmin] = ['keeper', 'guest', 'co-admin'].map((name) =>
      this.#user(name),
    ) as [string, string, string];
    const organization = this.#make('organization', users.orgOwner, { name: 'Works' });
    const customHostname = `stats-${this.#number}.site.test`;
    const identificationCode = `code${this.#number}`.padEnd(32, 'x');
    const domain = this.#domain('site', users.owner, {
      ...{ organizationId: organization, customDomain: customHostname, identificationCode },
    });
    const strange = this.#domain('strange', users.stranger);
    const outside = this.#outside(users, keeper);
    const memberships = this.#memberships(users, { domain, organization });
    const onDomain = this.#onDomain({ keeper, domain, owner: users.owner });
    this.#clients(users, { domain, strange, lacking });
    for (const person of PEOPLE) this.#session(person, users[person]);
    const accessKey = this.#draft('client', users.owner, {
      ...{ type: 'token', domain_id: domain },
      ...{ scope_hit: 'w', scope_event: 'w', scope_session: 'w' },
    }).revealed['client_secret'];
    const code = this.#draft('link', users.owner, { domain_id: domain, description: '' });
    const other = this.#draft('link', users.stranger, { domain_id: strange, description: '' });
    return {
      ...{ number: this.#number, domain, organization, customHostname, ...outside },
      identificationCode,
      ...{ subdomain: `site-${this.#number}`, hostname: 'site.test', link: code.id, ...onDomain },
      guest: this.#member(guest, { domain_id: domain }, 'Viewer'),
      coAdmin: this.#member(coAdmin, { domain_id: domain }, 'Admin'),
      orgGuest: this.#member(guest, { organization_id: organization }, 'Viewer'),
      orgInvitation: this.#invitation(this.#email('late'), { organization_id: organization }),
      orgTheme: this.#theme(users.orgOwner, { organization_id: organization }),
      foreignClient: this.#client('foreign', keeper, { scope: 'r' }),
      foreignTheme: this.#theme(keeper),
      users: [...Object.values(users), keeper, guest, coAdmin],
      own: this.#own(users, { keeper, domain, memberships, view: onDomain.view }),
      secrets: {
        accessKey: accessKey ?? '',
        code: String(code.record['code']),
        otherCode: String(other.record['code']),
        ...{ oauth: this.#oauth, cookies: this.#cookies },
      },
    };
  }

  #view(userId: string, domain_id: string): string {
    const range = { from: '2026-11-01', to: '2026-11-02' };
    return this.#make('view', userId, { domain_id, name: 'View', ...range });
  }

  #theme(userId: string, owner: Sent = {}): string {
    const sent = { name: 'Plain', settings: { color: '#000000' }, ...owner };
    return this.#make('theme', userId, sent);
  }

  /** Domains that are not in the organization. */
  #outside(users: Readonly<Record<Person, string>>, keeper: string) {
    const loose = this.#domain('loose', users.owner);
    const watched = this.#domain('watched', keeper);
    for (const person of ['admin', 'orgOwner', 'orgAdmin', 'orgViewer'] as const) {
      this.#member(users[person], { domain_id: loose }, 'Admin');
      if (person !== 'admin') this.#member(users[person], { domain_id: watched }, 'Viewer');
    }
    return { loose, watched, unseen: this.#domain('unseen', keeper) };
  }

  #memberships(
    users: Readonly<Record<Person, string>>,
    { domain, organization }: { domain: string; organization: string },
  ): Partial<Record<Person, string>> {
    this.#member(users.orgAdmin, { organization_id: organization }, 'Admin');
    this.#member(users.orgViewer, { organization_id: organization }, 'Viewer');
    return {
      admin: this.#member(users.admin, { domain_id: domain }, 'Admin'),
      viewer: this.#member(users.viewer, { domain_id: domain }, 'Viewer'),
    };
  }

  #onDomain({ keeper, domain, owner }: { keeper: string; domain: string; owner: string }) {
    const domain_id = domain;
    const steps = ['/a', '/b'].map((path) => ({ name: path, filter: { path: [path] } }));
    return {
      goal: this.#make('goal', owner, { domain_id, name: 'Goal', path_pattern: '/a' }),
      funnel: this.#make('funnel', owner, { domain_id, name: 'Funnel', steps }),
      alternative: this.#make('alternative', owner, { domain_id, hostname: 'a.shop.test' }),
      report: this.#make('report', owner, {
        ...{ domain_id, email: 'r@example.org', emails: ['r@example.org'] },
        ...{ interval: 1, link_to: '' },
      }),
      webhook: this.#make('webhook', owner, {
        ...{ domain_id, description: '', event: 'sold', endpoint: 'https://hooks.example.org/' },
      }),
      annotation: this.#make('annotation', owner, {
        ...{ domain_id, time: '2026-11-20T12:00:00Z', text: 'Sent' },
      }),
      upload: this.#make('upload', owner, { domain_id }, { expiresMs: this.#at.nowMs + DAY_MS }),
      exportJob: this.#make('export', owner, { domain_id }, EXPORTED),
      importJob: this.#make('import', owner, { domain_id }, { state: 'done' }),
      domainClient: this.#client('of the domain', owner, { domainId: domain, scope: 'r' }),
      invitation: this.#invitation(this.#email('late'), { domain_id }),
      view: this.#view(keeper, domain),
    };
  }

  #clients(
    users: Readonly<Record<Person, string>>,
    { domain, strange, lacking }: { domain: string; strange: string; lacking: readonly string[] },
  ): void {
    for (const scope of ['', 'r', 'w'] as const) {
      this.#client(`domain ${scope}`, users.owner, { domainId: domain, scope });
    }
    this.#client('other domain w', users.stranger, { domainId: strange, scope: 'w' });
    this.#client('owner ', users.owner, {});
    for (const person of CAPABLE) {
      this.#client(`${person} lacking`, users[person], { scope: 'w', lacking });
    }
    for (const person of PEOPLE) {
      for (const scope of ['r', 'w'] as const) {
        this.#client(`${person} ${scope}`, users[person], { scope });
      }
    }
  }

  #own(
    users: Readonly<Record<Person, string>>,
    given: {
      readonly keeper: string;
      readonly domain: string;
      readonly memberships: Partial<Record<Person, string>>;
      readonly view: string;
    },
  ): Record<Person, Own> {
    const { keeper, domain, memberships, view } = given;
    const ownOf = (person: Person): Own => {
      const userId = users[person];
      const name = person.toLowerCase();
      const email = this.#email(person);
      return {
        ...{ userId, email, other: { email: this.#email('keeper') } },
        offered: this.#domain(`offered-${name}`, keeper, { newOwner: email }),
        invitation: this.#invitation(email, {
          domain_id: this.#domain(`inviting-${name}`, keeper),
        }),
        view: person === 'stranger' ? view : this.#view(userId, domain),
        theme: this.#theme(userId),
        client: this.#client(`${person} own`, userId, { scope: 'r' }),
        membership: memberships[person] ?? '',
      };
    };
    return Object.fromEntries(PEOPLE.map((person) => [person, ownOf(person)])) as Record<
      Person,
      Own
    >;
  }
}

interface ClientWish {
  readonly domainId?: string;
  readonly scope?: '' | 'r' | 'w';
  readonly lacking?: readonly string[];
}

/** Who asks stays who it is. */
const STAYS = new Set(['secrets', 'other', 'email', 'userId', 'users']);

/** The same with ids and names of nothing, each as long as what it stands for. */
export function ghostOf(world: World, keys: readonly string[] = Object.keys(world)): World {
  const ghost = (value: unknown, key = ''): unknown => {
    if (STAYS.has(key)) return value;
    if (typeof value === 'string') return ghostText(value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => [name, ghost(held, name)]),
    );
  };
  const ghosts = keys.map((key) => [key, ghost(world[key as keyof World], key)]);
  return { ...world, ...Object.fromEntries(ghosts) } as World;
}

/** `abc123` → `zbc123`: the same kind of name, of nothing. */
function ghostText(text: string): string {
  if (text === '') return '';
  const first = text.startsWith('z') ? 'y' : 'z';
  return first + text.slice(1);
}
