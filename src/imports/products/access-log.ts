/**
 * Logs of web servers in the combined format, as nginx and Apache write them: page views of people.
 *
 * Left out are what is no page (images, styles, data) and what was not answered with a page (errors,
 * redirects, other methods). A visitor is an address with a user agent. Bots, places, browsers and
 * systems are told by the two as those of live hits are; neither is kept.
 */

import { sha256 } from '../../base/hash.ts';
import { isAddress } from '../../ingest/place/address.ts';
import {
  type Adapter,
  type ImportedHit,
  ImportFault,
  type Place,
  type SourceSample,
} from '../adapter.ts';
import { linesOf } from '../source/text.ts';
import { instant, known } from '../source/values.ts';
import { campaignIn } from './campaign.ts';

// `[host ]address ident user [time] "request" status bytes "referrer" "agent"`; more is passed over. In
// three steps, of which none goes back over what it has read: a line may be as long as anybody likes.
const FIRST = /^(\S+) (\S+) \S/;
const TIME = / \[(\d{2}\/\w{3}\/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4})\] /g;
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
const REST = new RegExp(`${QUOTED} (\\d{3}) (?:\\d+|-) ${QUOTED} ${QUOTED}`, 'y');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const PAGE_SUFFIX = /\.(?:html?|xhtml|php\d?|aspx?|jspx?|cgi|md)$/i;
const SUFFIX = /\.[A-Za-z0-9]{1,8}$/;
const VISITOR_BYTES = 12;

/** Two words, time, request, status, referrer and user agent. */
type Parts = [string, string, string, string, string, string, string];

export const ACCESS_LOG: Adapter = {
  name: 'access-log',
  title: 'Access log',
  gives: 'hits',
  isPersonal: true,
  recognises: (files) => files.some(isLog),
  async *read(files) {
    for (const file of files) {
      for await (const { first, lines } of linesOf(file, 'lenient')) {
        const hits: ImportedHit[] = [];
        for (const [index, line] of lines.entries()) {
          if (line === '') continue;
          const hit = hitOf(line, { file: file.name, line: first + index });
          if (hit !== null) hits.push(hit);
        }
        yield hits;
      }
    }
  },
};

function isLog({ head }: SourceSample): boolean {
  const end = head.indexOf('\n');
  return partsOf(end === -1 ? head : head.slice(0, end)) !== null;
}

/** Null when the line is none of this format. */
function partsOf(line: string): Parts | null {
  const words = FIRST.exec(line);
  if (words === null) return null;
  TIME.lastIndex = words[0].length;
  const time = TIME.exec(line);
  if (time === null) return null;
  REST.lastIndex = TIME.lastIndex;
  const rest = REST.exec(line);
  return rest && ([...words.slice(1), time[1], ...rest.slice(1)] as Parts);
}

function hitOf(line: string, place: Place): ImportedHit | null {
  const parts = partsOf(line);
  if (parts === null) {
    const expected = 'a line of the combined log format, with referrer and user agent at its end';
    throw new ImportFault(place, expected, line);
  }
  const [first, second, time, request, status, referrer, userAgent] = parts;
  const at = instantOf(place, time);
  const target = pageOf(request, status);
  if (target === null) return null;
  // Servers of many sites write the site's name in front.
  const hasHost = isAddress(second) && !isAddress(first);
  const address = hasHost ? second : first;
  const query = target.indexOf('?');
  return {
    kind: 'view',
    at,
    visitor: visitorOf(`${address} ${userAgent}`),
    address,
    userAgent: unescaped(userAgent),
    hostname: hasHost ? first.replace(/:\d+$/, '') : undefined,
    path: query === -1 ? target : target.slice(0, query),
    referrer: referrer === '-' ? undefined : known(unescaped(referrer)),
    ...(query === -1 ? {} : campaignIn(target.slice(query + 1))),
    place,
  };
}

/** `31/Jan/2026:23:59:59 +0100` as milliseconds. */
function instantOf(place: Place, time: string): number {
  const month = MONTHS.indexOf(time.slice(3, 6)) + 1;
  const date = `${time.slice(7, 11)}-${String(month).padStart(2, '0')}-${time.slice(0, 2)}`;
  return instant(place, `${date} ${time.slice(12, 20)}${time.slice(21)}`, 'UTC');
}

/** What was asked for, without the address of the server; null when it was no page, or was not got. */
function pageOf(request: string, status: string): string | null {
  if (!(status.startsWith('2') || status === '304') || status === '206') return null;
  const [method, target, protocol] = request.split(' ');
  if (method !== 'GET' || target === undefined || !protocol?.startsWith('HTTP/')) return null;
  const local = target.replace(/^https?:\/\/[^/]*/, '') || '/';
  if (!local.startsWith('/')) return null;
  const path = local.replace(/[?#].*$/, '');
  return SUFFIX.test(path) && !PAGE_SUFFIX.test(path) ? null : local;
}

/** Servers write quotation marks and bytes that are no letters with a backslash. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, code?: string, letter?: string) =>
    code === undefined ? (letter as string) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** What tells visitors apart. */
function visitorOf(text: string): string {
  return Buffer.from(sha256(text)).toString('base64url', 0, VISITOR_BYTES);
}
