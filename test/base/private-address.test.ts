// Goal: no way to write an address of one's own network passes for one of the internet (M-51).
// Method: rows of hosts as `URL` writes them.
import { describe, expect, test } from 'vitest';
import { isPrivateAddress, isPrivateHost } from '../../src/base/private-address.ts';

const hostOf = (address: string): string => new URL(address).hostname;

describe('a host is of a network of ones own (M-51)', () => {
  test.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f.0.0.1',
    'http://0177.0.0.1',
    'http://0.0.0.0',
    'http://10.1.2.3',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.1.1',
    'http://169.254.169.254',
    'http://100.64.0.1',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:a00:1]',
    'http://[fe80::1]',
    'http://[fd00::1]',
    'http://[64:ff9b::7f00:1]',
    'http://[2002:7f00:1::]',
    'http://[ff02::1]',
    'http://localhost',
    'http://LOCALHOST.',
    'http://a.localhost',
    'http://１２７.0.0.1',
  ])('%s', (address) => {
    expect(isPrivateHost(hostOf(address))).toBe(true);
  });
});

describe('a host is none of them', () => {
  test.each([
    'http://8.8.8.8',
    'http://172.15.0.1',
    'http://172.32.0.1',
    'http://192.167.1.1',
    'http://100.128.0.1',
    'http://example.org',
    'http://localhost.example.org',
    'http://10.example.org',
    'http://[2606:4700::1111]',
    'http://[::ffff:8.8.8.8]',
  ])('%s', (address) => {
    expect(isPrivateHost(hostOf(address))).toBe(false);
  });

  test('what is no address', () => {
    expect(isPrivateAddress('')).toBe(false);
    expect(isPrivateAddress('localhost')).toBe(false);
  });
});
