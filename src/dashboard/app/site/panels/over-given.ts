/** What lies over the page is given this. */
import type { SiteData } from '../site-data.ts';

/** Given by the address. */
export interface OverGiven {
  readonly data: SiteData;
  /** What stands behind the colon of `open`. */
  readonly what: string;
  readonly onClose: () => void;
}
