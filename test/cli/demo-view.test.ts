/** The demo's live view. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { drawView, type Picture, sparkline, summaryLine } from '../../src/demo/view.ts';

// Goal: the view shows what was read, fits the terminal, and is one plain line anywhere else.

const PICTURE: Picture = {
  address: 'http://127.0.0.1:40123',
  link: `http://127.0.0.1:40123/reset?token=${'t'.repeat(32)}`,
  elapsedSeconds: 83,
  acknowledged: 48_213,
  perSecond: [0, 100, 412],
  latencyMsP50: 0.94,
  latencyMsP99: 14.2,
  troubled: 0,
  reading: {
    sites: [
      {
        hostname: 'shop.example',
        activeVisitors: 312,
        visitors: 4_210,
        views: 12_019,
        sessions: 4_400,
        bounceRate: 0.384,
      },
    ],
    focus: {
      hostname: 'shop.example',
      activePages: [{ name: '/p/1', visitors: 44 }],
      pages: [{ name: `/${'long/'.repeat(40)}`, visitors: 1_200 }],
      referrers: [{ name: 'Google', visitors: 900 }],
      countries: [
        { name: 'de', visitors: 3_000 },
        { name: 'at', visitors: 400 },
      ],
    },
  },
};

test('every number of the reading is in the view', () => {
  const text = stripVTControlCharacters(drawView(PICTURE, 100).join('\n'));
  for (const part of ['48,213', '412/s', 'p50 0.9 ms', 'p99 14 ms', '01:23', '4,210', '38 %']) {
    expect(text).toContain(part);
  }
  expect(text).toMatch(/\/p\/1 +44/);
  expect(text).toContain(`${PICTURE.link}\n`);
  expect(text).toMatch(/Google +900/);
  expect(text).toMatch(/at +400/);
});

test.each([60, 80, 100, 200])('no line is wider than a terminal of %i columns', (columns) => {
  const widths = drawView(PICTURE, columns).map((line) => stripVTControlCharacters(line).length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(columns, 80));
});

test('a sparkline rises with its values and bears an empty past', () => {
  expect(sparkline([0, 50, 100])).toBe('▁▅█');
  expect(sparkline([0, 0])).toBe('▁▁');
  expect(sparkline([])).toBe('');
});

test('without a terminal a moment is one plain line', () => {
  const line = summaryLine(PICTURE);
  expect(line).toBe(stripVTControlCharacters(line));
  expect(line).not.toContain('\n');
  expect(line).toContain('acknowledged 48213 (412/s)');
  expect(line).toContain('shop.example 312');
});
