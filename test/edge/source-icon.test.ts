// Goal: the icon that a session was stored with is at its address, to anyone, from this service (I-94).
// Method: the icons of apps and of sites over HTTP, and addresses where nothing is.
import { expect, test } from 'vitest';
import { ANDROID_APPS } from '../../src/ingest/data/android-apps.ts';
import { readReferrer } from '../../src/ingest/source/referrer-text.ts';
import { sourceIcon } from '../../src/ingest/source/source-icon.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();

test('every app that has an icon has it at its address, for a year, without a script (I-91, I-94)', async () => {
  const apps = ANDROID_APPS.trim().split('\n');
  const icons = apps.map((line) => readReferrer(`android-app://${line.trim().split(':')[0]}`).icon);
  const addresses = [...new Set(icons.filter((icon) => icon !== ''))];
  expect(addresses.length).toBeGreaterThan(40);
  for (const address of [...addresses, sourceIcon('Hacker News')]) {
    const answer = await fetch(edge.baseUrl + address);
    expect([address, answer.status]).toEqual([address, 200]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' },
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const image = await answer.text();
    expect(image).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^<>]+><path [^<>]+\/><\/svg>$/,
    );
    expect(Buffer.byteLength(image)).toBe(Number(answer.headers.get('content-length')));
  }
});

test.each(['nobody.svg', 'reddit', 'reddit.png', '.svg', '..%2Freddit.svg', '__proto__.svg'])(
  'nothing is at /icons/%s, and no cache keeps that (I-94)',
  async (file) => {
    const answer = await fetch(`${edge.baseUrl}/icons/${file}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  },
);
