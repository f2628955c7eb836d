// Goal: whoever upgrades keeps all data: a directory of every format, as a build of its time left it
// when it was killed, says today what it said then, imports included, and is counted on (P-40).
// Method: the directories of `test/data/formats/`, made by `config/tools/keep-format.mjs`, are opened by
// the built service and asked; a few more hits, and again after a restart. The first and the last one;
// the long run opens all.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { IS_LONG } from '../../support/runs.ts';
import {
  cleanEnvironment,
  ENTRY_POINT,
  makeTemporaryDirectory,
  startService,
} from '../../support/service.ts';

const FORMATS = 'test/data/formats';
const BYTES_MAX = 300_000;
const DIRECTORY = makeTemporaryDirectory();
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** What a build of the format said, and what it takes to ask again. */
interface Kept {
  readonly format: number;
  readonly made: string;
  readonly sites: readonly {
    readonly id: string;
    readonly hostname: string;
    readonly client_id: string;
    readonly client_secret: string;
    readonly access_key: string;
    readonly answers: readonly { readonly question: string; readonly answer: object }[];
  }[];
}

const formats = readdirSync(FORMATS)
  .map(Number)
  .toSorted((a, b) => a - b);

afterAll(() => {
  rmSync(DIRECTORY, { recursive: true, force: true, maxRetries: 3 });
});

/** A format's directory, unpacked anew. */
function unpacked(format: number, name: string): { dataDir: string; kept: Kept } {
  const folder = join(DIRECTORY, `${name}-${format}`);
  mkdirSync(folder);
  const packed = `${FORMATS}/${format}/data.tar.gz`;
  expect(readFileSync(packed).length).toBeLessThan(BYTES_MAX);
  execFileSync('tar', ['-xzf', packed, '-C', folder]);
  const kept = JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'));
  return { dataDir: join(folder, 'kept'), kept };
}

const opened = IS_LONG ? formats : [formats[0]!, formats.at(-1)!];
test.each(opened)('format %s says what it said, and is counted on (P-40)', async (format) => {
  const { dataDir, kept } = unpacked(format, 'opened');
  expect(kept.format).toBe(format);
  const running = await startService({ dataDir });
  try {
    const same = async () => {
      for (const { client_id, client_secret, id, answers } of kept.sites) {
        expect(answers.length).toBeGreaterThan(20);
        const reader = await ApiClient.withSecret(running.baseUrl, client_id, client_secret);
        for (const { question, answer } of answers) {
          const said = await reader.request('GET', `/api/v1/statistics/${question}&id=${id}`);
          // Later versions may say more, never something else.
          expect({ question, status: said.status }).toEqual({ question, status: 200 });
          expect({ question, answer: said.body }).toMatchObject({ question, answer });
        }
      }
    };
    await same();
    for (const { hostname, access_key } of kept.sites) {
      const writer = new ApiClient(running.baseUrl, access_key);
      const time = `${kept.made}T08:00:00Z`;
      const item = { url: `https://${hostname}/new`, ip: '81.2.69.9', user_agent: AGENT, time };
      await writer.collect('hit/batch', [item, { ...item, time: `${kept.made}T08:00:30Z` }]);
    }
    const isCounted = async () => {
      for (const { client_id, client_secret, id } of kept.sites) {
        const reader = await ApiClient.withSecret(running.baseUrl, client_id, client_secret);
        const day = { id, from: kept.made, to: kept.made };
        expect(await reader.statistics('total', day)).toMatchObject({ views: 2, sessions: 1 });
      }
    };
    await isCounted();
    await running.restart();
    await same();
    await isCounted();
    expect(await running.command(['verify'])).toMatchObject({ is_sound: true });
  } finally {
    await running.dispose();
  }
});

test('P-40: a format that is newer than the build is refused in one line, and stays as it is', () => {
  const { dataDir } = unpacked(formats.at(-1)!, 'newer');
  const file = join(dataDir, 'layout.json');
  const { check: _, ...layout } = JSON.parse(readFileSync(file, 'utf8'));
  const text = JSON.stringify({ ...layout, format: 9_999 });
  const newer = `${JSON.stringify({ ...JSON.parse(text), check: crc32(text) })}\n`;
  writeFileSync(file, newer);
  const words = [ENTRY_POINT, 'serve', '--port', '0', '--data-dir', dataDir];
  const { status, stderr, stdout } = spawnSync(process.execPath, words, {
    env: cleanEnvironment(),
  });
  expect(status).toBe(1);
  expect(stdout.toString()).toBe('');
  expect(stderr.toString()).toMatch(/^footfall: .*a newer version of Footfall .*9999.*\n$/);
  expect(readFileSync(file, 'utf8')).toBe(newer);
  // Also what this build itself writes: it is kept anew while nobody has released it.
  const own = Number(/this version's is (\d+)/.exec(stderr.toString())?.[1]);
  const first = 3;
  const written = Array.from({ length: own - first + 1 }, (_row, index) => first + index);
  expect(formats, 'run config/tools/keep-format.mjs on a build that had it').toEqual(written);
});
