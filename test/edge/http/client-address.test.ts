// Goal: who sent a request is who the connection or a trusted proxy says, and nobody can say it for
// somebody else.
// Method: the headers as a table; then an edge whose endpoint tells what it took for the address.
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { canonicalAddress, isPublicAddress } from '../../../src/base/address-ranges.ts';
import { ClientAddresses, forwardedAddress } from '../../../src/edge/http/client-address.ts';
import { loadHttpEngine } from '../../../src/edge/http/http-engine.ts';

describe('a trusted proxy says whose request it is (A-42)', () => {
  test.each([
    [{ 'cf-connecting-ip': '81.2.69.142', 'x-forwarded-for': '8.8.8.8' }, '81.2.69.142'],
    [{ 'true-client-ip': '81.2.69.142', 'x-forwarded-for': '8.8.8.8' }, '81.2.69.142'],
    [{ 'cf-connecting-ip': '1.1.1.1', 'true-client-ip': '8.8.8.8' }, '1.1.1.1'],
    // The first of the list is the client's own text.
    [{ 'x-forwarded-for': '9.9.9.9, 8.8.8.8 ,81.2.69.142' }, '81.2.69.142'],
    [{ 'x-forwarded-for': '81.2.69.142:4711' }, '81.2.69.142'],
    [{ 'x-forwarded-for': '[2A02:0db9::0001]:4711' }, '2a02:db9::1'],
    [{ forwarded: 'for=9.9.9.9;proto=http, for=81.2.69.142;by=10.0.0.1' }, '81.2.69.142'],
    [{ forwarded: 'For="[2a02:db9::1]:4711";proto=https' }, '2a02:db9::1'],
    [{ forwarded: 'proto=https;host="for=9.9.9.9"' }, null],
    [{ 'x-real-ip': ' 81.2.69.142 ' }, '81.2.69.142'],
    [{ forwarded: 'for=8.8.8.8', 'x-real-ip': '81.2.69.142' }, '8.8.8.8'],
    // What is no address of the internet says nothing, and the next header is asked.
    [{ 'cf-connecting-ip': '10.0.0.1', 'x-real-ip': '81.2.69.142' }, '81.2.69.142'],
    [{ 'x-forwarded-for': '81.2.69.142, 192.168.0.7' }, null],
    [{ 'x-forwarded-for': 'unknown' }, null],
    [{ forwarded: 'for=_hidden' }, null],
    [{ 'x-forwarded-for': '' }, null],
    [{ 'x-real-ip': '::ffff:10.0.0.1' }, null],
    [{ 'x-real-ip': '::ffff:5102:458e' }, '81.2.69.142'],
    [{}, null],
  ])('%j is %s', (values, expected) => {
    expect(forwardedAddress(new Map(Object.entries(values)))).toBe(expected);
  });
});

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.31.255.255'],
  ...['192.168.1.1', '198.19.0.1', '203.0.113.7', '224.0.0.1', '255.255.255.255', 'fe80::1%eth0'],
  ...[
    '::',
    '::1',
    'fd00::1',
    'FE80::1',
    '::ffff:127.0.0.1',
    '0:0:0:0:0:ffff:7f00:1',
    '2001:db8::1',
  ],
  ...['', 'localhost', '1.2.3', '01.2.3.4', '1.2.3.4.5'],
])('%s is no address of the internet', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

test.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2a02:db9::1', '::ffff:8.8.8.8'])(
  '%s is one',
  (text) => {
    expect(isPublicAddress(text)).toBe(true);
  },
);

test('an address has one spelling', () => {
  const spellings = ['2A02:0DB9:0000:0000:0000:0000:0000:0001', '2a02:db9:0::1', '2a02:db9::1'];
  expect(new Set(spellings.map(canonicalAddress))).toEqual(new Set(['2a02:db9::1']));
  expect(canonicalAddress('0000:0000:0000:0000:0000:ffff:5102:458e')).toBe('81.2.69.142');
  expect(canonicalAddress('fe80::1%eth0')).toBe('fe80::1');
  expect(canonicalAddress('example.org')).toBe(null);
});

test.each([
  { trusted: [], sent: ['81.2.69.142'], taken: '127.0.0.1' },
  { trusted: ['10.0.0.0/8'], sent: ['81.2.69.142'], taken: '127.0.0.1' },
  { trusted: ['127.0.0.0/8'], sent: ['81.2.69.142'], taken: '81.2.69.142' },
  { trusted: ['127.0.0.1', '::1'], sent: ['81.2.69.142'], taken: '81.2.69.142' },
  // A client wrote one line, the proxy added its own.
  { trusted: ['127.0.0.1'], sent: ['9.9.9.9', '81.2.69.142'], taken: '81.2.69.142' },
  { trusted: ['127.0.0.1'], sent: ['10.0.0.9'], taken: '127.0.0.1' },
  { trusted: ['127.0.0.1'], sent: [], taken: '127.0.0.1' },
])('proxies $trusted and lines $sent make it $taken', async ({ trusted, sent, taken }) => {
  const { engine } = await loadHttpEngine();
  type ListenSocket = Parameters<typeof engine.us_socket_local_port>[0];
  const addresses = new ClientAddresses(trusted);
  const app = engine.App();
  app.get('/*', (res, req) => {
    res.end(addresses.of(res, req));
  });
  const socket = await new Promise<false | ListenSocket>((resolve) =>
    app.listen('127.0.0.1', 0, resolve),
  );
  if (socket === false) throw new Error('it listens');
  const text = await new Promise<string>((resolve, reject) => {
    const port = engine.us_socket_local_port(socket);
    const headers = { 'X-Forwarded-For': sent };
    request({ host: '127.0.0.1', port, headers, agent: false }, (incoming) => {
      let body = '';
      incoming.on('data', (chunk) => {
        body += String(chunk);
      });
      incoming.on('end', () => resolve(body));
    })
      .on('error', reject)
      .end();
  });
  expect(text).toBe(taken);
  app.close();
});
