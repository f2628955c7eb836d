/** What has to be said where places of a location database are shown. */
import { basename } from 'node:path';
import { PLACE_MAKERS, type PlaceCredit } from '../../ingest/data/place-makers.ts';

/** null: its maker is not known, by the name of the file nor by what it says of itself. */
export function creditOf(path: string, { type }: { readonly type: string }): PlaceCredit | null {
  const words = `${basename(path)} ${type}`.toLowerCase();
  return PLACE_MAKERS.find(([word]) => words.includes(word))?.[1] ?? null;
}
