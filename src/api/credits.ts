/**
 * GET /credits: whose data is shown, for the pages that show it; licences ask for a link (I-87).
 * And whose programs the dashboard is made of: their licences ask for their text.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exactly, listOf, string } from '../base/schema.ts';
import { packageRoot } from '../settings/package-root.ts';
import type { Endpoint } from './endpoint.ts';
import { json, PUBLIC, READS } from './presets.ts';

const CREDIT = exactly({ text: string, url: string, licence: string });
const PACKAGE = exactly({
  name: string,
  version: string,
  licence: string,
  url: string,
  text: string,
});

/** The same for everybody. */
export const creditEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, needsReady: false },
    path: '/credits',
    summary: 'Whose data places are made of, and whose programs the dashboard is made of.',
    answer: json(exactly({ places: listOf(CREDIT), packages: listOf(PACKAGE) })),
    handle: (_call, { placeCredits }) =>
      `{"places":${JSON.stringify(placeCredits())},"packages":${packages()}}`,
  },
];

let made: string | null = null;

/** As `config/tools/build-dashboard.mjs` found them; none where there is no dashboard. */
function packages(): string {
  const path = join(packageRoot(), 'dist/dashboard/packages.json');
  made ??= existsSync(path) ? readFileSync(path, 'utf8') : '[]';
  return made;
}
