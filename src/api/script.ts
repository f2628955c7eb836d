/**
 * The script that pages load (D-30): as it is, extended, or with the settings of a domain in it.
 *
 * Built by `config/tools/build-script.mjs`, served to pages of every site, also while starting and
 * stopping: a page does not wait for what cannot be answered now.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { assert } from '../base/assert.ts';
import { string } from '../base/schema.ts';
import { tagSettings } from '../control/tag-settings.ts';
import { errors } from '../model/errors.ts';
import { SCRIPT_CACHE_SECONDS, SCRIPT_SETTINGS_CACHE_SECONDS } from '../model/limits.ts';
import { packageRoot } from '../settings/package-root.ts';
import type { Call, Endpoint, FullAnswer } from './endpoint.ts';
import type { Ports } from './ports.ts';
import { PUBLIC, READS } from './presets.ts';

const FOLDER = 'dist/src/script';
/** Where the settings of a domain are written. */
const PLACE = 'FOOTFALL_SETTINGS';
const ENDING = '.js';
const NO_HEADERS = {} as const;

const SCRIPTS = [
  ['footfall.js', 'The script of a page: page views, events and keep-alives.'],
  ['footfall-extended.js', 'The same with links that lead away, downloads, missing pages, clicks.'],
] as const;

const shared = { ...READS, ...PUBLIC, isForAnyPage: true } as const;
const script = { kind: 'script', status: 200, schema: null } as const;

/** One address per form of the script. */
export const scriptEndpoints: readonly Endpoint[] = [
  ...SCRIPTS.map(([name, summary]): Endpoint => {
    let answer: FullAnswer | undefined;
    return {
      ...{ ...shared, needsReady: false, path: `/js/${name}`, summary },
      answer: { ...script, cacheSeconds: SCRIPT_CACHE_SECONDS },
      handle: () => (answer ??= packed(readScript(name))),
    };
  }),
  {
    ...{ ...shared, path: '/js/{code}' },
    summary: 'The script with the settings of a domain in it, so that its tag needs no attributes.',
    parameters: [
      {
        ...{ name: 'code', in: 'path', isRequired: true },
        ...{ description: 'The identification code of the domain, and `.js`.', schema: string },
      },
    ],
    answer: { ...script, cacheSeconds: SCRIPT_SETTINGS_CACHE_SECONDS },
    refusals: [403, 404],
    handle: answerSettings,
  },
];

function readScript(name: string): string {
  return readFileSync(join(packageRoot(), FOLDER, name), 'utf8');
}

function packed(body: string): FullAnswer {
  return { body, headers: NO_HEADERS, packed: { gzip: gzipSync(body, { level: 9 }) } };
}

/** What stands before and after the settings. */
let around: readonly string[] | undefined;

function answerSettings({ pathPart }: Call, { access, records }: Ports): string {
  const code = pathPart.endsWith(ENDING) ? pathPart.slice(0, -ENDING.length) : '';
  const site = code === '' ? null : access.domainOfCode(code);
  if (site === null) throw errors.RECORD_NOT_FOUND({ kind: 'domain', id: code });
  if (site.disableScripts) throw errors.SCRIPTS_DISABLED({});
  around ??= readScript('record.js').split(PLACE);
  assert(around.length === 2, 'the settings have one place in the script');
  return around.join(literal(tagSettings(site, records.look())));
}

/** JSON that is JavaScript in every browser, and safe where somebody puts the script into a page. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
