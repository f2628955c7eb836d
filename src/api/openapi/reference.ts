/** GET /docs: the reference page of the API, for people; it reads the document of `endpoint.ts`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../settings/package-root.ts';
import type { Endpoint, FullAnswer } from '../endpoint.ts';
import { PUBLIC, READS } from '../presets.ts';

/** Built by `config/tools/build-pages.mjs`. */
const PAGE = 'dist/src/reference/page.html';

/** Answered also while starting and stopping. */
export const referenceEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, needsReady: false },
    path: '/docs',
    summary: 'The reference of this interface, to read and to try, as a page.',
    answer: { kind: 'html', status: 200, schema: null },
    handle: () => (page ??= readPage()),
  },
];

let page: FullAnswer | undefined;

function readPage(): FullAnswer {
  const body = readFileSync(join(packageRoot(), PAGE), 'utf8');
  return { body, headers: { 'Content-Security-Policy': policyOf(body) } };
}

/** Its own script and style by their hashes, requests to this service, and nothing else. */
function policyOf(html: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(html, 'script')}'`,
    `style-src '${hashOf(html, 'style')}'`,
    ...["connect-src 'self'", 'img-src data:', "base-uri 'none'", "form-action 'none'"],
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashOf(html: string, tag: string): string {
  const content = html.match(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`))?.[1] ?? '';
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}
