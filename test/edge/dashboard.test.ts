// Goal: the page and its files are sent compressed and kept as long as they may be; nothing else is
// let in.
// Method: requests to an edge over fake ports; every file that the build made is asked for.
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useEdge } from './edge.ts';

const edge = useEdge();
const ASSETS = 'dist/dashboard/assets';
const names = readdirSync(ASSETS).filter((name) => !/\.(br|gz)$/.test(name));
const YEAR = 'public, max-age=31536000, immutable';
const PAGES = ['/', '/shop', '/nobody-knows'];

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** As a browser asks, but that what was compressed stays so. */
function ask(path: string, codings = '', method = 'GET'): Promise<Answer> {
  const headers = codings === '' ? {} : { 'accept-encoding': codings };
  return new Promise((resolve, reject) => {
    const sent = request(edge.baseUrl + path, { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        resolve({ status, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    sent.on('error', reject).end();
  });
}

describe('a file', () => {
  test.each(names)('%s is there in three codings, for a year (D-2)', async (name) => {
    const whole = readFileSync(`${ASSETS}/${name}`);
    const plain = await ask(`/assets/${name}`);
    const gzip = await ask(`/assets/${name}`, 'gzip');
    const brotli = await ask(`/assets/${name}`, 'gzip, deflate, br, zstd');
    for (const { status, headers } of [plain, gzip, brotli]) {
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe(YEAR);
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    expect(plain.body.equals(whole)).toBe(true);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const isLong = whole.length >= 1_024;
    expect(gzip.headers['content-encoding']).toBe(isLong ? 'gzip' : undefined);
    expect(brotli.headers['content-encoding']).toBe(isLong ? 'br' : undefined);
    if (!isLong) return;
    expect(gunzipSync(gzip.body).equals(whole)).toBe(true);
    expect(brotliDecompressSync(brotli.body).equals(whole)).toBe(true);
    expect(brotli.body.length).toBeLessThan(gzip.body.length);
  });

  test('asked for by HEAD has the headers of its answer alone (D-2)', async () => {
    for (const codings of ['', 'gzip', 'br']) {
      const get = await ask(`/assets/${names[0]}`, codings);
      const head = await ask(`/assets/${names[0]}`, codings, 'HEAD');
      expect(head.body).toHaveLength(0);
      expect(head.headers['content-length']).toBe(String(get.body.length));
      expect(head.headers['content-encoding']).toBe(get.headers['content-encoding']);
    }
  });

  test.each([
    ...['app.js', 'app-AAAAAAAA.js', `${names[0]}.br`, `${names[0]}.gz`, '..%2fpage.html'],
    ...['%2e%2e%2f%2e%2e%2fpackage.json', 'constructor', '__proto__', '%00', '%'],
  ])('%s is none, and nobody keeps that it is none (D-2)', async (name) => {
    const { status, headers, body } = await ask(`/assets/${name}`);
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.parse(String(body))).toHaveProperty('error');
  });
});

describe('the page', () => {
  test.each(PAGES)(
    'at %s is kept by nobody, and lets in what is of here alone (D-2)',
    async (path) => {
      const { status, headers, body } = await ask(path, 'identity');
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toMatch(/^default-src 'self';/);
      // What `default-src` says nothing of: frames, forms, and where links are from.
      for (const part of ["frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"]) {
        expect(String(headers['content-security-policy']).split('; ')).toContain(part);
      }
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['set-cookie']).toBeUndefined();
      expect(String(body)).toContain('<div id="app">');
    },
  );

  test('loads files that there are, and has no script or style in it (D-2)', async () => {
    const page = String((await ask('/')).body);
    const loaded = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(loaded.length).toBeGreaterThan(1);
    for (const path of loaded) expect((await ask(String(path))).status).toBe(200);
    // What is given with it is data, which runs nowhere (`dashboard-given.test.ts`).
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=|https?:/);
  });

  test('stands also while the service starts (D-2)', async () => {
    edge.fake.unreadyReason = 'it is replaying the log';
    expect((await ask('/')).status).toBe(200);
    expect((await ask(`/assets/${names[0]}`)).status).toBe(200);
  });

  test.each(['/robots.txt', '/index.html', '/shop/', '/shop/settings', '/%3Cscript%3E'])(
    'is not at %s (D-1)',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );
});
