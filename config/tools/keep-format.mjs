/**
 * Keeps a data directory of a build for ever: `node config/tools/keep-format.mjs [BUILD]`
 *
 * BUILD is the folder of a built version, default: this one. It counts a small story, imports included,
 * is killed while hits stand only in its log, and is asked from then on: what it says, and what it needs
 * to be asked, goes with the directory into `test/data/formats/<format>`. Every later version has to say
 * the same (`test/end-to-end/service/formats.test.ts`). To be run when the number of the format is
 * raised, when what it stands for changes before its release, and at every release.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const FORMATS = new URL('../../test/data/formats/', import.meta.url).pathname;
const SETTINGS = ['--shards', '4', '--edges', '1', '--actors', '1', '--query-threads', '1'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The days of the story end the day before it is told: later builds find them at rest. */
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const FIRST_MS = TODAY_MS - 4 * DAY_MS;
/** Days before the first hit of which there are imported sums. */
const IMPORTED_DAYS = 3;
const RANGE = `from=${dateOf(FIRST_MS - IMPORTED_DAYS * DAY_MS)}&to=${dateOf(TODAY_MS - DAY_MS)}`;

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 ' +
    '(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
];
const REFERRERS = [
  '',
  'https://www.google.com/',
  'https://news.ycombinator.com/',
  'https://t.co/x',
];
const LANGUAGES = ['de', 'en-GB', 'fr'];

/** What is asked; a build that does not know one is not asked it ever again. */
const LISTS = [
  ...['page', 'page/entry', 'page/exit', 'referrer', 'language', 'country', 'browser', 'os'],
  ...['screen', 'utm/source', 'utm/medium', 'utm/campaign', 'events', 'event/list', 'tags'],
];
const QUESTIONS = [
  ...['total', 'visitor', 'hours', 'platform', ...LISTS].map((name) => `${name}?${RANGE}`),
  ...['total', 'visitor', 'page'].map((name) => `${name}?${RANGE}&country=de`),
  ...['total', 'page', 'referrer'].map((name) => `${name}?${RANGE}&path=/p3`),
  ...['total', 'events'].map((name) => `${name}?${RANGE}&event=signup`),
  `total?${RANGE}&tz=America/Los_Angeles`,
  `event/meta?${RANGE}&event=signup&event_meta_key=plan`,
  ...['region', 'city', 'keywords'].map((name) => `${name}?${RANGE}`),
];

