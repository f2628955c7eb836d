/** What is made, changed and removed in each list of the settings of a site, and what is wrong at first. */
import type { Rec } from './settings-support.ts';

/** A kind of record: what is typed, what is wrong at first, what it is changed to. */
export interface Kind {
  readonly part: string;
  readonly list: (id: string) => string;
  /** Typed at first, and refused: the label that the fault stands beside. */
  readonly bad: readonly [label: string, value: string];
  readonly good: readonly (readonly [label: string, value: string])[];
  /** What the row and the record say then. */
  readonly told: string;
  readonly made: Rec;
  readonly change: readonly [label: string, value: string] | null;
  readonly toldThen: string;
  readonly changed: Rec;
}

export const KINDS: readonly Kind[] = [
  {
    part: 'goals',
    list: (id) => `goal?id=${id}`,
    bad: ['Pattern', '^('],
    good: [
      ['Name', 'Prices'],
      ['Pattern', '/prices'],
      ['Visitors to reach', '20'],
    ],
    told: 'Prices',
    made: { name: 'Prices', path_pattern: '/prices', visitor_goal: 20 },
    change: ['Name', 'Price list'],
    toldThen: 'Price list',
    changed: { name: 'Price list', path_pattern: '/prices', visitor_goal: 20 },
  },
  {
    part: 'links',
    list: (id) => `domain/link?domain_id=${id}`,
    bad: ['Description', 'x'.repeat(501)],
    good: [['Description', 'For the board']],
    told: 'For the board',
    made: { description: 'For the board' },
    change: ['Description', 'For the press'],
    toldThen: 'For the press',
    changed: { description: 'For the press' },
  },
  {
    part: 'alternatives',
    list: (id) => `domain/alternative?domain_id=${id}`,
    bad: ['Hostname', 'shop.example'],
    good: [['Hostname', '*.shop.example']],
    told: '*.shop.example',
    made: { hostname: '*.shop.example' },
    change: ['Hostname', 'm.shop.example'],
    toldThen: 'm.shop.example',
    changed: { hostname: 'm.shop.example' },
  },
  {
    part: 'webhooks',
    list: (id) => `webhook?domain_id=${id}`,
    bad: ['Address', 'http://127.0.0.1/hook'],
    good: [
      ['Event', 'order'],
      ['Address', 'https://hooks.example.org/order'],
    ],
    told: 'https://hooks.example.org/order',
    made: { event: 'order', endpoint: 'https://hooks.example.org/order' },
    change: ['Event', 'order paid'],
    toldThen: 'order paid',
    changed: { event: 'order paid', endpoint: 'https://hooks.example.org/order' },
  },
  {
    part: 'reports',
    list: (id) => `report?id=${id}`,
    bad: ['E-mail addresses, one a line', 'boss@example.org\nnobody'],
    good: [
      ['E-mail addresses, one a line', 'boss@example.org'],
      ['Every so many weeks', '1'],
    ],
    told: 'boss@example.org',
    made: { email: 'boss@example.org', interval: 1 },
    change: ['Every so many weeks', '4'],
    toldThen: 'Every 4 weeks',
    changed: { email: 'boss@example.org', interval: 4 },
  },
  {
    part: 'clients',
    list: (id) => `client?id=${id}`,
    bad: ['Description', 'x'.repeat(501)],
    good: [['Description', 'Reader']],
    told: 'Reader',
    made: { description: 'Reader', scope_statistics: 'r', scope_domains: '' },
    change: ['Description', 'Writer'],
    toldThen: 'Writer',
    changed: { description: 'Writer', scope_statistics: 'r' },
  },
];
