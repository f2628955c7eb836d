/** Whose settings are shown, and to whom. */
import type { AnswerOf } from '../data/api.ts';
import type { Domain } from '../site/site-data.ts';

/** As `GET organization` answers it, to one of its people. */
export type Organization = AnswerOf<'GET /api/v1/organization'>[number];

/** A site, an organization, or with neither the account, and who looks at it. */
export interface Place {
  readonly domain: Domain | null;
  readonly organization: Organization | null;
  readonly me: { readonly id: string; readonly email: string };
  /** Something of it is different now: it is asked for again. */
  readonly onChanged: () => Promise<void>;
}

/** A place that is a site. */
export interface SitePlace extends Place {
  readonly domain: Domain;
}

/** A place that is an organization. */
export interface OrganizationPlace extends Place {
  readonly organization: Organization;
}
