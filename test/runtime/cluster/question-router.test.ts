// Goal: a question is answered by whoever owns its shard, after a look at the stream, and waits within
//   its time while nobody does.
// Method: the router between fake owners, actors and nodes; real time, a few tenths of a second.
import { describe, expect, test, vi } from 'vitest';
import { errors } from '../../../src/model/errors.ts';
import type { StatisticsQuery } from '../../../src/query/question/request.ts';
import {
  type Owners,
  QuestionRouter,
  type RouterParts,
} from '../../../src/runtime/cluster/question-router.ts';
import type { RoutedTask } from '../../../src/runtime/query/scan-task.ts';

const SHARD = 5;
const bytes = (text: string) => Buffer.from(text);

class FakeOwners implements Owners {
  readonly self = 'me';
  owner = 'me';
  isServing = true;
  readonly #listeners = new Set<() => void>();

  ownerOf(): string {
    return this.owner;
  }

  serves(): boolean {
    return this.owner === this.self && this.isServing;
  }

  onceChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  set(owner: string): void {
    this.owner = owner;
    for (const listener of [...this.#listeners]) {
      this.#listeners.delete(listener);
      listener();
    }
  }
}

function makeRouter(parts: Partial<RouterParts> = {}) {
  const owners = new FakeOwners();
  const steps: string[] = [];
  const router = new QuestionRouter({
    owners,
    latest: async () => {
      steps.push('latest');
      return 77;
    },
    actors: {
      ask: async ({ kind, sequence }) => {
        steps.push(`${kind} at ${sequence}`);
        return kind === 'save' ? 9 : '{"visitors":1}';
      },
    },
    scan: async ({ epoch }) => {
      steps.push(`scan under ${epoch}`);
      return bytes('scanned');
    },
    ask: async (node) => {
      steps.push(`ask ${node}`);
      return bytes(`from ${node}`);
    },
    ...parts,
  });
  return { router, owners, steps };
}

function task(given: { secondsMax?: number; statistic?: string } = {}): RoutedTask {
  const { secondsMax = 5, statistic = 'total' } = given;
  const query = { statistic, domainId: 'd' } as StatisticsQuery;
  const abandoned = new Int32Array(new SharedArrayBuffer(4));
  return { shard: SHARD, query, arrivedMs: Date.now(), secondsMax, abandoned };
}

const text = async (answer: Promise<Uint8Array>) => Buffer.from(await answer).toString();

describe('a question about a shard of this node', () => {
  test('asks the stream first, and is answered up to there (A-64)', async () => {
    const { router, steps, owners } = makeRouter();
    expect(await text(router.run(task()))).toBe('scanned');
    expect(steps).toEqual(['latest', 'save at 77', 'scan under 9']);
    expect(await text(router.run(task({ statistic: 'active' })))).toBe('{"visitors":1}');
    expect(steps.slice(3)).toEqual(['latest', 'active at 77']);
    expect(owners.listenerCount).toBe(0);
  });

  test('waits until the shard is open', async () => {
    const { router, owners, steps } = makeRouter();
    owners.isServing = false;
    setTimeout(() => {
      owners.isServing = true;
    }, 150);
    expect(await text(router.run(task()))).toBe('scanned');
    expect(steps).toEqual(['latest', 'save at 77', 'scan under 9']);
  });

  test('is asked again when the shard moves while it is answered', async () => {
    const { router, owners } = makeRouter({
      scan: async () => {
        owners.set('other');
        throw errors.SHARD_MOVED({});
      },
    });
    expect(await text(router.run(task()))).toBe('from other');
  });
});

describe("a question about another node's shard", () => {
  test('goes to its owner with what is left of its time', async () => {
    const asked: number[] = [];
    const { router, owners } = makeRouter({
      ask: async (_, question, timeoutMs) => {
        asked.push(timeoutMs);
        return question;
      },
    });
    owners.set('other');
    const there = makeRouter();
    const question = await router.run({ ...task(), arrivedMs: Date.now() - 2_000 });
    expect(asked[0]).toBeGreaterThan(2_500);
    expect(asked[0]).toBeLessThanOrEqual(3_000);
    expect(await text(there.router.answer(question))).toBe('scanned');
    there.owners.isServing = false;
    await expect(there.router.answer(question)).rejects.toMatchObject({ code: 'SHARD_MOVED' });
  });

  test('leaves an owner that says nothing as soon as there is another one', async () => {
    const { router, owners } = makeRouter({
      ask: (node) => (node === 'stopped' ? new Promise(() => {}) : Promise.resolve(bytes(node))),
    });
    owners.set('stopped');
    setTimeout(() => owners.set('successor'), 100);
    const startMs = Date.now();
    expect(await text(router.run(task()))).toBe('successor');
    expect(Date.now() - startMs).toBeLessThan(1_000);
  });

  test('is asked again when its message was lost, and each time waited for twice as long', async () => {
    const waited: number[] = [];
    const { router, owners } = makeRouter({
      ask: (_node, _question, timeoutMs) => {
        waited.push(timeoutMs);
        if (waited.length === 3) return Promise.resolve(bytes('heard'));
        return new Promise((_resolve, reject) => {
          setTimeout(() => reject(errors.NODE_AWAY({ reason: 'silence' })), timeoutMs);
        });
      },
    });
    owners.set('other');
    expect(await text(router.run(task({ secondsMax: 30 })))).toBe('heard');
    expect(waited).toEqual([3_000, 6_000, 12_000]);
  });

  test('is asked again while the owner is away, and answered as the owner answers', async () => {
    let count = 0;
    const { router, owners } = makeRouter({
      ask: async () => {
        count++;
        if (count < 3) throw errors.NODE_AWAY({ reason: 'nobody listens' });
        throw errors.QUERY_BUDGET_EXCEEDED({ budget: '1 rows' });
      },
    });
    owners.set('other');
    await expect(router.run(task())).rejects.toMatchObject({ code: 'QUERY_BUDGET_EXCEEDED' });
    expect(count).toBe(3);
  });
});

test('a question that nobody can answer in its time is refused with Retry-After', async () => {
  const { router, owners } = makeRouter();
  owners.set('');
  const startMs = Date.now();
  await expect(router.run(task({ secondsMax: 1 }))).rejects.toMatchObject({
    status: 503,
    retryAfterSeconds: 1,
  });
  expect(Date.now() - startMs).toBeGreaterThanOrEqual(950);
  expect(Date.now() - startMs).toBeLessThan(2_000);
  expect(owners.listenerCount).toBe(0);
});

test('a question is given up when its client has left', async () => {
  const { router, owners } = makeRouter();
  owners.set('');
  const asked = task();
  Atomics.store(asked.abandoned, 0, 1);
  await expect(router.run(asked)).rejects.toMatchObject({ code: 'SHARD_MOVED' });
});

describe('a question that waits long at another node', () => {
  /** Two nodes; what the first asks reaches the second, whose scans end when the test says so. */
  function twoNodes() {
    const scans: { abandoned: Int32Array; end: () => void }[] = [];
    const owner = makeRouter({
      scan: ({ abandoned }) =>
        new Promise((resolve, reject) => {
          scans.push({ abandoned, end: () => resolve(bytes('at last')) });
          const look = setInterval(() => {
            if (Atomics.load(abandoned, 0) === 0) return;
            clearInterval(look);
            reject(errors.QUERY_BUDGET_EXCEEDED({ budget: '30 s' }));
          }, 10);
          setTimeout(() => clearInterval(look), 10_000);
        }),
    });
    const asker = makeRouter({
      ask: (_node, question, timeoutMs) =>
        Promise.race([
          owner.router.answer(Buffer.from(question)),
          new Promise<Uint8Array>((_resolve, reject) => {
            const fault = errors.NODE_AWAY({ reason: 'silence' });
            setTimeout(() => reject(fault), timeoutMs);
          }),
        ]),
    });
    asker.owners.set('other');
    return { asker: asker.router, scans };
  }

  test('is asked again, stands there once, and is answered to whoever asked last', async () => {
    const { asker, scans } = twoNodes();
    const answer = text(asker.run(task({ secondsMax: 30 })));
    // The first patience is over after three seconds.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(scans).toHaveLength(1);
    scans[0]?.end();
    expect(await answer).toBe('at last');
  });

  test('is taken out there when its client leaves here', async () => {
    const { asker, scans } = twoNodes();
    const asked = task({ secondsMax: 30 });
    const answer = asker.run(asked);
    const refused = expect(answer).rejects.toMatchObject({ status: 503 });
    await vi.waitFor(() => expect(scans).toHaveLength(1));
    const startMs = Date.now();
    Atomics.store(asked.abandoned, 0, 1);
    await refused;
    expect(Atomics.load(scans[0]!.abandoned, 0)).toBe(1);
    expect(Date.now() - startMs).toBeLessThan(2_000);
  });
});

test('a flood of questions of one domain leaves room for those of others', async () => {
  const { router, owners } = makeRouter();
  owners.set('');
  const flood = Promise.allSettled(
    Array.from({ length: 1_001 }, () => router.run(task({ secondsMax: 1 }))),
  );
  const other = task({ secondsMax: 1 });
  const single = router.run({ ...other, query: { ...other.query, domainId: 'another' } });
  await expect(single).rejects.toMatchObject({ code: 'SHARD_MOVED' });
  const codes = (await flood).map((one) => (one.status === 'rejected' ? one.reason.code : ''));
  expect(codes.filter((code) => code === 'OVERLOADED')).toHaveLength(1);
  expect(codes.at(-1)).toBe('OVERLOADED');
});
