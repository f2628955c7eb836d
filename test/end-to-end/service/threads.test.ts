// Goal: whichever thread of a node takes a request, it acts on every change that was answered before,
// and all of them together let in as many requests a minute as one would (M-5, M-90).
// Method: a service with four edges; the kernel deals new connections out, so each request has its own.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';

/** Of 16 connections one thread of four gets none in one of a hundred rounds. */
const CONNECTIONS = 16;

let service: RunningService;
let owner: ApiClient;
let site: DomainCredentials;

beforeAll(async () => {
  service = await startService({ env: { FOOTFALL_EDGES: '4', FOOTFALL_RATE_LIMITS: 'on' } });
  const account = await service.createAccount('ada@example.org');
  site = await service.createDomain({ email: account.email, hostname: 'example.org' });
  owner = await ApiClient.withSecret(service.baseUrl, account.client_id, account.client_secret);
}, 60_000);

afterAll(() => service.dispose());

interface Sent {
  method: string;
  path: string;
  bearer?: string;
  body?: object;
}

/** One request over a connection of its own. */
function sendAlone({ method, path, bearer, body }: Sent) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
      const url = `${service.baseUrl}/api/v1/${path}`;
      const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
        let text = '';
        incoming.on('data', (chunk) => {
          text += String(chunk);
        });
        incoming.on('end', () => {
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    },
  );
}

const everywhere = (sent: Sent) =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => sendAlone(sent)));

const statusesOf = async (sent: Sent) => [
  ...new Set((await everywhere(sent)).map(({ status }) => status)),
];

const HIT = {
  url: 'https://example.org/',
  ip: '81.2.69.142',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
};

describe('every thread', () => {
  test('takes a key that was just made, and refuses one that was just deleted (M-5)', async () => {
    for (let round = 0; round < 12; round++) {
      const made = await owner.create('client', {
        ...{ domain_id: site.id, type: 'token', description: `round ${round}`, scope_hit: 'w' },
      });
      const sent = {
        ...{ method: 'POST', path: 'hit', bearer: String(made.client_secret), body: HIT },
      };
      expect(await statusesOf(sent)).toEqual([200]);
      await owner.request('DELETE', `/api/v1/client?id=${made.id}`);
      expect(await statusesOf(sent)).toEqual([401]);
    }
  });

  test('takes at once what a command made (M-5)', async () => {
    for (let round = 0; round < 3; round++) {
      const hostname = `site${round}.test`;
      const made = await service.createDomain({ email: 'ada@example.org', hostname });
      const body = { ...HIT, url: `https://${hostname}/` };
      expect(
        await statusesOf({ method: 'POST', path: 'hit', bearer: made.access_key, body }),
      ).toEqual([200]);
      const shown = { method: 'GET', path: `domain?id=${made.id}`, bearer: owner.bearer };
      expect(await statusesOf(shown)).toEqual([200]);
    }
  });
});

describe('all threads together', () => {
  test('let ten requests for a dashboard in, and tell each how many are left (M-90)', async () => {
    const sent = { method: 'POST', path: 'access', body: { subdomain: 'nobody' } };
    const answers = [...(await everywhere(sent)), ...(await everywhere(sent))];
    const letIn = answers.filter(({ status }) => status === 401);
    const refused = answers.filter(({ status }) => status === 429);
    expect([letIn.length, refused.length]).toEqual([10, 2 * CONNECTIONS - 10]);
    const left = letIn.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(left.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { headers, text } of refused) {
      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThan(50);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(headers['x-ratelimit-limit']).toBe('10');
      expect(headers['x-ratelimit-remaining']).toBe('0');
      expect(JSON.parse(text).error).toHaveLength(1);
    }
  });

  test('let sixty changes of a client in, and none of the refused ones happens (M-90)', async () => {
    const client = await ApiClient.withSecret(service.baseUrl, site.client_id, site.client_secret);
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, number) =>
        sendAlone({
          ...{ method: 'POST', path: 'goal', bearer: client.bearer },
          body: { domain_id: site.id, name: `goal ${number}`, path_pattern: '/' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    const { body: goals } = await client.request('GET', `/api/v1/goal?id=${site.id}`);
    expect(goals).toHaveLength(60);
  });
});
