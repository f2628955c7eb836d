// Goal: addresses are read as what they are, and found in a set when a range of it has them (I-24).
// Method: the platform's own parser and a naive model of ranges on random addresses; rows at the ends.
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AddressRangeList, AddressSet, addressSet } from '../../src/base/address-set.ts';
import { IP_WORD_COUNT, readIpWords } from '../../src/base/ip-words.ts';
import { tries } from '../support/runs.ts';

const words = new Uint32Array(IP_WORD_COUNT);
const has = (set: AddressSet, address: string) => set.has(readIpWords(address, words), words);

const anyIpv4 = fc.ipV4();
const anyIpv6 = fc.ipV6();
/** Few networks, so that ranges and addresses meet. */
const nearIpv4 = fc
  .tuple(fc.constantFrom(9, 10, 11, 255), fc.nat(2), fc.constantFrom(0, 127, 128, 255), fc.nat(255))
  .map((parts) => parts.join('.'));
const nearIpv6 = fc
  .tuple(fc.constantFrom('2001', 'fe80', '0'), fc.constantFrom('0', 'db8', 'ffff'), fc.nat(3))
  .map(([first, second, last]) => `${first}:${second}::${last}`);

test.each<[string, number, number[]]>([
  ['0.0.0.0', 4, [0]],
  ['255.255.255.255', 4, [0xffffffff]],
  ['::ffff:1.2.3.4', 4, [0x01020304]],
  ['::FFFF:102:304', 4, [0x01020304]],
  ['::', 6, [0, 0, 0, 0]],
  ['::1', 6, [0, 0, 0, 1]],
  ['1::', 6, [0x10000, 0, 0, 0]],
  ['2001:db8::1:2', 6, [0x20010db8, 0, 0, 0x10002]],
  ['1:2:3:4:5:6:7:8', 6, [0x10002, 0x30004, 0x50006, 0x70008]],
  ['::1.2.3.4', 6, [0, 0, 0, 0x01020304]],
  ['64:ff9b::1.2.3.4', 6, [0x64ff9b, 0, 0, 0x01020304]],
  ['fe80::1%eth0', 6, [0xfe800000, 0, 0, 1]],
  ['', 0, []],
  ['1.2.3', 0, []],
  ['1.2.3.04', 0, []],
  ['1.2.3.4:80', 0, []],
  [':::', 0, []],
  ['1:2:3:4:5:6:7:8:9', 0, []],
])('%s is read as an address of family %i', (text, family, expected) => {
  expect(readIpWords(text, words)).toBe(family);
  expect([...words.subarray(0, expected.length)]).toEqual(expected);
});

test('what is an address is so for the platform, however it is written', () => {
  fc.assert(
    fc.property(fc.oneof(anyIpv4, anyIpv6, fc.string()), (text) => {
      expect(readIpWords(text, words) !== 0).toBe(isIP(text) !== 0);
    }),
    tries(2_000),
  );
});

test('a set has what a range of it has, and nothing else', () => {
  const range = fc.oneof(
    nearIpv4,
    nearIpv6,
    fc.tuple(nearIpv4, fc.integer({ min: 0, max: 32 })).map(([ip, bits]) => `${ip}/${bits}`),
    fc.tuple(nearIpv6, fc.integer({ min: 16, max: 128 })).map(([ip, bits]) => `${ip}/${bits}`),
    fc.tuple(nearIpv4, fc.integer({ min: 96, max: 128 })).map(([ip, b]) => `::ffff:${ip}/${b}`),
  );
  const address = fc.oneof(nearIpv4, nearIpv6, anyIpv4, anyIpv6);
  fc.assert(
    fc.property(fc.array(range, { maxLength: 30 }), fc.array(address), (ranges, addresses) => {
      const set = addressSet(ranges);
      for (const one of addresses) {
        expect(`${one} ${has(set, one)}`).toBe(`${one} ${ranges.some((r) => isIn(one, r))}`);
      }
    }),
    tries(2_000),
  );
});

/** By the bits as text. */
function isIn(address: string, range: string): boolean {
  const [network = '', given] = range.split('/');
  const [left, right] = [bitsOf(address), bitsOf(network)];
  if (left.length !== right.length) return false;
  const mapped = right.length === 32 && network.includes(':') ? 96 : 0;
  const bits = given === undefined ? right.length : Number(given) - mapped;
  return left.slice(0, bits) === right.slice(0, bits);
}

function bitsOf(address: string): string {
  const family = readIpWords(address, words);
  const count = family === 4 ? 1 : IP_WORD_COUNT;
  return [...words.subarray(0, count)].map((word) => word.toString(2).padStart(32, '0')).join('');
}

test.each([
  '',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '::/129',
  'fe80::1%1',
  '::ffff:1.2.3.4/95',
])('%s is no range', (range) => {
  expect(new AddressRangeList().add(range)).toBe(false);
});

test('lies in memory that threads share when it is told to', () => {
  const list = new AddressRangeList();
  list.add('10.0.0.0/8');
  list.add('2001:db8::/32');
  const { ipv4, ipv6 } = list.ranges(true);
  for (const array of [ipv4, ipv6]) expect(array.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(has(new AddressSet({ ipv4, ipv6 }), '10.1.2.3')).toBe(true);
});

describe('a hundred thousand networks', () => {
  test('are joined, and answer what the platform answers', () => {
    const list = new AddressRangeList();
    const platform = new BlockList();
    // Every other /24 of 11.0.0.0/8 and 12.0.0.0/8; the platform gets some: it walks them one by one.
    for (let network = 0; network < 100_000; network++) {
      const address = `${11 + (network >> 15)}.${(network >> 7) & 255}.${(network & 127) * 2}.0`;
      list.add(`${address}/24`);
      list.add(`${address}/25`);
      if (network < 300) platform.addSubnet(address, 24, 'ipv4');
    }
    const ranges = list.ranges();
    expect(ranges.ipv4.length).toBe(200_000);
    const set = new AddressSet(ranges);
    for (let host = 0; host < 600; host++) {
      const address = `11.${host >> 8}.${host & 255}.255`;
      expect(has(set, address)).toBe(platform.check(address, 'ipv4'));
    }
  });
});
