/** GET /api/v1: what answers here and where to read on, for whoever opens the address in a browser. */
import { exactly, string } from '../base/schema.ts';
import { packageVersion } from '../settings/package-root.ts';
import type { Endpoint } from './endpoint.ts';
import { json, PUBLIC, READS } from './presets.ts';

const ABOUT = {
  name: 'footfall',
  version: packageVersion(),
  api: '/api/v1',
  documentation: '/docs',
  livez: '/livez',
  readyz: '/readyz',
};
const ANSWER = JSON.stringify(ABOUT);
const members = Object.keys(ABOUT).map((name) => [name, string] as const);

/** Answered also while starting and stopping; the same for everybody. */
export const rootEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, needsReady: false },
    path: '/api/v1',
    summary: 'What answers here, and where to read on.',
    answer: json(exactly(Object.fromEntries(members))),
    handle: () => ANSWER,
  },
];
