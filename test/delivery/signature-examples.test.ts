// Goal: what the page for operators says about signatures is right as it stands there (O-10).
// Method: its programs are cut out of the page and run on what the service signs, and on what others
// would send; the one in Python where there is a Python.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signedRequest } from '../../src/delivery/webhooks/standard-webhook.ts';

const PAGE = readFileSync('src/docs/operating/outgoing.md', 'utf8');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = '{"event_name":"größer \\"als\\" 1","event_meta":{}}';
const directory = mkdtempSync(join(tmpdir(), 'footfall-signatures-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** One request, as a receiver has it: names of headers in lower case. */
interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function requestAt(ageSeconds = 0): Request {
  const to = { endpoint: 'https://hooks.example/a', secret: SECRET };
  const nowMs = Date.now() - ageSeconds * 1_000;
  const { headers, body } = signedRequest(
    to,
    { id: 'abc', body: BODY },
    { nowMs, userAgent: 'any' },
  );
  return { headers, body };
}

const genuine = requestAt();
const { 'webhook-signature': signature = '', ...unsigned } = genuine.headers;
const withHeaders = (headers: Record<string, string>): Request => ({
  headers: { ...genuine.headers, ...headers },
  body: BODY,
});
const CASES: readonly (readonly [Request, boolean])[] = [
  [genuine, true],
  // A secret that is being replaced: one of several is enough.
  [withHeaders({ 'webhook-signature': `v1,AAAA v2,xyz ${signature}` }), true],
  [requestAt(290), true],
  [requestAt(310), false],
  [requestAt(-310), false],
  [{ ...genuine, body: `${BODY} ` }, false],
  [withHeaders({ 'webhook-id': 'abd' }), false],
  [withHeaders({ 'webhook-timestamp': 'now' }), false],
  [withHeaders({ 'webhook-signature': '' }), false],
  [withHeaders({ 'webhook-signature': signature.slice(3) }), false],
  [withHeaders({ 'webhook-signature': 'ü'.repeat(signature.length) }), false],
  [{ headers: unsigned, body: BODY }, false],
];

/** A program of the page, and the lines that ask it of every case. */
const PROGRAMS = [
  {
    ...{ language: 'js', file: 'example.mjs', command: process.execPath },
    asking: `import { readFileSync } from 'node:fs';
const told = JSON.parse(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify(told.map(([{ headers, body }]) => isGenuine('${SECRET}', headers, body))));`,
  },
  {
    ...{ language: 'python', file: 'example.py', command: 'python3' },
    asking: `import json, sys
told = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([is_genuine("${SECRET}", one["headers"], one["body"].encode()) for one, _ in told]))`,
  },
];
const isThere = (command: string) => spawnSync(command, ['--version']).status === 0;

test.each(PROGRAMS)(
  'O-10: the example in $language takes what is genuine, and nothing else',
  (one) => {
    const { language, file, command, asking } = one;
    const program = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(PAGE)?.[1] ?? '';
    expect(program).not.toBe('');
    if (!isThere(command)) return;
    const [path, cases] = [join(directory, file), join(directory, 'cases.json')];
    writeFileSync(path, `${program}\n${asking}\n`);
    writeFileSync(cases, JSON.stringify(CASES));
    const { stdout, stderr } = spawnSync(command, [path, cases], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(CASES.map(([, isGood]) => isGood));
  },
);
