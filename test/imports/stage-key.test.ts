// Goal (P-22): with keys that do not outlive their days an import has a key of its own: the same
// one for all of its rows, over kills and waits, and nowhere once the source is read.
// Method: an import whose reading is killed, stopped and ends; the files beside its stage.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ImportTask, type ReadStage, runImport } from '../../src/imports/job/import-run.ts';
import type { SourceSite } from '../../src/imports/job/source-reader.ts';
import { removeStage, Stage } from '../../src/imports/job/stage.ts';

let folder: string;
let keys: Buffer[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footfall-stage-key-'));
  keys = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(visitorKey: Uint8Array | null, end: 'killed' | 'stopped' | 'whole'): Promise<boolean> {
  const read: ReadStage = async (task) => {
    keys.push(Buffer.from(task.visitorKey));
    if (end === 'killed') throw new Error('killed');
    if (end === 'whole') new Stage(task.folder, task.claim).finish('footfall');
    return end === 'whole';
  };
  const site = { domainId: 'd', hostname: 'a.example', alternatives: [], blocked: [], allowed: [] };
  const task: ImportTask = {
    ...{ id: 'import', folder, mayHaveWritten: false, files: [], timezone: 'UTC', visitorKey },
    ...{ site: site satisfies SourceSite, fromDay: null, toDay: null, nativeMs: 0 },
  };
  const fail = () => expect.fail('nothing is written');
  return runImport(task, {
    log: { submit: fail, submitErasure: fail, submitImport: fail },
    ...{ read, backlogBytes: () => 0, nowMs: () => 0, isStopped: () => false },
    onProgress: async () => undefined,
    onWriting: async () => false,
  });
}

function filesWith(key: Buffer): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(key));
}

test('P-22: the key of an import is the same after a kill, and gone once its source is read', async () => {
  await expect(run(null, 'killed')).rejects.toThrow('killed');
  expect(await run(null, 'stopped')).toBe(false);
  const [key] = keys as [Buffer];
  expect(filesWith(key)).toEqual(['visitor-key']);
  expect(await run(null, 'whole')).toBe(true);
  expect(keys.map((one) => one.equals(key))).toEqual([true, true, true]);
  expect(filesWith(key)).toEqual([]);
});

test('P-22: another import has another key, and one that is cancelled leaves none', async () => {
  await run(null, 'stopped');
  removeStage(folder);
  await run(null, 'stopped');
  const [first, second] = keys as [Buffer, Buffer];
  expect(first.equals(second)).toBe(false);
  expect([filesWith(first), filesWith(second)]).toEqual([[], ['visitor-key']]);
});

test('with fixed keys an import has that of the installation, and nothing is kept of it', async () => {
  const own = new Uint8Array(32).fill(5);
  await run(own, 'stopped');
  expect(keys[0]).toEqual(Buffer.from(own));
  expect(readdirSync(folder)).not.toContain('visitor-key');
});
