/** Several requests on a connection, its end, and old and new versions (RFC 9112 sections 8 and 9). */
import { ASKED, type Case, REFUSED, rule, TOLD, times } from './case.ts';
import { ask, bodyOf, head, tell, tellChunked, tellWith } from './request.ts';

export const CONNECTION_CASES: readonly Case[] = [
  rule('9.3.2', 'two GETs in one write', (m) => ask(m) + ask(m), '200 200 open: GET , GET '),
  rule(
    '9.3.2',
    'ten GETs in one write',
    (m) => ask(m).repeat(10),
    `${'200 '.repeat(10)}open: ${times(10, () => 'GET ').join(', ')}`,
  ),
  rule(
    '9.3.2',
    'two POSTs in one write',
    (m) => tell(m) + tell(m),
    '200 200 open: POST "", POST ""',
  ),
  rule(
    '9.3.2',
    'ten POSTs in one write',
    (m) => tell(m).repeat(10),
    `${'200 '.repeat(10)}open: ${times(10, () => 'POST ""').join(', ')}`,
  ),
  rule(
    '9.3.2',
    'a POST, then a GET in one write',
    (m) => tell(m) + ask(m),
    /^200 200 open: (POST "", GET |GET , POST "")$/,
  ),
  rule(
    '9.3.2',
    'a GET, then a POST in one write',
    (m) => ask(m) + tell(m),
    '200 200 open: GET , POST ""',
  ),
  rule(
    '9.3.2',
    'a second GET cut in two',
    (m) => [ask(m) + ask(m).slice(0, 9), ask(m).slice(9)],
    '200 200 open: GET , GET ',
  ),
  rule('2.1', 'a GET, byte by byte', (m) => [...ask(m)], ASKED),
  rule('2.1', 'a POST, byte by byte', (m) => [...tell(m)], TOLD),
  rule(
    '7.1',
    'a chunked POST, byte by byte',
    (m) => [...tellChunked(`7\r\n${bodyOf(m)}\r\n0\r\n\r\n`)],
    /^200 (open|closed): POST ""$/,
  ),
  rule(
    '9.3',
    'two POSTs one after the other',
    (m) => [tell(m), ...times(20, () => ''), tell(m)],
    '200 200 open: POST "", POST ""',
  ),
  rule('9.6', 'Connection: close', (m) => ask(m, 'Connection: close'), '200 closed: GET '),
  rule(
    '9.6',
    'Connection: close of a POST',
    (m) => tellWith(m, ['Content-Length: 7', 'Connection: close']),
    '200 closed: POST ""',
  ),
  rule('9.3', 'Connection: keep-alive', (m) => ask(m, 'Connection: keep-alive'), ASKED),
  rule('9.3', 'HTTP/1.0', (m) => head(`GET /ask?${m} HTTP/1.0`, 'Host: edge'), '200 closed: GET '),
  rule(
    '9.3',
    'HTTP/1.0 without a header',
    (m) => head(`GET /ask?${m} HTTP/1.0`),
    '200 closed: GET ',
  ),
  rule(
    '9.3',
    'HTTP/1.0 with keep-alive',
    (m) => head(`GET /ask?${m} HTTP/1.0`, 'Host: edge', 'Connection: keep-alive'),
    ASKED,
    '200 closed: GET ',
  ),
  rule('9.3', 'HTTP/1.0 with a body', (m) => tell(m).replace('1.1', '1.0'), '200 closed: POST ""'),
  rule(
    '9110 7.8',
    'an upgrade that is not offered',
    (m) => ask(m, 'Connection: Upgrade', 'Upgrade: h2c'),
    ASKED,
  ),
  rule(
    '9110 7.8',
    'an upgrade to a WebSocket',
    (m) =>
      ask(
        m,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ),
    ASKED,
  ),
  rule(
    '9110 10.1.1',
    'Expect: 100-continue',
    (m) => [
      tellWith(m, ['Content-Length: 7', 'Expect: 100-continue'], ''),
      ...times(10, () => ''),
      bodyOf(m),
    ],
    '100 200 open: POST ""',
    '200 open: POST ""',
    '417 closed',
  ),
  rule(
    '9110 10.1.1',
    'an expectation that nobody knows',
    (m) => tellWith(m, ['Content-Length: 7', 'Expect: tea']),
    TOLD,
    '417 closed',
  ),
  {
    ...rule('9110 9.3.2', 'HEAD', () => head('HEAD /nowhere HTTP/1.1', 'Host: edge'), '404 open'),
    send: () => ({ pieces: [head('HEAD /nowhere HTTP/1.1', 'Host: edge')], isHead: true }),
  },
  {
    ...rule('9.6', 'a client that closes its half after a GET', () => '', '200 closed: GET '),
    send: (m) => ({ pieces: [ask(m)], ends: true }),
  },
  {
    ...rule(
      '9.6',
      'a client that closes its half after a POST',
      () => '',
      '200 closed: POST ""',
      'closed: POST ""',
    ),
    send: (m) => ({ pieces: [tell(m)], ends: true }),
  },
  {
    ...rule('8', 'a body that ends too early', () => '', 'closed', REFUSED),
    send: (m) => ({ pieces: [tell(m).slice(0, -2)], ends: true }),
  },
  {
    ...rule('8', 'a chunked body that ends too early', () => '', 'closed', REFUSED),
    send: (m) => ({ pieces: [tellChunked(`7\r\n${bodyOf(m)}\r\n`)], ends: true }),
  },
  {
    ...rule('8', 'a head that ends too early', () => '', 'closed', REFUSED),
    send: (m) => ({ pieces: [ask(m).slice(0, -2)], ends: true }),
  },
  {
    ...rule('8', 'a head that is not over is not answered', () => '', 'waits'),
    send: (m) => ({ pieces: [ask(m).slice(0, -2)], unfinished: true }),
  },
  {
    ...rule('8', 'a body that is not over is not answered', () => '', 'waits'),
    send: (m) => ({ pieces: [tell(m).slice(0, -2)], unfinished: true }),
  },
];
