// Goal: a disk that refuses is said in /readyz at once, loses nothing that was acknowledged, and is
// forgotten when it takes writes again; one that breaks ends the service at once (issue 11, 9).
// Method: small disks of their own (tmpfs, where one may be mounted) that are full and have room again;
// a sync that fails, by a module loaded into the service.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Answer, ApiClient } from '../../support/clients/client.ts';
import {
  makeTemporaryDirectory,
  PROJECT_ROOT,
  RunningService,
  type ServiceOptions,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { Disks } from '../../torture/faults/disks.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const HOSTNAME = 'example.org';
const BATCH_HITS = 2_000;
const WAIT_MS_MAX = 30_000;

const disks = new Disks();
const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

describe('a full disk', () => {
  const canMount = mayMount();
  if (!canMount) process.stderr.write(`broken-disk: skipped, ${disks.reason}\n`);

  test.skipIf(!canMount)(
    'of the log: /readyz is 503 until there is room, and all that was acknowledged counts',
    async () => {
      const { service, site, dataDir } = await start({ disk: '' });
      const before = await site.ready();
      expect(before.status).toBe(200);

      disks.fill(dataDir);
      let taken = 0;
      let refused: Answer | null = null;
      await until(async () => {
        const answer = await site.batch();
        if (answer.status === 200) taken += BATCH_HITS;
        else refused = answer;
        return refused !== null;
      }, WAIT_MS_MAX);
      expect(refused).toMatchObject({ status: 503 });
      let during = await site.ready();
      await until(async () => {
        during = await site.ready();
        return during.status === 503;
      }, WAIT_MS_MAX);
      expect(JSON.stringify(during.body)).toContain('the log cannot be written: the disk is full');
      expect(JSON.stringify(during.body)).not.toContain(dataDir);
      await until(() => service.output.includes('the log cannot be written'), WAIT_MS_MAX);

      disks.clear(dataDir);
      // Nobody sends anything: the service finds out by itself.
      await until(async () => (await site.ready()).status === 200, WAIT_MS_MAX);
      expect((await site.batch()).status).toBe(200);
      // The state is on the same disk, and tried again some seconds later.
      await until(async () => (await site.viewsAnswer()).status === 200, WAIT_MS_MAX);
      expect(await site.views()).toBe(taken + BATCH_HITS);
      await until(() => service.output.includes('can be written again'), WAIT_MS_MAX);
    },
  );

  test.skipIf(!canMount)(
    'of the state: hits are taken, /readyz says what is wrong, and all counts once there is room',
    async () => {
      const { service, site, dataDir } = await start({ disk: 'state' });
      let taken = 0;
      const send = async () => {
        const answer = await site.batch();
        expect(answer.status).toBe(200);
        taken += BATCH_HITS;
      };
      await send();
      expect(await site.views()).toBe(taken);

      const state = join(dataDir, 'state');
      disks.fill(state);
      await until(async () => {
        await send();
        return String(JSON.stringify((await site.ready()).body)).includes('the state cannot');
      }, WAIT_MS_MAX);
      const during = await site.ready();
      expect(during.status).toBe(200);
      expect(during.body).toMatchObject({
        missing: [
          'the state cannot be written: the disk is full; hits are taken and wait in the log',
        ],
      });
      // What is saved no more cannot be asked for, and nobody is told less than what counts.
      expect((await site.viewsAnswer()).status).toBe(503);

      disks.clear(state);
      await until(
        async () => !JSON.stringify((await site.ready()).body).includes('the state'),
        WAIT_MS_MAX,
      );
      expect(await site.views()).toBe(taken);
      // The log had it all: also after a death in the middle.
      disks.fill(state);
      await send();
      await service.kill();
      disks.clear(state);
      await service.start();
      expect(await site.views()).toBe(taken);
    },
  );
});

test('a sync that fails ends the service at once; what is in flight is answered 503', async () => {
  const marker = join(temporaryDirectory(), 'fail');
  const { service, site, dataDir } = await start({
    env: {
      FAILING_SYNC: marker,
      NODE_OPTIONS: `--import=${join(PROJECT_ROOT, 'test/support/failing-sync.mjs')}`,
    },
  });
  const { pid } = service;
  expect((await site.batch()).status).toBe(200);
  writeFileSync(marker, '');
  const startMs = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => site.batch().catch(() => null)),
  );
  await until(() => !isAlive(pid), WAIT_MS_MAX);
  const tookMs = performance.now() - startMs;

  expect(answers.filter((answer) => answer !== null).map(({ status }) => status)).toContain(503);
  expect(answers.every((answer) => answer === null || answer.status === 503)).toBe(true);
  // A second on a quiet machine; it was nine and more.
  expect(tookMs).toBeLessThan(8_000);
  const lines = service.output.split('\n').filter((line) => line.startsWith('footfall: '));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(join(dataDir, 'log'));
  expect(lines[0]).toContain('EIO');
  expect(await service.stop()).toBe(1);
});

interface Site {
  batch(): Promise<Answer>;
  ready(): Promise<Answer>;
  viewsAnswer(): Promise<Answer>;
  views(): Promise<number>;
}

/** A service; with `disk` a directory of its data, '' all of it, on a disk of its own. */
async function start(options: { disk?: string; env?: ServiceOptions['env'] }) {
  const dataDir = temporaryDirectory();
  if (options.disk !== undefined) disks.make(join(dataDir, options.disk));
  const service = new RunningService({ dataDir, ...(options.env ? { env: options.env } : {}) });
  cleanups.push(() => service.dispose());
  const { email } = await service.createAccount();
  const domain = await service.createDomain({ email, hostname: HOSTNAME });
  await service.start();
  const { client_id: id, client_secret: secret } = domain;
  const client = await ApiClient.whenKnown(service.baseUrl, id, secret);
  let sent = 0;
  const today = new Date().toISOString().slice(0, 10);
  const site: Site = {
    batch: () => client.request('POST', '/api/v1/hit/batch', { body: items(sent++) }),
    ready: () => client.request('GET', '/readyz'),
    viewsAnswer: () =>
      client.request('GET', `/api/v1/statistics/total?id=${domain.id}&from=${today}&to=${today}`),
    async views() {
      const { status, body } = await site.viewsAnswer();
      expect(status).toBe(200);
      return (body as { views: number }).views;
    },
  };
  return { service, site, dataDir };
}

/** Page views of visitors that nobody saw before, with texts that nobody saw before. */
function items(batch: number) {
  const time = new Date().toISOString();
  return Array.from({ length: BATCH_HITS }, (_, index) => ({
    url: `https://${HOSTNAME}/`,
    ip: `10.${batch & 255}.${index >> 8}.${index & 255}`,
    title: `${batch} ${index} `.padEnd(400, 'x'),
    user_agent: AGENT,
    time,
  }));
}

function mayMount(): boolean {
  const directory = makeTemporaryDirectory();
  disks.make(directory);
  disks.dispose();
  rmSync(directory, { recursive: true });
  return disks.reason === '';
}

function temporaryDirectory(): string {
  const directory = makeTemporaryDirectory();
  cleanups.push(() => {
    disks.dispose();
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  });
  return directory;
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
