/**
 * Where a body ends (RFC 9112 sections 6 and 7): what one reader takes for one request and the next
 * for two is how requests are smuggled, so most of these carry a second one.
 */
import { ASKED, type Case, REFUSED, rule, STOPPED, TOLD, times } from './case.ts';
import { ask, bodyOf, head, tellChunked, tellWith } from './request.ts';

/** What is smuggled: an endpoint tells when it reaches it. */
const smuggled = (mark: string): string => ask(mark);
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const END = '0\r\n\r\n';

const LENGTHS: readonly Case[] = [
  ...['7', '007', '7 ', ' 7'].map((length) =>
    rule(
      '6.2',
      `Content-Length ${JSON.stringify(length)}`,
      (m) => tellWith(m, [`Content-Length: ${length}`]),
      TOLD,
    ),
  ),
  ...['-7', '+7', '0x7', '7.0', '7e0', '7 7', '7;', '"7"', 'seven', '', '7,', '1_0', '\xb77'].map(
    (length) =>
      rule(
        '6.3',
        `Content-Length ${JSON.stringify(length)} is none`,
        (m) => tellWith(m, [`Content-Length: ${length}`]) + smuggled(m),
        STOPPED,
      ),
  ),
  ...['18446744073709551623', '4294967303', '9007199254740993', '9'.repeat(400)].map((length) =>
    rule(
      '6.3',
      `Content-Length ${length.slice(0, 20)} is too large`,
      (m) => tellWith(m, [`Content-Length: ${length}`]) + smuggled(m),
      STOPPED,
      /^413 (closed|lost)$/,
    ),
  ),
  rule(
    '6.3',
    'two equal lengths',
    (m) => tellWith(m, ['Content-Length: 7', 'Content-Length: 7']),
    TOLD,
    REFUSED,
  ),
  rule(
    '6.3',
    'equal lengths in one line',
    (m) => tellWith(m, ['Content-Length: 7, 7']),
    TOLD,
    REFUSED,
  ),
  rule(
    '6.3',
    'length 7 beside 0',
    (m) => tellWith(m, ['Content-Length: 7', 'Content-Length: 0']) + smuggled(m),
    STOPPED,
  ),
  rule(
    '6.3',
    'length 0 beside 7',
    (m) => tellWith(m, ['Content-Length: 0', 'Content-Length: 7']) + smuggled(m),
    STOPPED,
  ),
  rule(
    '6.3',
    'length 0 beside that of a request',
    (m) => {
      const inner = smuggled(m);
      return tellWith(m, ['Content-Length: 0', `Content-Length: ${inner.length}`], inner);
    },
    STOPPED,
  ),
  rule(
    '6.3',
    'length 7 beside 8',
    (m) => tellWith(m, ['Content-Length: 7', 'Content-Length: 8']),
    REFUSED,
  ),
  rule(
    '6.3',
    'unequal lengths in one line',
    (m) => tellWith(m, ['Content-Length: 7, 0']) + smuggled(m),
    STOPPED,
  ),
  rule(
    '6.3',
    'unequal lengths of a GET',
    (m) => {
      const inner = smuggled(m);
      return ask(m, 'Content-Length: 0', `Content-Length: ${inner.length}`) + inner;
    },
    STOPPED,
  ),
  rule(
    '5.1',
    'a length behind a header without a name',
    (m) => tellWith(m, [': x', 'Content-Length: 7']) + smuggled(m),
    STOPPED,
  ),
  rule(
    '5.1',
    'a length of a GET behind a header without a name',
    (m) => {
      const inner = smuggled(m);
      return ask(m, ': x', `Content-Length: ${inner.length}`) + inner;
    },
    STOPPED,
  ),
  rule(
    '6.3',
    'a POST without a length',
    () => head('POST /tell HTTP/1.1', 'Host: edge'),
    '400 open',
    '411 open',
    REFUSED,
  ),
  rule(
    '6.3',
    'a body of a GET is no request',
    (m) => {
      const inner = smuggled(m);
      return ask(m, `Content-Length: ${inner.length}`) + inner;
    },
    ASKED,
    STOPPED,
  ),
  rule(
    '6.3',
    'a chunked body of a GET is no request',
    (m) => {
      const inner = smuggled(m);
      return `${ask(m, 'Transfer-Encoding: chunked')}${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    },
    ASKED,
    '200 closed: GET ',
    STOPPED,
  ),
  rule(
    '6.3',
    'a body of a wrong path is no request',
    (m) => {
      const inner = smuggled(m);
      return (
        head('POST /nowhere HTTP/1.1', 'Host: edge', `Content-Length: ${inner.length}`) + inner
      );
    },
    '404 open',
  ),
  rule(
    '6.3',
    'a body of a wrong method is no request',
    (m) => {
      const inner = smuggled(m);
      return head('PUT /tell HTTP/1.1', 'Host: edge', `Content-Length: ${inner.length}`) + inner;
    },
    '405 open',
  ),
];

/** A connection need not go on (9.6), and here it ends with chunks. */
const CHUNKS_TOLD_AND_CLOSED = '200 closed: POST ""';
const CHUNKS_TOLD = /^200 (open|closed): POST ""$/;

const ENCODINGS: readonly Case[] = [
  rule('7.1', 'a chunked POST', (m) => tellChunked(chunk(bodyOf(m)) + END), CHUNKS_TOLD),
  rule(
    '7.1',
    'a chunked POST of single bytes',
    (m) => tellChunked([...bodyOf(m)].map(chunk).join('') + END),
    CHUNKS_TOLD,
  ),
  rule(
    '7.1',
    'chunk sizes in either case',
    (m) => {
      const body = `"${m}${'x'.repeat(0xab - 7)}"`;
      return tellChunked(`Ab\r\n${body}\r\n${END}`);
    },
    /^200 (open|closed): POST "x{164}"$/,
  ),
  rule(
    '7.1',
    'chunk sizes with leading zeros',
    (m) => tellChunked(`0007\r\n${bodyOf(m)}\r\n000${END}`),
    CHUNKS_TOLD,
  ),
  rule(
    '7.1.1',
    'a chunk extension',
    (m) => tellChunked(`7;a=b\r\n${bodyOf(m)}\r\n0;c\r\n\r\n`),
    CHUNKS_TOLD,
    REFUSED,
  ),
  rule(
    '7.1.1',
    'a quoted chunk extension',
    (m) => tellChunked(`7;a="b;c"\r\n${bodyOf(m)}\r\n${END}`),
    CHUNKS_TOLD,
    REFUSED,
  ),
  rule(
    '7.1.1',
    'bare LF in a chunk extension',
    (m) => tellChunked(`7;a\nb\r\n${bodyOf(m)}\r\n${END}`),
    STOPPED,
  ),
  ...[
    '7 ',
    ' 7',
    '+7',
    '-7',
    '0x7',
    'g',
    '',
    '7\r',
    '8000000000000007',
    '10000000000000007',
    'f'.repeat(17),
  ].map((size) =>
    rule(
      '7.1',
      `chunk size ${JSON.stringify(size)} is none`,
      (m) => tellChunked(`${size}\r\n${bodyOf(m)}\r\n${END}`) + smuggled(m),
      STOPPED,
      ...(size === '7 ' ? [/^200 200 open: (POST "", GET |GET , POST "")$/] : []),
    ),
  ),
  rule(
    '7.1',
    'bare LF after a chunk size',
    (m) => tellChunked(`7\n${bodyOf(m)}\r\n${END}`),
    REFUSED,
  ),
  rule(
    '7.1',
    'a chunk longer than its size',
    (m) => tellChunked(`6\r\n${bodyOf(m)}\r\n${END}`) + smuggled(m),
    STOPPED,
  ),
  rule(
    '7.1',
    'a chunk without its line end',
    (m) => tellChunked(`7\r\n${bodyOf(m)}xx${END}`),
    REFUSED,
  ),
  rule(
    '7.1',
    'a chunk with LF for its line end',
    (m) => tellChunked(`7\r\n${bodyOf(m)}\n${END}`) + smuggled(m),
    STOPPED,
  ),
  rule(
    '7.1',
    'nothing is run behind chunks that end wrongly',
    (m) => [tellChunked(`7\r\n${bodyOf(m)}xx${END}`), ...times(20, () => ''), smuggled(m)],
    CHUNKS_TOLD_AND_CLOSED,
    STOPPED,
  ),
  rule(
    '7.1',
    'nothing is run behind chunks of a wrong path',
    (m) => {
      const chunked = tellChunked(`7\r\n${bodyOf(m)}xx${END}`).replace('/tell', '/nowhere');
      return chunked + smuggled(m);
    },
    /^(404 )?closed$/,
    STOPPED,
  ),
  rule(
    '7.1',
    'nothing is run behind chunks that are no JSON',
    (m) => tellChunked(`1\r\n{xx${END}`) + smuggled(m),
    STOPPED,
  ),
  rule(
    '7.1.2',
    'a trailer',
    (m) => tellChunked(`${chunk(bodyOf(m))}0\r\nA: b\r\n\r\n`),
    CHUNKS_TOLD,
    REFUSED,
  ),
  rule(
    '7.1.2',
    'a trailer that looks like a request',
    (m) => tellChunked(`${chunk(bodyOf(m))}0\r\n${smuggled(m)}`),
    CHUNKS_TOLD,
    /^(200 )?400 closed(: POST "")?$/,
    STOPPED,
  ),
  rule(
    '7.1.2',
    'an announced trailer',
    (m) => tellChunked(`${chunk(bodyOf(m))}0\r\nA: b\r\n\r\n`, 'Trailer: A'),
    CHUNKS_TOLD,
    REFUSED,
  ),
  rule(
    '6.1',
    'both a length and chunks',
    (m) => tellChunked(chunk(bodyOf(m)) + END, 'Content-Length: 7') + smuggled(m),
    STOPPED,
  ),
  rule(
    '6.1',
    'both, the length first and short',
    (m) => tellWith(m, ['Content-Length: 5', 'Transfer-Encoding: chunked'], END) + smuggled(m),
    STOPPED,
  ),
  rule(
    '6.1',
    'a GET with both',
    (m) => ask(m, 'Content-Length: 5', 'Transfer-Encoding: chunked') + END + smuggled(m),
    STOPPED,
  ),
  rule(
    '6.1',
    'chunked in capitals',
    (m) => tellWith(m, ['Transfer-Encoding: CHUNKED'], chunk(bodyOf(m)) + END),
    CHUNKS_TOLD,
    STOPPED,
  ),
  ...[
    'identity',
    'gzip',
    'xchunked',
    'chunked, identity',
    'chunked, chunked',
    'gzip, chunked',
    'chunked;q=1',
    '"chunked"',
    '\x0bchunked',
    'chunked,',
    '',
  ].map((encoding) =>
    rule(
      '6.1',
      `Transfer-Encoding ${JSON.stringify(encoding)} is not known`,
      (m) => tellWith(m, [`Transfer-Encoding: ${encoding}`], chunk(bodyOf(m)) + END) + smuggled(m),
      STOPPED,
    ),
  ),
  rule(
    '6.1',
    'an unknown Transfer-Encoding with a length',
    (m) => tellWith(m, ['Content-Length: 7', 'Transfer-Encoding: x']),
    REFUSED,
  ),
  rule(
    '6.1',
    'two Transfer-Encodings',
    (m) =>
      tellWith(
        m,
        ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
        chunk(bodyOf(m)) + END,
      ),
    REFUSED,
  ),
  rule(
    '6.1',
    'a space before the colon of an encoding',
    (m) => tellWith(m, ['Transfer-Encoding : chunked', 'Content-Length: 7']),
    REFUSED,
  ),
  rule(
    '6.1',
    'an unknown Transfer-Encoding of a GET',
    (m) => ask(m, 'Transfer-Encoding: x') + END + smuggled(m),
    STOPPED,
  ),
];

export const BODY_CASES: readonly Case[] = [...LENGTHS, ...ENCODINGS];
