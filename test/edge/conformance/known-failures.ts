/**
 * What each engine gets wrong: package → case → what comes instead (`wire.ts` says how to read it).
 *
 * The table is exact: a case that fails otherwise, or no longer, fails its test. In none of them does
 * a request run that a proxy in front, which keeps the rules itself, takes for part of another one.
 */

type Failures = Readonly<Record<string, string>>;

/** Answered by nobody: the engine waits for more and ends the connection after some seconds. */
const HANGS = 'lost';
/** The engine's own page in HTML. */
const NO_VERSION = '505 closed';
/** Counted, and the connection ends without the answer: the client sends the hit again. */
const CUT_OFF = 'closed: POST ""';
/** Taken, though it should be refused; nothing behind it is run. */
const TAKEN = '200 closed: POST ""';

/** Of every build there is, the newest in its sources included. */
const OF_ALL: Failures = {
  'an empty line before the request line': HANGS,
  'bare CR within a header': HANGS,
  // Headers behind it are seen by nobody here: the one way left to smuggle, if a proxy passed it on.
  'a header without a name': '200 open: GET ',
  'a length of a GET behind a header without a name': '200 200 open: GET , GET ',
  'a target in absolute form': NO_VERSION,
  'a request line without a version': HANGS,
  // Bytes beyond ASCII are cut off the ends of every value before it is looked at.
  'Content-Length "·7" is none': CUT_OFF,
  'a chunk extension': HANGS,
  'bare LF in a chunk extension': HANGS,
  'chunk size "7 " is none': CUT_OFF,
  'chunk size "7\\r" is none': CUT_OFF,
  'bare LF after a chunk size': TAKEN,
  'a chunk without its line end': TAKEN,
  'a chunk with LF for its line end': CUT_OFF,
  // Announced ones are refused with the contract's error.
  'a trailer': '505 closed: POST ""',
  'a trailer that looks like a request': CUT_OFF,
  // A request that comes before the one before it is answered ends the connection.
  'two POSTs in one write': CUT_OFF,
  'ten POSTs in one write': CUT_OFF,
  'a POST, then a GET in one write': CUT_OFF,
  'HTTP/1.0': NO_VERSION,
  'HTTP/1.0 without a header': NO_VERSION,
  'HTTP/1.0 with keep-alive': NO_VERSION,
  'HTTP/1.0 with a body': NO_VERSION,
};

/** By package: `@btc-vision/uwebsockets.js` 20.57.0 and `uws-pack` 20.0.8. */
export const KNOWN_FAILURES: Readonly<Record<string, Failures>> = {
  'uWebSockets.js': OF_ALL,
  'uws-pack': {
    ...OF_ALL,
    'a GET, byte by byte': NO_VERSION,
    'a POST, byte by byte': NO_VERSION,
    'a chunked POST, byte by byte': NO_VERSION,
    'bare LF ends one header': HANGS,
    'LF CR ends the head': HANGS,
    'NUL in a header': HANGS,
    'a control character in a header': HANGS,
    'a space before the colon': HANGS,
    'a space before the colon of a length': HANGS,
    'a space before the colon of an encoding': HANGS,
    'a header without a colon': HANGS,
    'a name that is no token': HANGS,
    'a folded header': HANGS,
    'a folded length': HANGS,
    'no header at all': HANGS,
    'Transfer-Encoding "\\u000bchunked" is not known': HANGS,
  },
};

/** The bytes of ` HTTP/1.1\r\n` behind which a cut is not read. */
const VERSION_CUTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Where a request line may not be cut by the network: bytes before the cut; it is answered 505. */
export const CUT_FAILURES: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'uWebSockets.js': {},
  // Before the target, and within ` HTTP/1.1` and its line end; anywhere else is fine.
  'uws-pack': {
    GET: [4, ...VERSION_CUTS.map((byte) => 'GET /ask?~0000'.length + 1 + byte)],
    POST: [5, ...VERSION_CUTS.map((byte) => 'POST /tell'.length + 1 + byte)],
    'chunked POST': [5, ...VERSION_CUTS.map((byte) => 'POST /tell'.length + 1 + byte)],
  },
};
