/** Whose settings are shown, and to whom. */
import type { Domain } from '../site/site-data.ts';

/** A site, or with null the account, and who looks at it. */
export interface Place {
  readonly domain: Domain | null;
  readonly me: { readonly id: string; readonly email: string };
  /** Something of the site is different now: it is asked for again. */
  readonly onChanged: () => Promise<void>;
}

/** A place that is a site. */
export interface SitePlace extends Place {
  readonly domain: Domain;
}
