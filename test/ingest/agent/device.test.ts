// Goal: the device of a hit is what say, from the user agent and from the client hint.
// Method: user agents as they are sent, through the functions that the pipeline calls.
import { expect, test } from 'vitest';
import { parseAgent } from '../../../src/ingest/agent/agent.ts';
import { ClientHints } from '../../../src/ingest/agent/client-hints.ts';
import { createHit } from '../../../src/model/blank-hit.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36';
const android = (comment: string) => `Mozilla/5.0 (${comment}) ${WEBKIT}`;
const REDUCED = android('Linux; Android 10; K');
const WINDOWS = android('Windows NT 10.0; Win64; x64');

test.each([
  ['Linux; Android 14; Pixel 8 Build/UD1A.230803.041', 'Pixel 8'],
  ['Linux; Android 13; SM-S918B', 'SM-S918B'],
  ['Linux; Android 12; SAMSUNG SM-G991B', 'SM-G991B'],
  ['Linux; U; Android 4.0.3; de-de; GT-P5100 Build/IML74K', 'GT-P5100'],
  ['Linux; U; Android 4.4.2; en_US; 2014811', '2014811'],
  ['Linux; U; Android 9; de; Redmi Note 8 Pro', 'Redmi Note 8 Pro'],
  ['Linux; Android 11; moto g power (2022)', 'moto g power (2022)'],
  ['Linux; Android 9; SM-T510 Build/PPR1.180610.011; wv', 'SM-T510'],
  ['Linux; Android 10; HarmonyOS; ELS-AN00; HMSCore 6.1.0', 'ELS-AN00'],
  ['Android 7.0; Mobile; LG-M150; rv:68.0', 'LG-M150'],
  ['Linux; Android 10; K', ''],
  ['Linux; Android 10; K; wv', ''],
  ['Android 14; Mobile; rv:121.0', ''],
  ['Android 14; Tablet; rv:121.0', ''],
  ['Linux; Android 13; Build/TQ3A.230805.001', ''],
  ['Linux; Android 13', ''],
  ['Linux; Android 13; ', ''],
  ['Windows NT 10.0; Win64; x64', ''],
  ['X11; Linux x86_64', ''],
  ['X11; CrOS x86_64 14541.0.0', ''],
  ['Macintosh; Intel Mac OS X 10_15_7', ''],
  ['Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950', ''],
  ['iPhone; CPU iPhone OS 18_1 like Mac OS X', 'iPhone'],
  ['iPad; CPU OS 17_5 like Mac OS X', 'iPad'],
  ['iPad; U; CPU iPhone OS 3_2 like Mac OS X; en-us', 'iPad'],
  ['iPod touch; CPU iPhone OS 12_5_7 like Mac OS X', ''],
])('X-2, X-3: %s is the device "%s"', (comment, device) => {
  expect(parseAgent(android(comment)).device).toBe(device);
});

test('X-2: a user agent that ends within its comment is read to its end', () => {
  expect(parseAgent('Mozilla/5.0 (Linux; Android 14; Pixel 8').device).toBe('Pixel 8');
});

test('X-4: a device is cut to 50 code points', () => {
  expect(parseAgent(android(`Linux; Android 14; ${'x'.repeat(60)}`)).device).toBe('x'.repeat(50));
  expect(hinted(REDUCED, `"${'😀'.repeat(60)}"`)).toBe('😀'.repeat(50));
});

test.each([
  [REDUCED, '"SM-S918B"', 'SM-S918B'],
  [REDUCED, 'SM-S918B', 'SM-S918B'],
  [REDUCED, ' "SAMSUNG SM-S918B" ', 'SM-S918B'],
  [REDUCED, '""', ''],
  [REDUCED, '"K"', ''],
  [REDUCED, null, ''],
  [android('Linux; Android 14; Pixel 8'), '"Pixel 8 Pro"', 'Pixel 8 Pro'],
  [android('Linux; Android 14; Pixel 8'), '""', 'Pixel 8'],
  [android('Linux; Android 14; Pixel 8'), '"Unknown"', 'Pixel 8'],
  [android('iPad; CPU OS 17_5 like Mac OS X'), undefined, 'iPad'],
  [WINDOWS, '"XPS 13"', ''],
  [android('X11; CrOS x86_64 14541.0.0'), '"Pixelbook"', ''],
  ['some client of ours', '"SM-S918B"', ''],
])('X-1, X-3: %s with the hint %s', (userAgent, hint, device) => {
  expect(hinted(userAgent, hint)).toBe(device);
});

test('X-1: the system is the one that the hints name', () => {
  expect(hinted(WINDOWS, '"SM-S918B"', '"Android"')).toBe('SM-S918B');
  expect(hinted(REDUCED, '"SM-S918B"', '"Windows"')).toBe('');
  expect(hinted(android('Linux; Android 14; Pixel 8'), '', '"Windows"')).toBe('');
});

test('a hint is remembered, and the next one with it says the same', () => {
  const hints = new ClientHints();
  for (const long of ['', 'x'.repeat(300)]) {
    const says = () => hinted(REDUCED, `"Pixel 8${long}"`, null, hints);
    expect(says()).toBe(`Pixel 8${long}`.slice(0, 50));
    expect(says()).toBe(`Pixel 8${long}`.slice(0, 50));
  }
});

function hinted(
  userAgent: string,
  model: string | null | undefined,
  platform: string | null = null,
  hints = new ClientHints(),
): string {
  const hit = createHit(0, 0);
  const raw = { ip: '', user_agent: userAgent, sec_ch_ua_platform: platform };
  hints.apply(
    hit,
    { ...raw, ...(model === undefined ? {} : { sec_ch_ua_model: model }) },
    parseAgent(userAgent),
  );
  return hit.device;
}