const build = resolve(process.argv[2] ?? new URL('../..', import.meta.url).pathname);
const program = join(build, 'dist/src/main.js');
const folder = mkdtempSync(join(tmpdir(), 'footfall-format-'));
const dataDir = join(folder, 'data');
/** The service that runs. */
let running = null;
try {
  const { format, answers } = await kept();
  process.stdout.write(`format ${format}: ${answers} answers kept\n`);
} finally {
  running?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function kept() {
  const { email } = command('account', 'create', '--email', 'owner@example.org', '--name', 'Owner');
  const domains = ['example.org', 'example.com', 'example.net'].map((hostname) =>
    command('domain', 'create', '--email', email, '--hostname', hostname),
  );
  // The third one has what is imported alone.
  const told = domains.slice(0, 2);
  let service = await started();
  for (const [index, domain] of told.entries()) await tell(service.url, domain, index, [0, 3]);
  await bring(service.url, domains[0], sums('first'));
  command('keywords', 'import', '--id', domains[0].id, '--file', searches());
  await service.end('SIGTERM');
  const exported = join(folder, 'exported');
  command('export', '--id', domains[0].id, '--out', exported);
  service = await started();
  // The rest is in the log alone when it dies.
  for (const [index, domain] of told.entries()) await tell(service.url, domain, index, [2, 4]);
  await bring(service.url, domains[1], sums('second'));
  await bring(service.url, domains[2], exported);
  await service.end('SIGKILL');
  const { format } = JSON.parse(readFileSync(join(dataDir, 'layout.json'), 'utf8'));
  const target = join(FORMATS, String(format));
  mkdirSync(target, { recursive: true });
  // Asked on a copy: what is kept has the hits in its log still.
  cpSync(dataDir, join(folder, 'kept'), { recursive: true });
  service = await started();
  const sites = await Promise.all(domains.map((domain) => asked(service.url, domain)));
  await service.end('SIGTERM');
  const { version } = JSON.parse(readFileSync(join(build, 'package.json'), 'utf8'));
  const record = { format, version, made: dateOf(Date.now()), sites };
  writeFileSync(join(folder, 'record.json'), JSON.stringify(record));
  execFileSync('tar', ['-cSzf', join(target, 'data.tar.gz'), '-C', folder, 'kept', 'record.json']);
  return { format, answers: sites.reduce((sum, site) => sum + site.answers.length, 0) };
}

function command(...words) {
  const all = [program, ...words, '--json', '--data-dir', dataDir];
  return JSON.parse(execFileSync(process.execPath, all).toString());
}

async function started() {
  const words = [program, 'serve', '--port', '0', '--data-dir', dataDir, ...SETTINGS];
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [...words, '--log-level', 'warn'], { stdio });
  running = child;
  for await (const line of createInterface(child.stdout)) {
    const url = /listening on (http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    const end = async (signal) => {
      child.kill(signal);
      await once(child, 'exit');
    };
    return { url, end };
  }
  throw new Error(`the build in ${build} does not start`);
}

/** Visits of some days, each with pages, now and then an event and a sign of life. */
async function tell(url, { hostname, access_key }, site, [firstDay, endDay]) {
  const batches = { hit: [], event: [], session: [] };
  for (let day = firstDay; day < endDay; day++) {
    for (let visitor = 0; visitor < 30 + 10 * site; visitor++) {
      const who = (visitor * 7 + day * 3) % 50;
      const startMs = FIRST_MS + day * DAY_MS + (who % 23) * HOUR_MS + visitor * 1_000;
      // The days that are told of twice are told of other hours.
      const shiftMs = firstDay === 2 ? 40 * 60_000 : 0;
      const person = {
        ...{ ip: `81.2.69.${100 + (who % 60)}`, user_agent: AGENTS[who % 3] },
        ...{ accept_language: LANGUAGES[who % 3], screen_width: 1_280 + (who % 2) * 640 },
      };
      for (let page = 0; page <= who % 4; page++) {
        const atMs = startMs + shiftMs + page * 45_000;
        const query =
          page === 0 && who % 5 === 0
            ? '?utm_source=letter&utm_medium=email&utm_campaign=autumn'
            : '';
        const item = {
          ...{ ...person, url: `https://${hostname}/p${(who + page) % 9}${query}` },
          ...{ time: new Date(atMs).toISOString(), title: `Page ${(who + page) % 9}` },
          ...{ referrer: page === 0 ? REFERRERS[who % 4] : '' },
        };
        batches.hit.push(who % 6 === 0 ? { ...item, tags: { author: `a${who % 2}` } } : item);
        if ((who + page) % 7 === 3) {
          const event_meta = { plan: who % 2 === 0 ? 'small' : 'large' };
          const event = { event_name: 'signup', event_duration: who, event_meta };
          batches.event.push({ ...item, ...event, time: new Date(atMs + 9_000).toISOString() });
        }
        if (who % 8 === 1) {
          const time = new Date(atMs + 20_000).toISOString();
          batches.session.push({ ...person, url: item.url, time });
        }
      }
    }
  }
  for (const [kind, items] of Object.entries(batches)) {
    const headers = { authorization: `Bearer ${access_key}`, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(items) };
    const answer = await fetch(`${url}/api/v1/${kind}/batch`, sent);
    const text = await answer.text();
    if (!answer.ok || JSON.parse(text).accepted !== items.length)
      throw new Error(text.slice(0, 500));
  }
}

/** Sums of another product, in a folder: days, pages and places. */
function sums(name) {
  const target = join(folder, name);
  mkdirSync(target);
  const tables = {
    visitors: ['', ['']],
    pages: ['page,', ['/p1,', '/old,']],
    locations: ['country,region,', ['DE,Bavaria,']],
  };
  for (const [table, [columns, values]] of Object.entries(tables)) {
    const lines = [`date,${columns}visitors,visits,pageviews,bounces,visit_duration`];
    for (let day = 1; day <= IMPORTED_DAYS; day++) {
      const date = dateOf(FIRST_MS - day * DAY_MS);
      for (const value of values)
        lines.push(`${date},${value}${[9, 10, 12, 3, 500].map((n) => n + day)}`);
    }
    writeFileSync(join(target, `imported_${table}.csv`), `${lines.join('\n')}\n`);
  }
  return target;
}

/** What a search console exports. */
function searches() {
  const path = join(folder, 'searches.csv');
  const line = `${dateOf(FIRST_MS)},old letters,4,40,10%,2.5`;
  writeFileSync(path, `date,query,clicks,impressions,ctr,position\n${line}\n`);
  return path;
}

/** Imports an export, to its end. */
async function bring(url, domain, path) {
  command('import', '--id', domain.id, '--file', path);
  const headers = await signedIn(url, domain);
  for (;;) {
    const answer = await fetch(`${url}/api/v1/external/import/job?domain_id=${domain.id}`, {
      headers,
    });
    const job = await answer.json();
    if (job.state === 'done' && job.rows_imported > 0) return;
    if (!answer.ok || job.state === 'failed') throw new Error(JSON.stringify(job));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function signedIn(url, { client_id, client_secret }) {
  const login = JSON.stringify({ client_id, client_secret });
  const json = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/token`, { method: 'POST', headers: json, body: login });
  return { authorization: `Bearer ${(await answer.json()).access_token}` };
}

async function asked(url, domain) {
  const { id, hostname, client_id, client_secret, access_key } = domain;
  const headers = await signedIn(url, domain);
  const answers = [];
  for (const question of QUESTIONS) {
    const said = await fetch(`${url}/api/v1/statistics/${question}&id=${id}`, { headers });
    if (said.ok) answers.push({ question, answer: await said.json() });
  }
  return { id, hostname, client_id, client_secret, access_key, answers };
}

function dateOf(ms) {
  return new Date(ms).toISOString().slice(0, 10);
}
