// Goal: who sees a domain but has too small a role on it is told so, and changes nothing (M-3, M-4).
// Method: an edge over fake ports whose domain client has the role at hand.
import { expect, test } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import { isRoleEnough, ROLES } from '../../src/model/rights.ts';
import { useEdge } from './edge.ts';

const edge = useEdge();
const RANGE = 'id=domain-1&from=2026-11-01&to=2026-11-02';

test.each([
  ['Viewer', 403],
  ['Admin', 200],
  ['Owner', 200],
] as const)('a %s who deletes statistics is answered %d', async (role, status) => {
  edge.fake.role = role;
  const response = await fetch(`${edge.baseUrl}/api/v1/statistics?${RANGE}`, {
    method: 'DELETE',
    headers: { authorization: 'Bearer domain-token' },
  });
  expect(response.status).toBe(status);
  expect(edge.fake.erased).toHaveLength(status === 200 ? 1 : 0);
  if (status === 403) expect(await response.text()).toContain('the role Admin on this domain');
});

test('a Viewer reads statistics', async () => {
  edge.fake.role = 'Viewer';
  expect((await edge.get(`/api/v1/statistics/total?${RANGE}`)).status).toBe(200);
});

test('every role has all rights of those below it, and nobody has none', () => {
  for (const [held, role] of ROLES.entries()) {
    for (const [needed, other] of ROLES.entries()) {
      expect(isRoleEnough(role, other)).toBe(held >= needed);
      expect(isRoleEnough(null, other)).toBe(false);
    }
  }
});

test('whatever changes something needs more than a Viewer (M-3)', () => {
  // A Viewer may save views of its own: test/edge/view.test.ts.
  const changes = endpoints.filter(
    ({ method, path, auth, isReading }) =>
      method !== 'GET' && isReading !== true && auth?.role != null && path !== '/api/v1/view',
  );
  expect(changes.length).toBeGreaterThan(4);
  for (const { auth } of changes) expect(isRoleEnough('Viewer', auth?.role ?? 'Owner')).toBe(false);
});
