/**
 * Goal: addresses of networks of somebody's own are known, and those beside them are none (I-87).
 * Method: every edge of every range and random addresses near them, against node's list of ranges.
 */
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IP_WORD_COUNT, parseIpv4, readIpWords } from '../../../src/base/ip-words.ts';
import { isOwnIpv4, isOwnIpv6, isTranslated } from '../../../src/ingest/place/own-networks.ts';
import { tries } from '../../support/runs.ts';
import { ipv4Text } from '../../support/traffic/addresses.ts';

/** Private, loopback, link-local and shared (I-87), as the registries of IANA list them. */
const OWN = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16'],
  ...['100.64.0.0/10', 'fc00::/7', 'fe80::/10', '::1/128'],
];

const words = new Uint32Array(IP_WORD_COUNT);
const model = new BlockList();
for (const range of OWN) {
  const [first = '', bits] = range.split('/');
  model.addSubnet(first, Number(bits), isIP(first) === 6 ? 'ipv6' : 'ipv4');
}
const ownIpv4 = (text: string) => isOwnIpv4(parseIpv4(text, 0));

test('an IPv4 address is private, loopback, link-local or shared when the list says so (I-87)', () => {
  const first = fc.constantFrom('10', '172', '192', '127', '169', '100', '9', '11', '8');
  const nearby = fc.tuple(first, ipv4Text).map(([byte, text]) => text.replace(/^\d+/, byte));
  const edges = ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0', '100.63.255.255'];
  edges.push('100.64.0.0', '100.127.255.255', '100.128.0.0', '172.15.255.255', '172.16.0.0');
  edges.push('172.31.255.255', '172.32.0.0', '192.167.255.255', '192.168.0.0', '192.169.0.0');
  edges.push('169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0', '128.0.0.0');
  for (const text of edges) expect([text, ownIpv4(text)]).toEqual([text, model.check(text)]);
  fc.assert(
    fc.property(nearby, (text) => {
      expect([text, ownIpv4(text)]).toEqual([text, model.check(text)]);
    }),
    tries(5_000),
  );
});

test.each([
  ...['fbff:ffff::', 'fc00::', 'fdff:ffff::1', 'fe00::', 'fe7f:ffff::', 'fe80::', 'febf:ffff::1'],
  ...['fec0::', '::1', '::2', '::', '1::1', '2001:db8::1', '::1:0:0:1'],
])('%s is unique local, link-local or loopback when the list says so (I-87)', (text) => {
  expect(readIpWords(text, words)).toBe(6);
  expect(isOwnIpv6(words)).toBe(model.check(text, 'ipv6'));
});

test.each([
  ['64:ff9b::8.8.8.8', true],
  ['::8.8.8.8', false],
  ['64:ff9b:1::8.8.8.8', false],
  ['64:ff9b::1:8.8.8.8', false],
  ['64:ff9c::8.8.8.8', false],
])('%s stands for an IPv4 address: %s (I-87)', (text, isOne) => {
  expect(readIpWords(text, words)).toBe(6);
  expect(isTranslated(words)).toBe(isOne);
});
