/** The request line and the headers (RFC 9112 sections 2, 3 and 5; RFC 9110 sections 4 and 5). */
import { ASKED, type Case, REFUSED, rule, TOLD, times } from './case.ts';
import { ask, bodyOf, head, tell, tellWith } from './request.ts';

const BASICS: readonly Case[] = [
  rule('2.1', 'a GET', (m) => ask(m), ASKED),
  rule('2.1', 'a POST', (m) => tell(m), TOLD),
  rule('2.2', 'an empty line before the request line', (m) => `\r\n${ask(m)}`, ASKED, REFUSED),
  rule('2.2', 'a space before the request line', (m) => ` ${ask(m)}`, REFUSED),
  rule('2.2', 'bare LF ends the lines', (m) => ask(m).replaceAll('\r', ''), ASKED, REFUSED),
  rule('2.2', 'bare LF ends one header', (m) => ask(m, 'A: b\nC: d'), ASKED, REFUSED),
  rule('2.2', 'bare CR within a header', (m) => ask(m, 'A: b\rC: d'), ASKED, REFUSED),
  rule('2.2', 'LF CR ends the head', (m) => ask(m).replace(/\r\n\r\n$/, '\r\n\n\r'), REFUSED),
  rule('9110 5.5', 'NUL in a header', (m) => ask(m, 'A: b\0c'), ASKED, REFUSED),
  rule('9110 5.5', 'a control character in a header', (m) => ask(m, 'A: b\x01c'), ASKED, REFUSED),
  rule('9110 5.5', 'a tab in a header', (m) => ask(m, 'A: b\tc'), ASKED),
  rule('9110 5.5', 'bytes beyond ASCII in a header', (m) => ask(m, 'A: caf\xe9'), ASKED, REFUSED),
  rule('5', 'a header without a value', (m) => ask(m, 'A:'), ASKED),
  rule('5', 'a header without a space after the colon', (m) => ask(m, 'A:b'), ASKED),
  rule('5.1', 'a space before the colon', (m) => ask(m, 'A : b'), REFUSED),
  rule(
    '5.1',
    'a space before the colon of a length',
    (m) => tellWith(m, ['Content-Length : 7'], bodyOf(m)),
    REFUSED,
  ),
  rule('5.1', 'a header without a name', (m) => ask(m, ': b'), REFUSED),
  rule('5.1', 'a header without a colon', (m) => ask(m, 'A b'), REFUSED),
  rule('5.1', 'a name that is no token', (m) => ask(m, 'A(b): c'), REFUSED),
  rule(
    '9110 5.6.2',
    'a name of all token characters',
    (m) => ask(m, "A!#$%&'*+-.^_`|~09: b"),
    ASKED,
  ),
  rule('5.2', 'a folded header', (m) => ask(m, 'A: b\r\n c'), ASKED, REFUSED),
  rule('5.2', 'a folded length', (m) => tellWith(m, ['Content-Length:\r\n 7']), TOLD, REFUSED),
  rule('9110 5.1', 'names in any case', (m) => tellWith(m, ['cOnTeNt-LeNgTh: 7']), TOLD),
];

