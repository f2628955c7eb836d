// Goal: a request is read as RFC 9112 and RFC 9110 say, or refused, and never taken for two.
// Method: bytes over raw sockets to an edge whose endpoints tell what reached them; what the engine that
// was loaded gets wrong is a table, so a change for the better or the worse shows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadHttpEngine } from '../../src/edge/http/http-engine.ts';
import { BODY_CASES } from './conformance/body-cases.ts';
import { allows, type Case } from './conformance/case.ts';
import { CONNECTION_CASES } from './conformance/connection-cases.ts';
import { HEAD_CASES } from './conformance/head-cases.ts';
import { CUT_FAILURES, KNOWN_FAILURES } from './conformance/known-failures.ts';
import { ask, bodyOf, cutsOf, tell, tellChunked } from './conformance/request.ts';
import { type Outcome, startWire, type Wire } from './conformance/wire.ts';

const { packageName } = await loadHttpEngine();
const known = KNOWN_FAILURES[packageName] ?? {};
const CASES = [...HEAD_CASES, ...BODY_CASES, ...CONNECTION_CASES];
const outcomes = new Map<string, Outcome>();
let wire: Wire;

beforeAll(async () => {
  wire = await startWire();
  // Side by side: nearly all of the time is waiting for what must not come.
  await Promise.all(
    CASES.map(async ({ title, send }) => outcomes.set(title, await wire.send(send))),
  );
});
afterAll(() => wire.edge.stop(0));

function lineOf(title: string): string {
  return outcomes.get(title)?.line ?? 'was not sent';
}

const passing = CASES.filter(({ title }) => known[title] === undefined);
const failing = CASES.filter(({ title }) => known[title] !== undefined);

describe(`as the rule says (${packageName})`, () => {
  test.each(passing)('$title (RFC 9112 or 9110, $rule)', (one: Case) => {
    const line = lineOf(one.title);
    expect({ line, isAllowed: allows(one, line) }).toEqual({ line, isAllowed: true });
  });
});

describe(`otherwise, known of ${packageName}`, () => {
  test.each(failing)('$title ($rule)', (one: Case) => {
    const line = lineOf(one.title);
    expect(line).toBe(known[one.title]);
    expect(allows(one, line)).toBe(false);
  });
});

test('titles are unique, and every known failure is a case', () => {
  const titles = CASES.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const table of Object.values(KNOWN_FAILURES)) {
    expect(Object.keys(table).filter((title) => !titles.includes(title))).toEqual([]);
  }
});

test('an error is in the shape of A-11, or a page of the engine itself', () => {
  const refusals = [...outcomes.values()].flatMap(({ answers }) =>
    answers.filter(({ status }) => status >= 400),
  );
  expect(refusals.length).toBeGreaterThan(20);
  for (const { body, headers } of refusals) {
    if (headers.startsWith('HTTP/1.1 404') || body === '') continue;
    if (body.startsWith('<')) expect(body).toMatch(/^<h1>/);
    else expect(Object.keys(JSON.parse(body))).toEqual(['validation', 'error', 'context']);
  }
});

describe('a request cut in two at every byte', () => {
  test.each([
    ['GET', ask],
    ['POST', tell],
    ['chunked POST', (mark: string) => tellChunked(`7\r\n${bodyOf(mark)}\r\n0\r\n\r\n`)],
  ] as const)('%s', async (name, make: (mark: string) => string) => {
    const cuts = cutsOf(make('~0000')).map(([before]) => before.length);
    const lines = await Promise.all(
      cuts.map(async (cut) => {
        const send = (mark: string) => {
          const text = make(mark);
          return { pieces: [text.slice(0, cut), text.slice(cut)] };
        };
        return (await wire.send(send)).line;
      }),
    );
    const failed = cuts.filter((_, index) => !lines[index]?.startsWith('200 '));
    expect(failed).toEqual(CUT_FAILURES[packageName]?.[name] ?? []);
  });
});

test('a head that trickles in is not waited for longer than 40 s', {
  timeout: 60_000,
}, async () => {
  const began = performance.now();
  const trickle = Array.from({ length: 200 }, () => 'a');
  const { line } = await wire.send((mark) => ({
    pieces: [ask(mark).slice(0, -2), ...trickle],
    pauseMs: 250,
  }));
  expect(line).toMatch(/closed$/);
  expect(performance.now() - began).toBeLessThan(40_000);
});
