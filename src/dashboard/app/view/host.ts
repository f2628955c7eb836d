/** What the host of this page shows; said by the service in the first element (D-1). */

const [kind = '', name = ''] = (document.documentElement.dataset['shows'] ?? '').split(' ');

/** The service with all of its sites, or one site: by its subdomain, or by its hostname. */
export const HOST = { kind: kind || 'service', name };

/** Whether the list of sites and the account are at this host. */
export const isService = HOST.kind === 'service';

/** Where the dashboard of a site is, as seen from this page. */
export function siteAddress({ subdomain }: { readonly subdomain: string }): string {
  return isService ? `${location.origin}/${subdomain}` : `${location.origin}/`;
}