const LINES: readonly Case[] = [
  rule(
    '3.1',
    'a method in lower case',
    (m) => ask(m).replace('GET', 'get'),
    '405 open',
    '501 open',
    REFUSED,
  ),
  rule(
    '3.1',
    'a method that nobody knows',
    (m) => ask(m).replace('GET', 'BREW'),
    '405 open',
    '501 open',
  ),
  rule(
    '3.1',
    'OPTIONS of everything',
    () => head('OPTIONS * HTTP/1.1', 'Host: edge'),
    /^\d{3} open$/,
    REFUSED,
  ),
  rule(
    '3.2.3',
    'CONNECT',
    () => head('CONNECT edge:80 HTTP/1.1', 'Host: edge:80'),
    /^4\d\d open$/,
    /^[45]\d\d closed$/,
  ),
  rule(
    '3.2.2',
    'a target in absolute form',
    (m) => head(`GET http://edge/ask?${m} HTTP/1.1`, 'Host: edge'),
    ASKED,
  ),
  rule(
    '3.2',
    'a target without a slash',
    (m) => head(`GET ask?${m} HTTP/1.1`, 'Host: edge'),
    '404 open',
    REFUSED,
  ),
  rule(
    '3',
    'two spaces in the request line',
    (m) => ask(m).replace('GET ', 'GET  '),
    ASKED,
    REFUSED,
  ),
  rule('3', 'a tab in the request line', (m) => ask(m).replace('GET ', 'GET\t'), ASKED, REFUSED),
  rule(
    '3.2',
    'a space in the target',
    (m) => head(`GET /ask?${m} b HTTP/1.1`, 'Host: edge'),
    REFUSED,
  ),
  rule(
    '3',
    'a request line without a version',
    (m) => head(`GET /ask?${m}`, 'Host: edge'),
    REFUSED,
  ),
  rule('2.3', 'version 2.0', (m) => ask(m).replace('1.1', '2.0'), REFUSED),
  rule('2.3', 'version 1.2', (m) => ask(m).replace('1.1', '1.2'), ASKED, REFUSED),
  rule('2.3', 'a version in lower case', (m) => ask(m).replace('HTTP', 'http'), REFUSED),
  rule('2.3', 'the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', REFUSED),
  rule('3.2', 'NUL in the target', (m) => head(`GET /ask?\0${m} HTTP/1.1`, 'Host: edge'), REFUSED),
  rule(
    '3.2',
    'UTF-8 in the target',
    (m) => head(`GET /ask?\xc3\xa9${m} HTTP/1.1`, 'Host: edge'),
    /^200 open: GET .+/,
    REFUSED,
  ),
  rule(
    '9110 4.2.3',
    'an encoded path',
    (m) => head(`GET /%61sk?${m} HTTP/1.1`, 'Host: edge'),
    ASKED,
    '404 open',
  ),
  rule(
    '9110 4.2.3',
    'a path with a broken encoding',
    (m) => head(`GET /%zz?${m} HTTP/1.1`, 'Host: edge'),
    '404 open',
    REFUSED,
  ),
  rule(
    '9110 4.2.3',
    'encodings in the query are passed on',
    (m) => head(`GET /ask?%C3%A9%20${m} HTTP/1.1`, 'Host: edge'),
    '200 open: GET %C3%A9%20',
  ),
  rule(
    '3',
    'a request line of 2,000 bytes',
    (m) => ask(`${m}${'x'.repeat(1_960)}`),
    /^200 open: GET x{1960}$/,
  ),
  rule(
    '3',
    'a request line of 7,900 bytes',
    (m) => ask(`${m}${'x'.repeat(7_860)}`),
    /^200 open: GET x{7860}$/,
  ),
  rule(
    '3',
    'a request line of 16,000 bytes in packets',
    (m) => {
      const text = ask(`${m}${'x'.repeat(15_960)}`);
      return times(12, (n) => text.slice(n * 1_448, (n + 1) * 1_448));
    },
    /^200 open: GET x{15960}$/,
  ),
  rule('3', 'a request line of 100,000 bytes', (m) => ask(`${m}${'x'.repeat(100_000)}`), REFUSED),
  rule('3.2', 'no Host', (m) => head(`GET /ask?${m} HTTP/1.1`, 'A: b'), REFUSED),
  rule('3.2', 'no header at all', (m) => head(`GET /ask?${m} HTTP/1.1`), REFUSED),
  rule('3.2', 'an empty Host', (m) => ask(m).replace('Host: edge', 'Host:'), ASKED, REFUSED),
  rule('3.2', 'two Hosts', (m) => ask(m, 'Host: other'), REFUSED),
  rule('5', '90 headers', (m) => ask(m, ...times(89, (n) => `X-${n}: ${n}`)), ASKED),
  rule('5', '100 headers', (m) => ask(m, ...times(99, (n) => `X-${n}: ${n}`)), ASKED, REFUSED),
  rule('5', '200 headers', (m) => ask(m, ...times(199, (n) => `X-${n}: ${n}`)), ASKED, REFUSED),
  rule('5', 'a header of 3,000 bytes', (m) => ask(m, `A: ${'x'.repeat(3_000)}`), ASKED),
  rule('5', 'a header of 7,000 bytes', (m) => ask(m, `A: ${'x'.repeat(7_000)}`), ASKED),
  rule(
    '5',
    'a header of 7,000 bytes in five pieces',
    (m) => {
      const text = ask(m, `A: ${'x'.repeat(7_000)}`);
      return times(5, (n) => text.slice(n * 1_440, (n + 1) * 1_440));
    },
    ASKED,
  ),
  rule('5', 'a header of 200,000 bytes', (m) => ask(m, `A: ${'x'.repeat(200_000)}`), REFUSED),
];

export const HEAD_CASES: readonly Case[] = [...BASICS, ...LINES];
