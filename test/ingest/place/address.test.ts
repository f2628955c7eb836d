/**
 * Goal: texts are read as addresses as strictly as node does, and addresses of nobody's have no place.
 * Method: random texts against `node:net`; every edge of every range against its list of addresses.
 */
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOT_IPV4, parseIpv4, parseIpv6 } from '../../../src/ingest/place/address.ts';
import { embeddedIpv4, isOwnIpv4, isOwnIpv6 } from '../../../src/ingest/place/own-networks.ts';
import { tries } from '../../support/runs.ts';
import { anyAddressText, ipv4Text } from './addresses.ts';

const words = new Uint32Array(4);

describe('a text', () => {
  test('is an IPv4 address exactly when node says so, and that address', () => {
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

  test('is an IPv6 address exactly when node says so and there is no zone', () => {
    fc.assert(
      fc.property(anyAddressText, (text) => {
        expect([text, parseIpv6(text, words)]).toEqual([text, isIP(text) === 6 && !/%/.test(text)]);
      }),
      tries(20_000),
    );
  });

  test('is the IPv6 address that a URL makes of it', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        expect(parseIpv6(text, words)).toBe(true);
        expect(new URL(`http://[${written(words)}]`).host).toBe(new URL(`http://[${text}]`).host);
      }),
      tries(5_000),
    );
  });

  test.each([
    ['::', '0:0:0:0:0:0:0:0'],
    ['1::', '1:0:0:0:0:0:0:0'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['2001:DB8::a:0', '2001:db8:0:0:0:0:a:0'],
    ['::ffff:255.0.1.2', '0:0:0:0:0:ffff:ff00:102'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
  ])('%s is the address %s', (text, groups) => {
    expect(parseIpv6(text, words)).toBe(true);
    expect(written(words)).toBe(groups);
  });

  test.each([
    ...['', ':', ':::', '1', '1:', ':1', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9'],
    ...['1:2:3:4:5:6:7:8::', '::1:2:3:4:5:6:7:8', '12345::', 'g::', '1:2:3:4:5:6:7:1.2.3.4'],
    ...['::1.2.3', '::1.2.3.4:1', '::1.2.3.256', '1.2.3.4', ' ::1', '::1 ', '::1%eth0', '1:::2'],
  ])('%j is no IPv6 address', (text) => {
    expect(parseIpv6(text, words)).toBe(false);
  });
});

/** Private, loopback, link-local and shared (I-87), as the registries of IANA list them. */
const OWN = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16'],
  ...['100.64.0.0/10', 'fc00::/7', 'fe80::/10', '::1/128'],
];

describe('an address', () => {
  const model = new BlockList();
  for (const range of OWN) {
    const [first = '', bits] = range.split('/');
    model.addSubnet(first, Number(bits), isIP(first) === 6 ? 'ipv6' : 'ipv4');
  }
  const near = fc.constantFrom(...['10', '172', '192', '127', '169', '100', '9', '11', '8']);

  test('of IPv4 is of a network of nobody else exactly when a list of these says so (I-87)', () => {
    const nearby = fc.tuple(near, ipv4Text).map(([first, text]) => text.replace(/^\d+/, first));
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
  ])('%s is of such a network when the list says so (I-87)', (text) => {
    expect(parseIpv6(text, words)).toBe(true);
    expect(isOwnIpv6(words)).toBe(model.check(text, 'ipv6'));
  });

  test.each([
    ['::ffff:8.8.8.8', 0x0808_0808],
    ['::ffff:c0a8:101', 0xc0a8_0101],
    ['64:ff9b::8.8.8.8', 0x0808_0808],
    ['::8.8.8.8', NOT_IPV4],
    ['64:ff9b:1::8.8.8.8', NOT_IPV4],
    ['64:ff9b::1:8.8.8.8', NOT_IPV4],
    ['1::ffff:8.8.8.8', NOT_IPV4],
    ['::1:ffff:8.8.8.8', NOT_IPV4],
  ])('%s stands for the IPv4 address %i (I-87)', (text, address) => {
    expect(parseIpv6(text, words)).toBe(true);
    expect(embeddedIpv4(words)).toBe(address);
  });
});

const ownIpv4 = (text: string) => isOwnIpv4(parseIpv4(text, 0));

function written(address: Uint32Array): string {
  return Array.from(address, (word) => [word >>> 16, word & 0xffff])
    .flat()
    .map((group) => group.toString(16))
    .join(':');
}
