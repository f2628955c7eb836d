// Goal: what belongs to a domain goes with it, in the same record, and nothing of another one (M-11).
// Method: everything is made on two domains over HTTP; one of them is removed.
import { expect, test } from 'vitest';
import type { Resource } from '../../../src/control/descriptor/resource.ts';
import { Records } from '../../../src/control/records.ts';
import { alternative } from '../../../src/control/resources/alternative.ts';
import { annotation } from '../../../src/control/resources/annotation.ts';
import { domain } from '../../../src/control/resources/domain.ts';
import { goal } from '../../../src/control/resources/goal.ts';
import { link } from '../../../src/control/resources/link.ts';
import { report } from '../../../src/control/resources/report.ts';
import { snippet } from '../../../src/control/resources/snippet.ts';
import { view } from '../../../src/control/resources/view.ts';
import { webhook } from '../../../src/control/resources/webhook.ts';
import { useRegistryEdge } from '../registry-edge.ts';

const edge = useRegistryEdge();

const CHILDREN: readonly (readonly [string, object])[] = [
  ['domain/link', {}],
  ['domain/alternative', { hostname: 'shop.test' }],
  ['domain/snippet', { type: 'event' }],
  ['goal', { name: 'g', path_pattern: '/' }],
  ['view', { name: 'v', from: '2026-11-01', to: '2026-11-02' }],
  ['report', { emails: ['ada@example.org'], interval: 0 }],
  ['annotation', { time: '2026-11-20T12:00:00Z', text: 'Sent' }],
  ['webhook', { event: 'e', endpoint: 'https://hooks.test/' }],
];

test('what belongs to a domain goes with it, and nothing of another one (M-11)', async () => {
  for (const domain_id of [edge.own.id, edge.own.second]) {
    for (const [path, fields] of CHILDREN) {
      const body = { domain_id, ...fields };
      expect((await edge.send('POST', path, body, edge.bearers.account)).status, path).toBe(200);
    }
  }
  const { registry } = edge;
  const before = registry.sequence;
  const by = { kind: 'cli', id: '' } as const;
  await new Records(registry).remove(domain, edge.own.id, { nowMs: edge.nowMs, by });
  expect(registry.sequence).toBe(before + 1);
  for (const kind of [link, alternative, snippet, goal, view, annotation, report, webhook]) {
    const left = [...registry.view.all(kind as Resource)];
    expect(left, kind.name).toMatchObject([{ domainId: edge.own.second }]);
  }
});
