/** GET /: what answers here and where to read on, for whoever opens the address in a browser. */
import { packageVersion } from '../settings/package-root.ts';
import type { Endpoint } from './endpoint.ts';

const ABOUT = JSON.stringify({
  name: 'footfall',
  version: packageVersion(),
  api: '/api/v1',
  documentation: 'README.md beside the program: first steps, settings, errors, running it',
  livez: '/livez',
  readyz: '/readyz',
});

/** Answered also while starting and stopping; the same for everybody. */
export const rootEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/',
    scope: null,
    allowsAccessKeys: false,
    needsReady: false,
    body: null,
    handle: () => ABOUT,
  },
];
