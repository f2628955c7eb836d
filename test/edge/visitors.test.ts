// Goal: whoever has the code of a link, or comes to a public dashboard, sees that one dashboard and
// nothing else, until the link goes or the dashboard is private again.
// Method: an edge over a real registry; records are made as their endpoints make them.
import { beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import type { Change } from '../../src/control/descriptor/resource.ts';
import { wireSchema } from '../../src/control/descriptor/wire.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { checkAnswer } from '../support/clients/answer-check.ts';
import { NOW_MS } from '../support/fake-ports.ts';
import type { Reply } from './edge.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();
const RANGE = 'from=2026-11-01&to=2026-11-02';
const CODE = 'c'.repeat(24);
const FOREIGN_CODE = 'f'.repeat(24);

const change = (kind: string, payload: object) =>
  edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => [
    { kind, payload } as Change,
  ]);
const makeLink = (code: string, domainId: string) => {
  const base = { createdMs: NOW_MS, modifiedMs: NOW_MS, description: '' };
  return change('link-created', { ...base, id: code.slice(0, 20), code, domainId });
};
const site = (id = edge.own.id) => edge.registry.view.find(domain, id) as Domain;
const changeSite = (fields: Partial<Domain>) => change('domain-changed', { ...site(), ...fields });

/** Without the header Authorization, unless a bearer is given. */
async function ask(path: string, init: { bearer?: string; body?: object } = {}) {
  const { bearer, body } = init;
  const method = body === undefined ? 'GET' : 'POST';
  const response = await fetch(`${edge.baseUrl}/api/v1/${path}`, {
    method,
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: Reply['json'] = await response.json();
  checkAnswer(method, `/api/v1/${path}`, response.status, json);
  return { status: response.status, json };
}

const visit = async (body: object) => (await ask('access', { body })).json.access_token as string;

beforeEach(async () => {
  await makeLink(CODE, edge.own.id);
  await makeLink(FOREIGN_CODE, edge.foreign.id);
});

describe('an access code', () => {
  test.each([
    'statistics/total',
    'statistics/overview',
    'statistics/active',
    'statistics/options/country',
    'statistics/goals',
  ])('stands in for a bearer on %s (F-35)', async (path) => {
    const { status } = await ask(`${path}?id=${edge.own.id}&${RANGE}&access=${CODE}`);
    expect(status).toBe(200);
    expect((await ask(`${path}?id=${edge.own.id}&${RANGE}`)).status).toBe(401);
    expect((await ask(`${path}?id=${edge.own.id}&${RANGE}&access=${CODE}x`)).status).toBe(401);
    expect((await ask(`${path}?id=${edge.own.id}&${RANGE}&access=`)).status).toBe(401);
  });

  test.each(['goal', 'funnel'])('reads the %ss that its dashboard shows (M-1)', async (path) => {
    expect((await ask(`${path}?id=${edge.own.id}&access=${CODE}`)).json).toEqual([]);
    expect((await ask(`${path}?id=${edge.foreign.id}&access=${CODE}`)).status).toBe(401);
  });

  test('with the id of another domain is a wrong code, also if there is no such domain (M-20)', async () => {
    for (const id of [edge.foreign.id, edge.own.second, 'nothing']) {
      for (const path of [`statistics/total?id=${id}&${RANGE}`, `domain?id=${id}`]) {
        const { status, json } = await ask(`${path}&access=${CODE}`);
        expect([path, status]).toEqual([path, 401]);
        expect(json.error[0]).toContain('no access link has this code');
      }
    }
    expect((await ask(`domain?id=${edge.foreign.id}&access=${FOREIGN_CODE}`)).status).toBe(200);
  });

  test('ends at once with its link (M-20)', async () => {
    expect((await ask(`domain?access=${CODE}`)).status).toBe(200);
    await change('link-deleted', { id: CODE.slice(0, 20) });
    expect((await ask(`domain?access=${CODE}`)).status).toBe(401);
    expect((await ask(`statistics/total?id=${edge.own.id}&${RANGE}&access=${CODE}`)).status).toBe(
      401,
    );
  });

  test('opens no endpoint that does not name it (M-1)', async () => {
    const closed = endpoints.filter(
      ({ method, auth }) => method === 'GET' && auth !== null && !auth.callers.includes('code'),
    );
    for (const { path } of closed) {
      expect((await ask(`${path.slice(8)}?id=${edge.own.id}&access=${CODE}`)).status).toBe(401);
    }
    const body = { domain_id: edge.own.id, name: 'x', path_pattern: '/' };
    expect((await ask(`goal?access=${CODE}`, { body })).status).toBe(401);
  });

  test('does not tell how a question was answered', async () => {
    const path = `statistics/total?id=${edge.own.id}&${RANGE}&explain=1&access=${CODE}`;
    expect((await ask(path)).status).toBe(403);
  });
});

describe('the domain of a code', () => {
  test('is one object, named by the code, its id or its subdomain (A-19)', async () => {
    const { subdomain } = site();
    for (const more of ['', `&id=${edge.own.id}`, `&subdomain=${subdomain}`]) {
      const { status, json } = await ask(`domain?access=${CODE}${more}`);
      expect([status, json.id, json.user_role]).toEqual([200, edge.own.id, 'Viewer']);
    }
    expect(
      (await ask(`domain?access=${CODE}&subdomain=${site(edge.own.second).subdomain}`)).status,
    ).toBe(401);
    // With a bearer, too.
    const { json } = await ask(`domain?access=${CODE}`, { bearer: edge.bearers.account });
    expect(json).toMatchObject({ id: edge.own.id, user_role: 'Owner' });
  });

  test('shows its public part; all else is empty (M-16)', async () => {
    await changeSite({ metadata: { secret: 1 }, groupByTitle: true, disableScripts: true });
    const whole = (await ask(`domain?id=${edge.own.id}`, { bearer: edge.bearers.account })).json;
    const { json: shown } = await ask(`domain?access=${CODE}`);
    const names = [
      ...['id', 'def_time', 'mod_time', 'hostname', 'subdomain', 'public', 'timezone'],
      ...['group_by_title', 'active_visitors_seconds', 'statistics_start', 'imported_statistics'],
      ...['theme', 'theme_settings', 'custom_domain', 'display_name'],
    ];
    for (const name of names) expect([name, shown[name]]).toEqual([name, whole[name]]);
    expect(shown.group_by_title).toBe(true);
    const rest = Object.entries(shown).filter(([name]) => ![...names, 'user_role'].includes(name));
    expect(rest.length).toBeGreaterThan(10);
    for (const [name, value] of rest) {
      expect([name, ['', 'null', 'false', '{}', '[]', '0'].includes(textOf(value))]).toEqual([
        name,
        true,
      ]);
    }
    expect(Object.keys(shown)).toEqual(Object.keys(whole));
    expect(JSON.stringify(shown)).not.toContain(site().identificationCode);
    expect(JSON.stringify(shown)).not.toContain(site().userId);
  });

  test('names only fields that there are', () => {
    const names = Object.keys(wireSchema(domain).properties);
    expect(domain.publicNames?.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('POST access', () => {
  test('gives the token of a public dashboard by its subdomain (M-82)', async () => {
    await changeSite({ isPublic: true });
    const { status, json } = await ask('access', { body: { subdomain: ` ${site().subdomain} ` } });
    expect(status).toBe(200);
    expect(json.expires_at).toBe(new Date(NOW_MS + 3_600_000).toISOString());
    const bearer = json.access_token;
    expect((await ask(`statistics/total?id=${edge.own.id}&${RANGE}`, { bearer })).status).toBe(200);
    expect((await ask(`domain?id=${edge.own.id}`, { bearer })).json).toMatchObject({
      ...{ hostname: 'example.org', identification_code: '', user_role: 'Viewer' },
    });
    const path = `statistics/total?id=${edge.foreign.id}&${RANGE}`;
    expect((await ask(path, { bearer })).status).toBe(401);
  });

  test('a public dashboard is not read without it (A-80)', async () => {
    await changeSite({ isPublic: true });
    expect((await ask(`statistics/total?id=${edge.own.id}&${RANGE}`)).status).toBe(401);
    expect((await ask(`domain?id=${edge.own.id}`)).status).toBe(401);
  });

  test('gives the token of a private one to who has a code of it (M-82)', async () => {
    const { subdomain } = site();
    const bearer = await visit({ subdomain, access: CODE });
    expect((await ask(`statistics/total?id=${edge.own.id}&${RANGE}`, { bearer })).status).toBe(200);
    await change('link-deleted', { id: CODE.slice(0, 20) });
    expect((await ask(`statistics/total?id=${edge.own.id}&${RANGE}`, { bearer })).status).toBe(401);
  });

  test('ends when the dashboard is private again (M-82)', async () => {
    await changeSite({ isPublic: true });
    const bearer = await visit({ subdomain: site().subdomain });
    expect((await ask('domain', { bearer })).json).toHaveLength(1);
    await changeSite({ isPublic: false });
    expect((await ask('domain', { bearer })).status).toBe(401);
  });

  test('ends after an hour (M-82)', async () => {
    await changeSite({ isPublic: true });
    const bearer = await visit({ subdomain: site().subdomain });
    edge.nowMs += 3_599_999;
    expect((await ask('domain', { bearer })).status).toBe(200);
    edge.nowMs += 1;
    expect((await ask('domain', { bearer })).status).toBe(401);
  });

  test('says the same of a private dashboard, a wrong code and none at all (M-4, M-82)', async () => {
    const { subdomain } = site();
    const bodies = [
      { subdomain },
      { subdomain, access: FOREIGN_CODE },
      { subdomain, access: 'wrong' },
      { subdomain: 'nobody-has-this' },
      { hostname: 'stats.example.org' },
    ];
    const answers = await Promise.all(bodies.map((body) => ask('access', { body })));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(401);
  });

  test.each([{}, { access: CODE }, { subdomain: ' ' }, { subdomain: null, hostname: '' }])(
    'without an address is refused by name: %j',
    async (body) => {
      const { status, json } = await ask('access', { body });
      expect([status, Object.keys(json.validation)]).toEqual([400, ['subdomain']]);
    },
  );

  test.each([{ subdomain: 1 }, { access: [] }, { hostname: {} }, []])(
    'of the wrong form is refused: %j',
    async (body) => {
      expect((await ask('access', { body })).status).toBe(400);
    },
  );

  test('its token changes nothing and collects nothing (M-1)', async () => {
    const bearer = await visit({ subdomain: site().subdomain, access: CODE });
    const body = { domain_id: edge.own.id, name: 'x', path_pattern: '/' };
    expect((await ask('goal', { bearer, body })).status).toBe(403);
    const hit = { url: 'https://example.org/', ip: '81.2.69.142', user_agent: 'x' };
    expect((await ask('hit', { bearer, body: hit })).status).toBe(403);
  });
});

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
