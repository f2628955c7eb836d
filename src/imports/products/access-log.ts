/**
 * Logs of web servers in the combined format, as nginx and Apache write them: page views of people.
 *
 * Left out are what is no page (images, styles, data), what was not answered with a page (errors,
 * redirects, other methods) and bots, by the rules that live hits are judged by (I-15 to I-23). A
 * visitor is an address with a user agent; both end here: what goes on is a hash of the two and the
 * names of browser and system.
 */

import { BoundedCache } from '../../base/bounded-cache.ts';
import { sha256 } from '../../base/hash.ts';
import { parseAgent } from '../../ingest/agent/agent.ts';
import { agentFormVerdict, agentKeywordVerdict } from '../../ingest/agent/bot.ts';
import {
  agentPatternVerdict,
  browserVerdict,
  rvVerdict,
} from '../../ingest/agent/browser-rules.ts';
import { isAddress } from '../../ingest/place/address.ts';
import { AGENT_CACHE_ENTRY_COUNT_MAX } from '../../model/limits.ts';
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

/** `[host ]address ident user [time] "request" status bytes "referrer" "agent"`; more is passed over. */
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
const TIME = '\\[(\\d{2}/\\w{3}/\\d{4}:\\d{2}:\\d{2}:\\d{2} [+-]\\d{4})\\]';
const LINE = new RegExp(
  `^(\\S+) (\\S+) \\S.*? ${TIME} ${QUOTED} (\\d{3}) (?:\\d+|-) ${QUOTED} ${QUOTED}`,
);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const PAGE_SUFFIX = /\.(?:html?|xhtml|php\d?|aspx?|jspx?|cgi|md)$/i;
const SUFFIX = /\.[A-Za-z0-9]{1,8}$/;
const VISITOR_BYTES = 12;

/** The whole line, two words, time, request, status, referrer and user agent. */
type Parts = [string, string, string, string, string, string, string, string];
type Agent = Pick<ImportedHit, 'browser' | 'browserVersion' | 'os' | 'osVersion'>;

export const ACCESS_LOG: Adapter = {
  name: 'access-log',
  title: 'Access log',
  gives: 'hits',
  recognises: (files) => files.some(isLog),
  async *read(files) {
    const agents = new Agents();
    for (const file of files) {
      for await (const { first, lines } of linesOf(file, 'lenient')) {
        const hits: ImportedHit[] = [];
        for (const [index, line] of lines.entries()) {
          if (line === '') continue;
          const hit = hitOf(line, { file: file.name, line: first + index }, agents);
          if (hit !== null) hits.push(hit);
        }
        yield hits;
      }
    }
  },
};

function isLog({ head }: SourceSample): boolean {
  const end = head.indexOf('\n');
  return LINE.test(end === -1 ? head : head.slice(0, end));
}

function hitOf(line: string, place: Place, agents: Agents): ImportedHit | null {
  const parts = LINE.exec(line);
  if (parts === null) {
    const expected = 'a line of the combined log format, with referrer and user agent at its end';
    throw new ImportFault(place, expected, line);
  }
  const [, first, second, time, request, status, referrer, userAgent] = parts as unknown as Parts;
  const at = instantOf(place, time);
  const target = pageOf(request, status);
  const agent = target === null ? null : agents.of(unescaped(userAgent));
  if (target === null || agent === null) return null;
  // Servers of many sites write the site's name in front.
  const hasHost = isAddress(second) && !isAddress(first);
  const query = target.indexOf('?');
  return {
    kind: 'view',
    at,
    visitor: visitorOf(`${hasHost ? second : first} ${userAgent}`),
    hostname: hasHost ? first.replace(/:\d+$/, '') : undefined,
    path: query === -1 ? target : target.slice(0, query),
    referrer: referrer === '-' ? undefined : known(unescaped(referrer)),
    ...agent,
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

/** What tells visitors apart, and neither address nor user agent any more. */
function visitorOf(text: string): string {
  return Buffer.from(sha256(text)).toString('base64url', 0, VISITOR_BYTES);
}

/** Browser and system by user agent. */
class Agents {
  readonly #known = new BoundedCache<string, Agent | 'bot'>(AGENT_CACHE_ENTRY_COUNT_MAX);

  /** Null for bots. */
  of(userAgent: string): Agent | null {
    let agent = this.#known.get(userAgent);
    if (agent === undefined) {
      agent = read(userAgent);
      this.#known.set(userAgent, agent);
    }
    return agent === 'bot' ? null : agent;
  }
}

function read(userAgent: string): Agent | 'bot' {
  if (agentFormVerdict(userAgent) !== 0) return 'bot';
  const { browser, browserVersion, os, osVersion } = parseAgent(userAgent);
  const verdicts = [
    ...[browserVerdict(browser, browserVersion), rvVerdict(userAgent)],
    ...[agentKeywordVerdict(userAgent), agentPatternVerdict(userAgent)],
  ];
  if (verdicts.some((verdict) => verdict !== 0)) return 'bot';
  return {
    browser: known(browser),
    browserVersion: known(browserVersion),
    os: known(os),
    osVersion: known(osVersion),
  };
}
