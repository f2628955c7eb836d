/** GET /credits: whose data is shown, for the pages that show it; licences ask for a link (I-87). */
import { exactly, listOf, string } from '../base/schema.ts';
import type { Endpoint } from './endpoint.ts';
import { json, PUBLIC, READS } from './presets.ts';

const CREDIT = exactly({ text: string, url: string, licence: string });

/** The same for everybody. */
export const creditEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, needsReady: false },
    path: '/credits',
    summary: 'Whose data places are made of: text, link and licence, to be shown where places are.',
    answer: json(exactly({ places: listOf(CREDIT) })),
    handle: (_call, { placeCredits }) => JSON.stringify({ places: placeCredits() }),
  },
];
