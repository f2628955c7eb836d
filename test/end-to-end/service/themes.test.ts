/**
 * Goal: a theme that was answered is there after any end of the process, its files whole; both edges
 *   serve it at once.
 * Method: a service with two edges, killed in the middle of uploads, then asked for what it answered.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { largePng, themeForm } from '../../support/images.ts';
import { type RunningService, startService } from '../../support/service.ts';

let running: RunningService;
let token: () => Promise<string>;

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_EDGES: '2' } });
  const { client_id, client_secret } = await running.createAccount();
  await ApiClient.whenKnown(running.baseUrl, client_id, client_secret);
  token = async () => {
    const answer = await fetch(`${running.baseUrl}/api/v1/token`, {
      ...{ method: 'POST', body: JSON.stringify({ client_id, client_secret }) },
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
});

afterAll(() => running.dispose());

interface Saved {
  readonly id: string;
  readonly logo_light: string;
  readonly favicon: string;
}

async function upload(bearer: string, files: Record<string, Uint8Array>): Promise<Saved> {
  const answer = await fetch(`${running.baseUrl}/api/v1/theme`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, connection: 'close' },
    body: themeForm({ name: 'T', settings: { a: '1' } }, files),
  });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Saved;
}

const bytesAt = async (address: string): Promise<Buffer> => {
  const answer = await fetch(running.baseUrl + address, { headers: { connection: 'close' } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

test('what is answered is served by both edges at once (M-5, M-70)', async () => {
  const bearer = await token();
  for (let round = 0; round < 8; round++) {
    const image = largePng(300_000);
    const { favicon } = await upload(bearer, { favicon: image });
    for (let ask = 0; ask < 6; ask++) expect((await bytesAt(favicon)).equals(image)).toBe(true);
  }
});

test('uploads that were answered before SIGKILL are whole, and nothing half shows (M-70)', async () => {
  const saved: { theme: Saved; files: Record<string, Buffer> }[] = [];
  for (let round = 0; round < 2; round++) {
    const bearer = await token();
    let isOver = false;
    const load = Array.from({ length: 2 }, async () => {
      while (!isOver) {
        const files = { logo_light: largePng(1_000_000), favicon: largePng(40_000) };
        await upload(bearer, files).then(
          (theme) => saved.push({ theme, files }),
          () => undefined,
        );
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 400 + (randomBytes(1)[0] ?? 0)));
    await running.kill();
    isOver = true;
    await Promise.all(load);
    await running.start();
  }
  expect(saved.length).toBeGreaterThan(1);
  for (const { theme, files } of saved) {
    expect((await bytesAt(theme.logo_light)).equals(files['logo_light'] as Buffer)).toBe(true);
    expect((await bytesAt(theme.favicon)).equals(files['favicon'] as Buffer)).toBe(true);
  }
  const answer = await fetch(`${running.baseUrl}/api/v1/theme`, {
    headers: { authorization: `Bearer ${await token()}` },
  });
  for (const { logo_light, favicon } of (await answer.json()) as Saved[]) {
    for (const address of [logo_light, favicon]) if (address !== null) await bytesAt(address);
  }
});
