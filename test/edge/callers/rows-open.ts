/**
 * The table's rows of what needs no credentials, or has its own: collection, tokens, people
 * who sign in, the state of the process.
 */
import {
  ANYBODY_BUT_BAD,
  type ByPerson,
  NOBODY_SEES,
  OPEN,
  type Row,
  SESSION,
  UNAUTHORIZED,
  UNFIXED,
} from './row.ts';
import type { World } from './world.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const hit = ({ hostname }: World) => ({
  ...{ url: `https://${hostname}/`, ip: '81.2.69.142', user_agent: AGENT },
});
const event = (world: World) => ({ ...hit(world), event_name: 'sold' });

/** A foreign hostname is refused; whether a Viewer's client may collect is not said. */
const COLLECTED: ByPerson = { ...UNFIXED, owner: 200, stranger: 400 };
/** A batch tells which items were of foreign hostnames, and is answered 200. */
const GATHERED: ByPerson = { ...UNFIXED, owner: 200 };

function rowsOf(
  area: 'hit' | 'event' | 'session',
  itemOf: (world: World) => object,
  [single, batch]: readonly [Partial<Row>, Partial<Row>],
): Row[] {
  const rights: Omit<Row, 'at'> = {
    ...{ who: 'user, domain client', scopes: [`${area} w`], people: UNFIXED },
    ...{ accessKey: 200, signedIn: UNFIXED },
  };
  const items = (world: World) => [{ ...itemOf(world), time: '2026-11-20T11:59:00Z' }];
  return [
    { ...rights, ...single, at: `POST ${area}`, body: itemOf },
    { ...rights, ...batch, at: `POST ${area}/batch`, body: items },
  ];
}

/** A keep-alive names no page, and so no site of an account. */
const collecting: readonly Row[] = [
  ...rowsOf('hit', hit, [{ people: COLLECTED }, { people: GATHERED }]),
  ...rowsOf('event', event, [{ people: COLLECTED }, { people: GATHERED }]),
  ...rowsOf('session', hit, [{}, {}]),
];

/** Whose page it is follows from the code, whoever else the request says it is of (A-40, A-41, D-33). */
const ofPage = ({ hostname, identificationCode: code }: World) => ({
  ...{ code, url: `https://${hostname}/` },
});
const NO_SITE = { how: 'with a code of no domain', people: ANYBODY_BUT_BAD } as const;
const noSite = () => ({ code: 'x'.repeat(32), url: 'https://site.test/' });
const browsing: readonly Row[] = [
  ...['GET /hit', 'POST /hit', 'GET /hit.gif', 'POST /session'].flatMap((at) => [
    { ...OPEN, at, query: ofPage },
    { ...OPEN, at, ...NO_SITE, query: noSite },
  ]),
  {
    ...{ ...OPEN, at: 'POST /event' },
    body: (world: World) => {
      const { code: identification_code, url } = ofPage(world);
      return { identification_code, url, event_name: 'sold' };
    },
  },
];

const tokens: readonly Row[] = [
  {
    ...{ ...OPEN, at: 'POST token' },
    body: ({ secrets }) => {
      const { clientId, secret } = secrets.oauth.get('owner r') ?? {};
      return { client_id: clientId, client_secret: secret };
    },
  },
  {
    ...{ ...OPEN, at: 'POST token', how: 'with a wrong secret', people: UNAUTHORIZED },
    body: ({ secrets }) => {
      return { client_id: secrets.oauth.get('owner r')?.clientId, client_secret: 'x'.repeat(64) };
    },
  },
];

/** No page of somebody else signs people in, or has links sent. */
const FROM_OWN_PAGES = { ...OPEN, toForeignPages: 403 } as const;

const signingIn: readonly Row[] = [
  {
    ...{ ...FROM_OWN_PAGES, at: 'POST login', how: 'with a wrong password', people: UNAUTHORIZED },
    body: (_, own) => ({ email: own.email, password: 'not the password' }),
  },
  { ...SESSION, at: 'POST logout' },
  { ...SESSION, at: 'POST logout/all' },
  {
    ...{ ...FROM_OWN_PAGES, at: 'POST password/forgot' },
    body: (_, own) => ({ email: own.email }),
  },
  {
    ...{
      ...FROM_OWN_PAGES,
      at: 'POST password/reset',
      how: 'with a wrong link',
      people: ANYBODY_BUT_BAD,
    },
    body: () => ({ token: 'x'.repeat(32), password: 'a long enough secret' }),
  },
  ...['GET unsubscribe', 'POST unsubscribe'].map((at) => ({
    ...{ ...OPEN, at, how: 'with a token of nobody', people: ANYBODY_BUT_BAD },
    query: () => ({ token: 'x'.repeat(99) }),
  })),
  {
    ...{ ...OPEN, at: 'POST access', how: 'without a code', people: UNAUTHORIZED },
    body: ({ subdomain }) => ({ subdomain }),
  },
  {
    ...{ ...OPEN, at: 'POST access', how: 'with the code' },
    body: ({ subdomain, secrets }) => ({ subdomain, access: secrets.code }),
  },
];

const process: readonly Row[] = [
  '/',
  '/api/v1',
  '/docs',
  '/credits',
  '/reset',
  '/activate',
  '/livez',
  '/readyz',
  '/api/v1/openapi.json',
  '/js/footfall.js',
  '/js/footfall-extended.js',
].map((path) => ({
  ...{ ...OPEN, at: `GET ${path}` },
}));

/** To anyone, also that there is none (M-70); `test/edge/theme-file.test.ts` has files. */
const files: readonly Row[] = [
  { ...OPEN, at: 'GET theme/file/{id}', how: 'that is not there', people: NOBODY_SEES },
  { ...OPEN, at: 'GET /icons/{id}', how: 'that is not there', people: NOBODY_SEES },
  { ...OPEN, at: 'GET /{subdomain}', how: 'that can be none', people: NOBODY_SEES },
  { ...OPEN, at: 'GET /assets/{name}', how: 'that is not there', people: NOBODY_SEES },
  { ...OPEN, at: 'GET /js/{code}', how: 'of no domain', people: NOBODY_SEES },
];

export const OPEN_ROWS: readonly Row[] = [
  ...[...collecting, ...browsing, ...tokens, ...signingIn, ...files, ...process],
];
