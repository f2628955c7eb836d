/**
 * Pages for people: the reference of the interface, and where a link of M-81 leads.
 *
 * Built by `config/tools/build-pages.mjs`, each one file with its script and style in it. Answered also
 * while starting and stopping: what is missing then says so itself.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../settings/package-root.ts';
import type { Endpoint, FullAnswer } from './endpoint.ts';
import { PUBLIC, READS } from './presets.ts';

const FOLDER = 'dist/src/pages';

/** Path, which page, and what it is. */
const PAGES = [
  ['/docs', 'reference', 'The reference of this interface, to read and to try, as a page.'],
  ['/reset', 'password', 'The page that sets a new password, by the token of a link.'],
  ['/activate', 'password', 'The page that sets the first password, by the token of a link.'],
] as const;

/** One endpoint per address. */
export const pageEndpoints: readonly Endpoint[] = PAGES.map(([path, name, summary]) => {
  let page: FullAnswer | undefined;
  return {
    ...{ ...READS, ...PUBLIC, needsReady: false, path, summary },
    answer: { kind: 'html', status: 200, schema: null },
    handle: () => (page ??= answerOf(readPage(name))),
  };
});

const pages = new Map<string, string>();

/** A page as it was built; read once. */
export function readPage(name: string): string {
  const page =
    pages.get(name) ?? readFileSync(join(packageRoot(), FOLDER, name, 'page.html'), 'utf8');
  pages.set(name, page);
  return page;
}

function answerOf(body: string): FullAnswer {
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

/** Of a page without a script, whose form is sent to this service: its own style, and nothing else. */
export function formPolicyOf(html: string): string {
  return [
    ...["default-src 'none'", `style-src '${hashOf(html, 'style')}'`, 'img-src data:'],
    ...["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"],
  ].join('; ');
}

function hashOf(html: string, tag: string): string {
  const content = html.match(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`))?.[1] ?? '';
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}
