/** Goal: foreign hostnames are told from own ones (I-5). Method: rows. */
import { describe, expect, test } from 'vitest';
import { hostnameAllowed, siteWith } from '../../../src/ingest/page/site.ts';

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
