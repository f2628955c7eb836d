/**
 * The dashboard: one page at every address a person may open, and the files that it loads (D-1, D-2).
 *
 * Built and compressed by `config/tools/build-dashboard.mjs`. Whether there is a dashboard at an
 * address never follows from its status: it would tell strangers which private ones exist.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { string } from '../../base/schema.ts';
import { isReservedSubdomain } from '../../control/field-rules.ts';
import { errors } from '../../model/errors.ts';
import { packageRoot } from '../../settings/package-root.ts';
import type { Call, Endpoint, FullAnswer } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { PUBLIC, READS } from '../presets.ts';
import { givenElement } from './given.ts';
import { type DashboardPlace, framesOfPage, placeOfHost, siteAt } from './place.ts';

const FOLDER = 'dist/dashboard';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
/** Nothing but this service's own files, requests and pictures. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
/** What other hosts may learn of the page: nothing, also when a person follows a link. */
const PAGE_HEADERS = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' };
/** What an address of one part may look like: a label of DNS (M-10). */
const LABEL = /^[a-z0-9-]{1,63}$/i;

/** The account of who is signed in, which the page itself shows. */
const ACCOUNT = 'account';

const PAGE = {
  ...{ ...READS, ...PUBLIC, needsReady: false },
  greetsPerson: true,
  answer: { kind: 'html', status: 200, schema: null },
} as const;

/** The page at `/` and at the address of a dashboard, and its files. */
export const dashboardEndpoints: readonly Endpoint[] = [
  { ...PAGE, path: '/', summary: 'The dashboard: the list of sites, or signing in.', handle: page },
  {
    ...PAGE,
    path: '/{subdomain}',
    summary: 'The dashboard of a site.',
    parameters: [
      {
        ...{ name: 'subdomain', in: 'path', isRequired: true },
        ...{ description: 'The subdomain of a domain.', schema: string },
      },
    ],
    refusals: [404],
    handle: pageOfSite,
  },
  {
    ...{ ...READS, ...PUBLIC, needsReady: false },
    path: '/assets/{name}',
    summary: 'A file that the dashboard loads; its name is that of its content.',
    parameters: [
      {
        ...{ name: 'name', in: 'path', isRequired: true },
        ...{ description: 'The name of the file.', schema: string },
      },
    ],
    answer: { kind: 'file', status: 200, schema: null, isImmutable: true, isPacked: true },
    refusals: [404],
    handle: ({ pathPart }) => asset(pathPart),
  },
];

/** The first element of the page, which says what the page shows, and where nobody has signed in. */
const FIRST = '<html lang="en"';
const NOBODY = ' data-nobody';
const UNFRAMED = "frame-ancestors 'none'";

/** The page as it is built, by its file: each asks at once for what it is going to show (D-3). */
const pages = new Map<string, string>();
const PAGE_FILE = 'page.html';
const SITE_FILE = 'site.html';
const SITES_FILE = 'sites.html';
const HEAD_END = '</head>';

/** As it is built, of which dashboard it is (D-1), and what it would ask first. */
async function page(call: Call, ports: Ports): Promise<FullAnswer> {
  const place = placeOfHost(call.host, ports);
  const frames = framesOfPage(call, place, ports);
  const policy =
    frames.length === 0 ? POLICY : POLICY.replace(UNFRAMED, `frame-ancestors ${frames.join(' ')}`);
  const given = await givenElement(call, siteAt(call, place, ports.access), ports);
  const body = pageOf(place, call).replace(HEAD_END, () => given + HEAD_END);
  return { body, headers: { ...PAGE_HEADERS, 'Content-Security-Policy': policy } };
}

/** Where nothing is, a person is told so by a page (D-2); null: it is not built. */
export function missingPage(): FullAnswer | null {
  if (!existsSync(join(packageRoot(), FOLDER, PAGE_FILE))) return null;
  return { body: pageOf({ kind: 'unknown' }), headers: PAGE_HEADERS };
}

/** @param call by which it is asked for; absent where nothing is. */
function pageOf(place: DashboardPlace, call?: Call): string {
  // Names are of DNS: nothing in them means anything in HTML.
  const name = 'name' in place ? place.name : '';
  const shows = name === '' ? place.kind : `${place.kind} ${name}`;
  const nobody = call?.hasSession === true ? '' : NOBODY;
  return built(fileOf(place, call)).replace(FIRST, `${FIRST} data-shows="${shows}"${nobody}`);
}

/** Which of the pages: that of a site, the list of them, or signing in and what is there beside. */
function fileOf(place: DashboardPlace, call?: Call): string {
  if (call === undefined || place.kind === 'unknown') return PAGE_FILE;
  if (place.kind !== 'service') return SITE_FILE;
  if (call.pathPart === '' && call.credential !== null) return SITES_FILE;
  return call.pathPart === '' || call.pathPart === ACCOUNT ? PAGE_FILE : SITE_FILE;
}

function built(file: string): string {
  const known = pages.get(file) ?? readFileSync(join(packageRoot(), FOLDER, file), 'utf8');
  pages.set(file, known);
  return known;
}

/** @throws PATH_NOT_FOUND: `/robots.txt` and the like are asked for by programs. */
function pageOfSite(call: Call, ports: Ports): Promise<FullAnswer> {
  const { pathPart } = call;
  const isReserved = pathPart !== ACCOUNT && isReservedSubdomain(pathPart);
  if (isReserved || !LABEL.test(pathPart)) throw errors.PATH_NOT_FOUND({ path: `/${pathPart}` });
  return page(call, ports);
}

let assets: ReadonlyMap<string, FullAnswer> | null = null;

/** From memory: names are looked up, never put into a path. */
function asset(name: string): FullAnswer {
  assets ??= readAssets();
  const found = assets.get(name);
  if (found === undefined) throw errors.RECORD_NOT_FOUND({ kind: 'file', id: name });
  return found;
}

function readAssets(): ReadonlyMap<string, FullAnswer> {
  const folder = join(packageRoot(), FOLDER, 'assets');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    names
      .filter((name) => TYPES[extname(name)] !== undefined)
      .map((name) => [
        name,
        read(join(folder, name), { 'Content-Type': TYPES[extname(name)] ?? '' }),
      ]),
  );
}

function read(path: string, headers: FullAnswer['headers']): FullAnswer {
  const packed = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
  return { body: readFileSync(path), headers, packed };
}
