// Goal: the tables of endpoints say what the contract says, and no two rows fight for a request.
// Method: read the assembled list as data.

import { expect, test } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import type { Viewing } from '../../src/control/descriptor/resource.ts';
import { toWire } from '../../src/control/descriptor/wire.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import { makeDomain, NO_RECORDS } from '../support/fake-ports.ts';

const byName = new Map(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
);

test('no two endpoints have the same method and path', () => {
  expect(byName.size).toBe(endpoints.length);
});

test('every path begins with /api/v1, but for what pages send and load, the pages and the two that watch the process', () => {
  const outside = endpoints.map(({ path }) => path).filter((path) => !path.startsWith('/api/v1/'));
  expect(outside).toEqual([
    ...['/hit', '/hit', '/hit.gif', '/event', '/session'],
    ...['/livez', '/readyz', '/api/v1', '/', '/{subdomain}', '/assets/{name}'],
    ...['/credits', '/icons/{id}', '/docs', '/reset', '/activate'],
    ...['/js/footfall.js', '/js/footfall-extended.js', '/js/{code}'],
  ]);
});

test('access keys open the six collection endpoints and nothing else (A-17)', () => {
  const open = endpoints
    .filter(({ auth }) => auth?.callers.includes('key'))
    .map(({ path }) => path);
  expect(open.toSorted()).toEqual([
    '/api/v1/event',
    '/api/v1/event/batch',
    '/api/v1/hit',
    '/api/v1/hit/batch',
    '/api/v1/session',
    '/api/v1/session/batch',
  ]);
});

test.each([
  ['POST /api/v1/hit', 'hit', 'w'],
  ['POST /api/v1/hit/batch', 'hit', 'w'],
  ['POST /api/v1/event', 'event', 'w'],
  ['POST /api/v1/event/batch', 'event', 'w'],
  ['POST /api/v1/session', 'session', 'w'],
  ['POST /api/v1/session/batch', 'session', 'w'],
  ['POST /api/v1/goal', 'domains', 'w'],
  ['POST /api/v1/funnel', 'domains', 'w'],
  ['PUT /api/v1/funnel', 'domains', 'w'],
  ['DELETE /api/v1/funnel', 'domains', 'w'],
  ['GET /api/v1/statistics/goals', 'statistics', 'r'],
  ['GET /api/v1/statistics/funnel', 'statistics', 'r'],
  ['GET /api/v1/statistics/total', 'statistics', 'r'],
  ['DELETE /api/v1/statistics', 'domains', 'w'],
])('%s needs the scope %s=%s (A-18)', (name, area, right) => {
  expect(byName.get(name)?.auth?.scopes).toEqual([{ area, right }]);
});

test.each(['domain', 'goal', 'funnel'])(
  'GET %s is for whoever reads domains or statistics (M-3)',
  (path) => {
    expect(byName.get(`GET /api/v1/${path}`)?.auth?.scopes).toEqual([
      { area: 'domains', right: 'r' },
      { area: 'statistics', right: 'r' },
    ]);
  },
);

test('the only endpoints without credentials are those of pages, those that give some, the document, the root and the health checks', () => {
  const open = endpoints.filter(({ auth }) => auth === null).map(({ path }) => path);
  expect(open.toSorted()).toEqual([
    ...['/', '/activate', '/api/v1', '/api/v1/access', '/api/v1/login', '/api/v1/openapi.json'],
    ...['/api/v1/password/forgot', '/api/v1/password/reset', '/api/v1/theme/file/{id}'],

    ...[
      '/api/v1/token',
      '/api/v1/unsubscribe',
      '/api/v1/unsubscribe',
      '/assets/{name}',
      '/credits',
      '/docs',
      '/event',
      '/hit',
      '/hit',
      '/hit.gif',
    ],
    ...['/icons/{id}', '/js/footfall-extended.js', '/js/footfall.js', '/js/{code}', '/livez'],
    ...['/readyz', '/reset', '/session', '/{subdomain}'],
  ]);
});

test('every statistic of the table has its endpoint', () => {
  for (const { name } of STATISTICS)
    expect(byName.has(`GET /api/v1/statistics/${name}`)).toBe(true);
});

test('whatever is sent to be made or changed has a body with a limit', () => {
  const otherwise = endpoints.filter(
    ({ method, body }) => (body !== null) !== (method === 'POST' || method === 'PUT'),
  );
  expect(otherwise.map(({ method, path }) => `${method} ${path}`)).toEqual([
    // What they say stands in the address.
    ...['POST /hit', 'POST /session'],
    ...['POST /api/v1/user/active', 'POST /api/v1/user/fullwidth'],
    // Its body is a mail program's (RFC 8058).
    'POST /api/v1/unsubscribe',
    ...['POST /api/v1/logout', 'POST /api/v1/logout/all', 'POST /api/v1/user/totp'],
    'DELETE /api/v1/user/totp',
  ]);
});

test('a domain on the wire has every field of the contract, timestamps with fraction and Z', () => {
  const viewing: Viewing = { view: NO_RECORDS, userId: '', roleOn: () => 'Viewer' };
  const wire = toWire(domain, makeDomain({ id: 'd', hostname: 'example.org' }), viewing);
  // Extensions are left out until they are used.
  const shape = JSON.parse(JSON.stringify(wire)) as Record<string, unknown>;
  expect(Object.keys(shape).toSorted()).toEqual(
    [
      ['id', 'def_time', 'mod_time', 'user_id', 'organization_id', 'hostname', 'subdomain'],
      ['identification_code', 'public', 'external_user_id', 'external_user_email'],
      ['external_search_domain', 'new_owner', 'timezone', 'group_by_title'],
      ['active_visitors_seconds', 'disable_scripts', 'statistics_start', 'imported_statistics'],
      ['metadata', 'theme_id', 'theme', 'custom_domain', 'user_role', 'settings'],
      ['theme_settings', 'display_name', 'subscription_active'],
    ]
      .flat()
      .toSorted(),
  );
  expect(shape['def_time']).toBe('2026-11-20T11:59:59.000Z');
});
