/**
 * Everything that can happen to the registry: one row each with its rule and its effect.
 *
 * Control plane. A rule is checked before the record is appended, against the state it will apply
 * to; an effect is pure, because every node and every later start applies the same record again.
 * Ids, secrets and times are therefore in the payload. A new kind of change is a new row.
 */

import type { Client, Domain, Funnel, Goal, User } from '../../model/entities.ts';
import { errors } from '../../model/errors.ts';
import { DOMAIN_FUNNEL_COUNT_MAX, DOMAIN_GOAL_COUNT_MAX } from '../../model/limits.ts';
import { funnelFaults, goalFaults } from '../conversion-rules.ts';
import {
  emailFault,
  hostnameFault,
  nameFault,
  subdomainFault,
  timezoneFault,
} from '../field-rules.ts';
import type { EntityChange, RegistryView, Secrets } from './view.ts';

/** What each kind carries. */
export interface ChangePayloads {
  'secrets-created': Secrets;
  'user-created': User;
  'domain-created': Domain;
  'client-created': Client;
  'client-deleted': { readonly id: string };
  'goal-created': Goal;
  'funnel-created': Funnel;
  'funnel-changed': Funnel;
  'funnel-deleted': { readonly id: string };
}

export type ChangeKind = keyof ChangePayloads;

/** One change as it stands in a record. */
export type Change = {
  [Kind in ChangeKind]: { readonly kind: Kind; readonly payload: ChangePayloads[Kind] };
}[ChangeKind];

interface ChangeRow<Payload> {
  /** What is wrong with it, by field; null: nothing. */
  readonly faults: (payload: Payload, view: RegistryView) => Faults;
  readonly effect: (payload: Payload) => EntityChange;
}

/** Field → what to change; '' where nothing is wrong. */
type Faults = Readonly<Record<string, string>>;

const CHANGES: { readonly [Kind in ChangeKind]: ChangeRow<ChangePayloads[Kind]> } = {
  'secrets-created': {
    faults: (_, view) => ({ secrets: view.secrets === null ? '' : 'are made only once' }),
    effect: (secrets) => ({ table: 'secrets', id: secrets.id, value: secrets }),
  },
  'user-created': {
    faults: (user, view) => ({
      email:
        emailFault(user.email) ||
        (view.userByEmail(user.email) === null ? '' : `'${user.email}' already has an account`),
      name: nameFault(user.fullName),
    }),
    effect: (user) => ({ table: 'users', id: user.id, value: user }),
  },
  'domain-created': {
    faults: (domain, view) => ({
      user_id: view.user(domain.userId) === null ? `no user has the id '${domain.userId}'` : '',
      hostname: hostnameFault(domain.hostname),
      timezone: timezoneFault(domain.timezone),
      subdomain:
        subdomainFault(domain.subdomain) ||
        (view.domainBySubdomain(domain.subdomain) === null
          ? ''
          : `'${domain.subdomain}' is taken; choose another`),
    }),
    effect: (domain) => ({ table: 'domains', id: domain.id, value: domain }),
  },
  'client-created': {
    faults: (client, view) => ({
      user_id: view.user(client.userId) === null ? `no user has the id '${client.userId}'` : '',
      domain_id: client.domainId === null ? '' : unknownDomain(client.domainId, view),
    }),
    effect: (client) => ({ table: 'clients', id: client.id, value: client }),
  },
  'client-deleted': {
    faults: ({ id }, view) => ({
      id: view.client(id) === null ? `no client has the id '${id}'` : '',
    }),
    effect: ({ id }) => ({ table: 'clients', id, value: null }),
  },
  'goal-created': {
    faults: (goal, view) => ({
      domain_id:
        unknownDomain(goal.domainId, view) ||
        crowdFault(view.goalsOfDomain(goal.domainId), DOMAIN_GOAL_COUNT_MAX, 'goals'),
      ...goalFaults(goal),
    }),
    effect: (goal) => ({ table: 'goals', id: goal.id, value: goal }),
  },
  'funnel-created': {
    faults: (funnel, view) => ({
      domain_id:
        unknownDomain(funnel.domainId, view) ||
        crowdFault(view.funnelsOfDomain(funnel.domainId), DOMAIN_FUNNEL_COUNT_MAX, 'funnels'),
      ...funnelFaults(funnel),
    }),
    effect: (funnel) => ({ table: 'funnels', id: funnel.id, value: funnel }),
  },
  'funnel-changed': {
    faults: (funnel, view) => ({ id: unknownFunnel(funnel.id, view), ...funnelFaults(funnel) }),
    effect: (funnel) => ({ table: 'funnels', id: funnel.id, value: funnel }),
  },
  'funnel-deleted': {
    faults: ({ id }, view) => ({ id: unknownFunnel(id, view) }),
    effect: ({ id }) => ({ table: 'funnels', id, value: null }),
  },
};

function unknownDomain(id: string, view: RegistryView): string {
  return view.domain(id) === null ? `no domain has the id '${id}'` : '';
}

function unknownFunnel(id: string, view: RegistryView): string {
  return view.funnel(id) === null ? `no funnel has the id '${id}'` : '';
}

function crowdFault(present: readonly unknown[], countMax: number, what: string): string {
  return present.length < countMax ? '' : `has ${present.length} ${what}, and must not have more`;
}

/**
 * Checks a change against the state it will apply to.
 *
 * @throws VALIDATION_FAILED with every field that has to change.
 */
export function checkChange(change: Change, view: RegistryView): void {
  const faults = rowOf(change.kind).faults(change.payload, view);
  const validation = Object.fromEntries(Object.entries(faults).filter(([, text]) => text !== ''));
  if (Object.keys(validation).length > 0) throw errors.VALIDATION_FAILED({ validation });
}

/** What a checked change does. */
export function effectOf(change: Change): EntityChange {
  return rowOf(change.kind).effect(change.payload);
}

/** Whether this version knows a kind of change. */
export function isKnownKind(kind: string): kind is ChangeKind {
  return Object.hasOwn(CHANGES, kind);
}

/** Kind and payload of a `Change` belong together, which the compiler cannot follow here. */
function rowOf(kind: ChangeKind): ChangeRow<unknown> {
  return CHANGES[kind] as ChangeRow<unknown>;
}
