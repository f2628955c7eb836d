/**
 * What can be managed of a site as a list of records, a row each: how it is listed, made, changed and
 * removed, and which fields it has. One component reads this table (`record-list.tsx`).
 */
import type { Domain } from '../site/site-data.ts';
import type { WordKey } from '../words/words.ts';

/** How a field is entered. */
export type FieldKind =
  | 'text'
  | 'lines'
  | 'number'
  | 'email'
  | 'url'
  | 'choice'
  | 'switch'
  | 'filter';

/** One field of a form. */
export interface Field {
  /** As the interface calls it. */
  readonly name: string;
  readonly label: WordKey;
  readonly kind: FieldKind;
  readonly isRequired?: true;
  readonly hint?: WordKey;
  /** Of a choice: value → what it is called. */
  readonly choices?: readonly (readonly [string, WordKey])[];
  /** Only when it is made. */
  readonly isOnce?: true;
  /** What the request calls it, where a record calls it otherwise. */
  readonly shownAs?: string;
}

/** A record as the interface answers it. */
export type Rec = Readonly<Record<string, unknown>> & { readonly id: string };

/** One kind of record. */
export interface RecordKind {
  readonly key: string;
  readonly title: WordKey;
  readonly hint: WordKey;
  /** Below /api/v1/. */
  readonly path: string;
  /** What the list is asked by. */
  readonly listBy: 'id' | 'domain_id';
  /** What a new one names its domain by; null: by `id`. */
  readonly madeWith: 'id' | 'domain_id';
  readonly fields: readonly Field[];
  /** Null: none can be changed; POST: with its id. */
  readonly change: 'PUT' | 'POST' | null;
  /** What a record is told by. */
  readonly told: (record: Rec) => { readonly name: string; readonly more: string };
  /** What is shown once, when it was made. */
  readonly secrets?: readonly string[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const DOMAIN_ID = { listBy: 'domain_id', madeWith: 'domain_id' } as const;

/** The kinds, in the order of the page. */
export const RECORD_KINDS: readonly RecordKind[] = [
  {
    ...{ key: 'goals', title: 'goals', hint: 'goalsHint', path: 'goal' },
    ...{ listBy: 'id', madeWith: 'domain_id', change: 'PUT' },
    fields: [
      { name: 'name', label: 'name', kind: 'text', isRequired: true },
      { name: 'path_pattern', label: 'pattern', kind: 'text', hint: 'pathPatternHint' },
      { name: 'event_name', label: 'event', kind: 'text' },
      { name: 'event_meta_key', label: 'eventKey', kind: 'text' },
      { name: 'event_meta_value', label: 'value', kind: 'text' },
      { name: 'visitors', label: 'targetVisitors', kind: 'number', shownAs: 'visitor_goal' },
      { name: 'delete_reached', label: 'deleteReached', kind: 'switch' },
      { name: 'email_reached', label: 'emailReached', kind: 'switch' },
    ],
    told: (goal) => ({
      name: text(goal['name']),
      more: [text(goal['path_pattern']), text(goal['event_name'])].filter(Boolean).join(' · '),
    }),
  },
  {
    ...{ key: 'links', title: 'links', hint: 'linksHint', path: 'domain/link', change: 'PUT' },
    ...DOMAIN_ID,
    fields: [
      { name: 'description', label: 'description', kind: 'text' },
      { name: 'expires', label: 'linkEnd', kind: 'text', hint: 'linkEndHint' },
      { name: 'filter', label: 'linkFilter', kind: 'filter', hint: 'linkFilterHint' },
      { name: 'frame', label: 'linkFrame', kind: 'lines', hint: 'linkFrameHint' },
    ],
    told: (link) => ({
      name: text(link['description']) || text(link['code']),
      more: `?access=${text(link['code'])}`,
    }),
  },
  {
    ...{ key: 'members', title: 'members', hint: 'membersHint', path: 'member', change: 'PUT' },
    ...{ listBy: 'id', madeWith: 'id' },
    fields: [
      { name: 'emails', label: 'emails', kind: 'lines', isRequired: true, isOnce: true },
      {
        ...{ name: 'role', label: 'role', kind: 'choice' },
        choices: [
          ['Viewer', 'viewer'],
          ['Admin', 'admin'],
        ],
      },
    ],
    told: (member) => {
      const user = (member['user'] ?? {}) as Record<string, unknown>;
      return { name: text(user['full_name']) || text(user['email']), more: text(member['role']) };
    },
  },
  {
    ...{ key: 'clients', title: 'clients', hint: 'clientsHint', path: 'client', change: null },
    ...{ listBy: 'id', madeWith: 'domain_id' },
    fields: [
      { name: 'description', label: 'description', kind: 'text' },
      {
        ...{ name: 'type', label: 'kind', kind: 'choice' },
        choices: [
          ['oauth', 'oauthClient'],
          ['token', 'accessKey'],
        ],
      },
      ...(['hit', 'event', 'session', 'statistics', 'domains'] as const).map((area) => ({
        ...({ name: `scope_${area}`, label: `scope_${area}`, kind: 'choice' } as const),
        choices: [
          ['', 'none'],
          ['r', 'mayRead'],
          ['w', 'mayWrite'],
        ] as const,
      })),
    ],
    told: (client) => ({
      name: text(client['description']) || text(client['client_id']),
      more: text(client['client_id']),
    }),
    secrets: ['client_id', 'client_secret'],
  },
  {
    ...{ key: 'alternatives', title: 'alternatives', hint: 'alternativesHint' },
    ...{ path: 'domain/alternative', change: 'PUT', ...DOMAIN_ID },
    fields: [{ name: 'hostname', label: 'hostname', kind: 'text', isRequired: true }],
    told: (one) => ({ name: text(one['hostname']), more: '' }),
  },
  {
    ...{ key: 'webhooks', title: 'webhooks', hint: 'webhooksHint', path: 'webhook' },
    ...{ change: 'POST', ...DOMAIN_ID },
    fields: [
      { name: 'description', label: 'description', kind: 'text' },
      { name: 'event', label: 'event', kind: 'text', isRequired: true },
      { name: 'endpoint', label: 'endpoint', kind: 'url', isRequired: true },
    ],
    told: (one) => ({
      name: text(one['description']) || text(one['event']),
      more: text(one['endpoint']),
    }),
  },
  {
    ...{ key: 'reports', title: 'reports', hint: 'reportsHint', path: 'report' },
    ...{ listBy: 'id', madeWith: 'domain_id', change: 'PUT' },
    fields: [
      { name: 'emails', label: 'emails', kind: 'lines', isRequired: true, isOnce: true },
      { name: 'interval', label: 'weeks', kind: 'number', isRequired: true, hint: 'weeksHint' },
    ],
    told: (report) => ({ name: text(report['email']), more: String(report['interval']) }),
  },
  {
    ...{ key: 'views', title: 'savedViews', hint: 'savedViewsHint', path: 'view' },
    ...{ change: null, ...DOMAIN_ID },
    fields: [],
    told: (one) => ({ name: text(one['name']), more: '' }),
  },
];

/** Who may change a site sees its settings. */
export function maySet({ user_role: role }: Domain): boolean {
  return role !== 'Viewer';
}
