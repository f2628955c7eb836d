/** What an element shows of a site's numbers: it is drawn again when the answers to its questions change. */
import { useMemo } from 'preact/hooks';
import type { Shown, SiteData } from './site-data.ts';

/** @param isOf which questions, by their keys; null: no numbers are there yet. */
export function usePart(data: SiteData, isOf: (key: string) => boolean): Shown | null {
  return useMemo(() => data.part(isOf), [data]).value;
}
