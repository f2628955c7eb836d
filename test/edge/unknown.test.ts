// Goal: what was made elsewhere a moment ago works at once: who would be refused because something is
// not known waits for one more look at the registry, and only for one (M-5).
// Method: an edge whose look is in the hands of the test; then one over a real registry that another
// process writes into.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDomain } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { type EdgeHandle, startEdge } from '../../src/edge/server.ts';
import { AGENT, BEARERS, type FakePorts, fakePorts, NOW_MS } from '../support/fake-ports.ts';
import { pageView, rawRequest } from './edge.ts';
import { useRegistryEdge } from './registry-edge.ts';

describe('a bearer that nobody knows', () => {
  let fake: FakePorts;
  let handle: EdgeHandle;
  let isKnown: boolean;
  /** Ends the look that goes on. */
  let answer: ((isNew: boolean) => void) | null = null;
  let looks: number;
  beforeEach(async () => {
    fake = fakePorts();
    isKnown = false;
    answer = null;
    looks = 0;
    const { access } = fake.ports;
    handle = await startEdge({
      ...{ host: '127.0.0.1', port: 0 },
      ports: {
        ...fake.ports,
        access: {
          ...access,
          authenticate: (bearer, nowMs) =>
            bearer === 'new' && !isKnown ? null : access.authenticate(BEARERS.domain, nowMs),
        },
        registry: {
          keepUp: () => undefined,
          lookAgain: () => {
            looks++;
            return new Promise((resolve) => {
              answer = resolve;
            });
          },
        },
      },
    });
  });
  afterEach(() => handle.stop(0));

  const url = (path: string) => `http://127.0.0.1:${handle.port}/api/v1/${path}`;
  const headers = { authorization: 'Bearer new' };
  const looking = async () => {
    while (answer === null) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const end = (isNew: boolean) => answer?.(isNew);
  const post = (body: string, path = 'hit') => fetch(url(path), { method: 'POST', headers, body });

  test('is let in when the look has found it, its body read whole (M-5)', async () => {
    const sent = post(JSON.stringify(pageView({ title: 'kept' })));
    await looking();
    expect(fake.submitted).toHaveLength(0);
    isKnown = true;
    end(true);
    expect((await sent).status).toBe(200);
    expect(fake.submitted).toHaveLength(1);
    expect(looks).toBe(1);
  });

  test('is refused when it has not, after one look', async () => {
    const sent = post(JSON.stringify(pageView()));
    await looking();
    end(false);
    const { status, headers: answered } = await sent;
    expect([status, answered.get('www-authenticate')]).toEqual([401, 'Bearer']);
    // Something was new, but not this.
    answer = null;
    const again = post(JSON.stringify(pageView()));
    await looking();
    end(true);
    expect((await again).status).toBe(401);
    expect(looks).toBe(2);
    expect(fake.submitted).toHaveLength(0);
  });

  test('sends a large batch that arrives in pieces meanwhile', async () => {
    const items = Array.from({ length: 2_000 }, (_, second) => ({
      ...{ url: `https://example.org/${second}`, ip: '81.2.69.142', user_agent: AGENT },
      ...{ time: new Date(NOW_MS - 3_600_000 + second * 1_000).toISOString() },
    }));
    const sent = post(JSON.stringify(items), 'hit/batch');
    await looking();
    await new Promise((resolve) => setTimeout(resolve, 50));
    isKnown = true;
    end(true);
    const response = await sent;
    expect([response.status, await response.json()]).toEqual([
      200,
      { accepted: 2_000, rejected: [] },
    ]);
  });

  test('is refused for itself before its body is refused for its size (A-10)', async () => {
    const sent = post('x'.repeat(1_100_000));
    await looking();
    await new Promise((resolve) => setTimeout(resolve, 50));
    end(false);
    expect((await sent).status).toBe(401);
    answer = null;
    const known = post('x'.repeat(1_100_000));
    await looking();
    isKnown = true;
    end(true);
    expect((await known).status).toBe(413);
  });

  test('may leave while the look goes on, and the edge goes on', async () => {
    const socket = connect(handle.port, '127.0.0.1');
    const body = JSON.stringify(pageView());
    socket.write(rawRequest('/api/v1/hit', body).replace(BEARERS.domain, 'new'));
    await looking();
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    isKnown = true;
    end(true);
    expect((await post(JSON.stringify(pageView()))).status).toBe(200);
    expect(fake.submitted).toHaveLength(1);
  });

  test('does not hold up who is known', async () => {
    const sent = post(JSON.stringify(pageView()));
    await looking();
    const known = { authorization: `Bearer ${BEARERS.domain}` };
    const body = JSON.stringify(pageView());
    const response = await fetch(url('hit'), { method: 'POST', headers: known, body });
    expect(response.status).toBe(200);
    end(false);
    expect((await sent).status).toBe(401);
  });

  test('an object that nobody knows is asked for once more as well (M-5)', async () => {
    isKnown = true;
    const sent = fetch(url('domain?id=new'), { headers });
    await looking();
    fake.domains.push({ ...fake.domains[0]!, id: 'new' });
    fake.ports.access.domainsOf = () => fake.domains;
    end(true);
    expect((await sent).status).toBe(404);
    expect(looks).toBe(1);
  });
});

describe('over a registry that another process writes into', () => {
  const edge = useRegistryEdge();
  let other: Registry;
  beforeEach(async () => {
    other = Registry.open(edge.directory, NOW_MS);
    // What the edge's own registry has changed before is known from here on.
    await edge.send('GET', 'domain', undefined, edge.bearers.account);
  });
  afterEach(() => other.close());

  test('a key, a client, a domain and a code of the moment work at the first request (M-5)', async () => {
    const made = await createDomain(
      other,
      { email: 'ada@example.org', hostname: 'new.test' },
      NOW_MS,
    );
    const body = { url: 'https://new.test/', ip: '81.2.69.142', user_agent: AGENT };
    expect((await edge.send('POST', 'hit', body, made.accessKey)).status).toBe(200);

    const next = await createDomain(
      other,
      { email: 'ada@example.org', hostname: 'next.test' },
      NOW_MS,
    );
    const secret = { client_id: next.clientId, client_secret: next.clientSecret };
    expect((await edge.send('POST', 'token', secret)).status).toBe(200);

    const last = await createDomain(
      other,
      { email: 'ada@example.org', hostname: 'last.test' },
      NOW_MS,
    );
    const found = await edge.send(
      'GET',
      `domain?id=${last.domain.id}`,
      undefined,
      edge.bearers.account,
    );
    expect([found.status, found.json.hostname]).toEqual([200, 'last.test']);

    const code = 'c'.repeat(24);
    const link = {
      id: 'l'.repeat(20),
      createdMs: NOW_MS,
      modifiedMs: NOW_MS,
      code,
      description: '',
    };
    await other.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, () => [
      { kind: 'link-created', payload: { ...link, domainId: last.domain.id } as never },
    ]);
    const shown = await fetch(`${edge.baseUrl}/api/v1/domain?access=${code}`);
    expect([shown.status, await shown.json()]).toMatchObject([200, { hostname: 'last.test' }]);
  });

  test('a hit of an account finds the domain of the moment by its hostname (I-9, M-5)', async () => {
    await createDomain(other, { email: 'ada@example.org', hostname: 'new.test' }, NOW_MS);
    const body = { url: 'https://new.test/', ip: '81.2.69.142', user_agent: AGENT };
    expect((await edge.send('POST', 'hit', body, edge.bearers.account)).status).toBe(200);
  });

  test('a page of the moment is known by its code, whatever else is wrong (A-45, M-5)', async () => {
    const make = async (hostname: string) => {
      const made = await createDomain(other, { email: 'ada@example.org', hostname }, NOW_MS);
      return made.domain.identificationCode;
    };
    const view = (code: string, url: string, method = 'GET') =>
      edge.browse(method, `/hit?code=${code}&url=${url}`);
    expect((await view(await make('a.test'), 'https://a.test/')).status).toBe(200);
    const event = { identification_code: await make('b.test'), event_name: 'e' };
    const sent = await edge.browse('POST', '/event', {
      body: { ...event, url: 'https://b.test/' },
    });
    expect(sent.status).toBe(200);
    const wrong = await view(await make('c.test'), 'c.test');
    expect([wrong.status, Object.keys(wrong.json.validation)]).toEqual([400, ['url']]);
    const unknown = await view('x'.repeat(32), 'c.test');
    expect(Object.keys(unknown.json.validation).toSorted()).toEqual(['code', 'url']);
  });

  test('what strangers try is looked for a thousand times a second at most (M-5)', async () => {
    let refreshes = 0;
    const { registry } = edge;
    const refresh = registry.refresh.bind(registry);
    registry.refresh = () => {
      refreshes++;
      return refresh();
    };
    const startMs = performance.now();
    const bearers = Array.from({ length: 2_000 }, () => randomBytes(69).toString('base64url'));
    const statuses = await Promise.all(
      bearers.map(async (bearer) => (await edge.send('GET', 'domain', undefined, bearer)).status),
    );
    const seconds = (performance.now() - startMs) / 1_000;
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(refreshes).toBeGreaterThan(0);
    expect(refreshes).toBeLessThan(seconds * 1_100 + 10);
  });
});
