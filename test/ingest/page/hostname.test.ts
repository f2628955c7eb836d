/**
 * Goal: foreign hostnames are told from own ones (I-5).
 * Method: rows, and a twin by regular expressions on random patterns.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HostnamePatterns } from '../../../src/ingest/page/hostname-patterns.ts';
import { hostnameAllowed, siteWith } from '../../../src/ingest/page/site.ts';
import { tries } from '../../support/runs.ts';

describe('a hostname belongs to the domain', () => {
  test.each([
    ['example.com', [], true],
    ['sub.example.com', [], false],
    ['example.org', [], false],
    ['', [], false],
    ['shop.test', ['shop.test'], true],
    ['a.shop.test', ['shop.test'], false],
    ['a.shop.test', ['*.shop.test'], true],
    ['a.b.shop.test', ['*.shop.test'], true],
    ['shop.test', ['*.shop.test'], false],
    ['.shop.test', ['*.shop.test'], false],
    ['a.shop.test.evil', ['*.shop.test'], false],
    ['shop.test', ['shop.*'], true],
    ['shop.', ['shop.*'], false],
    ['shop.co.uk', ['shop.*'], true],
    ['a.shop.b.test', ['*.shop.*.test'], true],
    ['a.shop.test', ['*.shop.*.test'], false],
    ['aXb.test'.toLowerCase(), ['a*b.test'], true],
    ['ab.test', ['a*b.test'], false],
    ['a.com.com', ['*.com'], true],
    ['anything', ['*'], true],
    ['second.test', ['first.test', 'second.test'], true],
  ])('%s with the alternatives %j: %s (I-5)', (hostname, alternatives, isAllowed) => {
    const site = siteWith('d', 'example.com', alternatives);
    expect(hostnameAllowed(hostname, site)).toBe(isAllowed);
  });

  test('a pattern of many stars is decided at once', () => {
    const site = siteWith('d', 'example.com', [`${'*a'.repeat(60)}b`]);
    expect(hostnameAllowed('a'.repeat(253), site)).toBe(false);
  });
});

describe('compiled patterns', () => {
  const part = fc.constantFrom('*', '.', 'a', 'b', 'ab', 'a.b', '.a', '*.');
  const patterns = fc.array(fc.tuple(fc.string({ unit: part, maxLength: 6 }), fc.nat(3)));
  const hostname = fc.string({ unit: fc.constantFrom('.', 'a', 'b'), maxLength: 9 });
  const twinOf = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.+')}$`);

  test('say the lowest rank that a comparison with each of them says (I-5, I-9)', () => {
    fc.assert(
      fc.property(patterns, fc.array(hostname, { minLength: 1 }), (drawn, hostnames) => {
        const ranked = drawn.toSorted(([, left], [, right]) => left - right);
        const compiled = new HostnamePatterns(ranked);
        for (const name of hostnames) {
          const [, rank = -1] = ranked.find(([pattern]) => twinOf(pattern).test(name)) ?? [];
          expect(compiled.rankOf(name)).toBe(rank);
        }
      }),
      tries(4_000),
    );
  });
});
