// Goal: the mix is what it says (heavy-tailed visits, a twentieth of events, a fifth of new paths), the
// same for the same seed; what is sent is new each time it comes round.
import { describe, expect, test } from 'vitest';
import {
  ADDRESS_LENGTH,
  freshPlaceholder,
  visitAddress,
} from '../../src/load/hits/placeholders.ts';
import { siteHits } from '../../src/load/hits/site-mix.ts';
import { AnswerReader, MALFORMED } from '../../src/load/send/answer.ts';
import { Requests, requestBytes } from '../../src/load/send/requests.ts';

describe('the mix of a site', () => {
  const hits = siteHits({ hostname: 'load.example', seed: 42, hits: 60_000 });

  test('a twentieth are events, a fifth go to paths that nobody has seen', () => {
    const events = hits.filter(({ event }) => event !== null).length / hits.length;
    const fresh = hits.filter(({ path }) => path.includes('fresh-'));
    expect(events).toBeGreaterThan(0.045);
    expect(events).toBeLessThan(0.055);
    expect(fresh.length / hits.length).toBeGreaterThan(0.19);
    expect(fresh.length / hits.length).toBeLessThan(0.21);
    expect(new Set(fresh.map(({ path }) => path.split('?')[0])).size).toBe(fresh.length);
  });

  test('more than half of the visits see one page, and a few see a hundred', () => {
    const lengths = new Map<string, number>();
    for (const { ip } of hits) lengths.set(ip, (lengths.get(ip) ?? 0) + 1);
    const all = [...lengths.values()].sort((left, right) => left - right);
    const mean = hits.length / all.length;
    expect(all.filter((length) => length === 1).length / all.length).toBeGreaterThan(0.5);
    expect(mean).toBeGreaterThan(3);
    expect(mean).toBeLessThan(5);
    expect(all.at(-1)).toBeGreaterThan(100);
    expect(all.at(-1)).toBeLessThanOrEqual(150);
  });

  test('the first hit of a visit is a page view from outside, the same seed says the same', () => {
    const seen = new Set<string>();
    const odd = hits.filter(({ ip, event, referrer }) => {
      const isFirst = !seen.has(ip);
      seen.add(ip);
      return isFirst && (event !== null || referrer === 'https://load.example/');
    });
    expect(odd).toEqual([]);
    expect(siteHits({ hostname: 'load.example', seed: 42, hits: 500 })).toEqual(hits.slice(0, 500));
  });
});

test('addresses differ, all of one length', () => {
  const addresses = Array.from({ length: 20_000 }, (_, ordinal) => visitAddress(ordinal * 997));
  expect(new Set(addresses).size).toBe(20_000);
  const isWhole = (address: string) =>
    address.length === ADDRESS_LENGTH &&
    address.split('.').every((part) => Number(part) >= 100 && Number(part) <= 255);
  expect(addresses.filter((address) => !isWhole(address))).toEqual([]);
});

describe('prepared requests', () => {
  const body = (text: string) =>
    requestBytes({ method: 'POST', path: '/x', headers: { a: 'b' }, body: text }, 'host:1');
  const sent = (requests: Requests): string => {
    const into = Buffer.alloc(requests.bytesMax);
    return into.toString('utf8', 0, requests.writeNext(into)).split('\r\n\r\n')[1]!;
  };

  test('come round with new visits and new paths, behind texts of any language', () => {
    const fresh = freshPlaceholder(0);
    const made = [body(`ü visit-000000000 b visit-000000001 ${fresh}`), body('visit-000000002')];
    const requests = new Requests(made, { visitBase: 10, freshBase: 7 }, () => 0);
    expect(sent(requests)).toBe(
      `ü ${visitAddress(10)} b ${visitAddress(11)} ${'7'.padStart(15, '0')}`,
    );
    expect(sent(requests)).toBe(visitAddress(12));
    expect(sent(requests)).toContain(
      `${visitAddress(13)} b ${visitAddress(14)} ${'8'.padStart(15, '0')}`,
    );
  });

  test('begin again at the limit, and tell the time of sending', () => {
    const made = [body('visit-000000000 clock-000000000000000000')];
    const requests = new Requests(made, { visitBase: 0, visitLimit: 1, freshBase: 0 }, () => 1_000);
    const first = sent(requests);
    expect(first).toBe(`${visitAddress(0)} 1970-01-01T00:00:01.000Z`);
    expect(sent(requests)).toBe(first);
  });

  test('say how long they are', () => {
    const text = body('ü').toString('utf8');
    expect(text).toBe('POST /x HTTP/1.1\r\nhost: host:1\r\na: b\r\ncontent-length: 2\r\n\r\nü');
  });
});

describe('answers', () => {
  const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
  const CHUNKED = 'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';

  test.each([
    LENGTH,
    CHUNKED,
    'HTTP/1.1 204 No Content\r\n\r\n',
    `HTTP/1.1 100 Continue\r\n\r\n${LENGTH}`,
  ])('are whole at their last byte, wherever they are cut: %j', (text) => {
    const status = /204/.test(text) ? 204 : text === CHUNKED ? 202 : 200;
    for (let cut = 1; cut < text.length; cut++) {
      const reader = new AnswerReader();
      expect(reader.read(Buffer.from(text.slice(0, cut)))).toBeNull();
      expect(reader.read(Buffer.from(text.slice(cut)))).toMatchObject({ status, isLast: false });
      // The same bytes again, in one piece: not read a second time, the same answer.
      expect(reader.read(Buffer.from(text))).toMatchObject({ status });
    }
  });

  test('end with the connection where no length is named, and what is no HTTP is no answer', () => {
    const reader = new AnswerReader();
    expect(reader.read(Buffer.from('HTTP/1.0 200 OK\r\n\r\nhello'))).toBeNull();
    expect(reader.end()).toMatchObject({ status: 200, isLast: true });
    expect(new AnswerReader().read(Buffer.from('hello\r\n\r\n'))).toBe(MALFORMED);
    expect(new AnswerReader().end()).toBeNull();
  });
});
