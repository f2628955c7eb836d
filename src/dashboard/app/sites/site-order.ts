/** In which order sites stand: pinned first, then favourites, then as it was chosen (D-16, D-19). */
import type { Domain } from '../site/site-data.ts';
import type { Traffic } from './site-traffic.ts';

export const ORDERS = ['name', 'traffic', 'change'] as const;
export type Order = (typeof ORDERS)[number];

/** What a site is for the caller. */
export function tasteOf({ settings }: Domain): { pinned: boolean; favorite: boolean } {
  const { pinned, favorite } = settings as Record<string, unknown>;
  return { pinned: pinned === true, favorite: favorite === true };
}

/** Those that are searched for, in their order. @param trafficOf undefined of what is not known yet. */
export function ordered(
  sites: readonly Domain[],
  { search, order }: { readonly search: string; readonly order: Order },
  trafficOf: (id: string) => Traffic | undefined,
): readonly Domain[] {
  const wanted = search.trim().toLowerCase();
  const found = sites.filter(({ hostname, display_name: name }) =>
    `${hostname} ${name}`.toLowerCase().includes(wanted),
  );
  const weightOf = ({ id }: Domain) => {
    const traffic = trafficOf(id);
    if (order === 'name' || traffic === undefined) return Number.NEGATIVE_INFINITY;
    return order === 'traffic' ? traffic.visitors : Math.abs(traffic.change);
  };
  const keyed = found.map((site) => {
    const { pinned, favorite } = tasteOf(site);
    return { site, rank: pinned ? 0 : favorite ? 1 : 2, weight: weightOf(site) };
  });
  const collator = new Intl.Collator(undefined, { numeric: true });
  keyed.sort(
    (left, right) =>
      left.rank - right.rank ||
      (left.weight === right.weight ? 0 : right.weight - left.weight) ||
      collator.compare(left.site.hostname, right.site.hostname),
  );
  return keyed.map(({ site }) => site);
}
