// Goal: texts are read as addresses as strictly as node does, and as the same address.
// Method: random texts that are addresses, nearly are, or are not, against `node:net` and `URL`.
import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IP_WORD_COUNT, NOT_IPV4, parseIpv4, readIpWords } from '../../src/base/ip-words.ts';
import { tries } from '../support/runs.ts';
import { anyAddressText } from '../support/traffic/addresses.ts';

const words = new Uint32Array(IP_WORD_COUNT);
/** IPv4 in the clothes of IPv6, as `URL` spells it. */
const MAPPED = /^::ffff:[\da-f]+:[\da-f]+$/;

test('a text is an IPv4 address exactly when node says so, and that address', () => {
  const bytesOf = (text: string) => Uint8Array.from(text.split('.').map(Number)).buffer;
  fc.assert(
    fc.property(anyAddressText, (text) => {
      const address = isIP(text) === 4 ? new DataView(bytesOf(text)).getUint32(0) : NOT_IPV4;
      expect(parseIpv4(text, 0)).toBe(address);
      expect(parseIpv4(`::${text}`, 2)).toBe(address);
    }),
    tries(5_000),
  );
});

test('a text is an address of IPv6 exactly when node says so, and the one that a URL makes of it', () => {
  fc.assert(
    fc.property(anyAddressText, (text) => {
      const family = readIpWords(text, words);
      if (isIP(text) !== 6) {
        expect([text, family]).toEqual([text, isIP(text)]);
        return;
      }
      const host = hostOf(text.replace(/%.*/, ''));
      expect([text, family]).toEqual([text, MAPPED.test(host) ? 4 : 6]);
      expect(hostOf(family === 6 ? written() : `::ffff:${written().split(':', 2).join(':')}`)).toBe(
        host,
      );
    }),
    tries(20_000),
  );
});

test.each([
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['2001:DB8::a:0', '2001:db8:0:0:0:0:a:0'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
  ['2001:db8::1%eth0.7', '2001:db8:0:0:0:0:0:1'],
])('%s is the address %s', (text, groups) => {
  expect(readIpWords(text, words)).toBe(6);
  expect(written()).toBe(groups);
});

test.each([
  ...['', ':', ':::', '1', '1:', ':1', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9'],
  ...['1:2:3:4:5:6:7:8::', '::1:2:3:4:5:6:7:8', '12345::', 'g::', '1:2:3:4:5:6:7:1.2.3.4'],
  ...['::1.2.3', '::1.2.3.4:1', '::1.2.3.256', ' ::1', '::1 ', '::1%', '1:::2', '1.2.3.4%eth0'],
])('%j is no address', (text) => {
  expect(isIP(text)).toBe(0);
  expect(readIpWords(text, words)).toBe(0);
});

const hostOf = (address: string) => new URL(`http://[${address}]`).host.slice(1, -1);

/** The words in groups, none left out. */
function written(): string {
  return Array.from(words, (word) => [word >>> 16, word & 0xffff])
    .flat()
    .map((group) => group.toString(16))
    .join(':');
}
