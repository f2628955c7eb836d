/** What the service said with the page, in its first element: what its host shows (D-1), and to whom. */

const { dataset } = document.documentElement;
const [kind = '', name = ''] = (dataset['shows'] ?? '').split(' ');

/** Whether the browser that asked for the page was signed in nowhere: nobody has to ask who it is. */
export const hadNobody = dataset['nobody'] !== undefined;

/** The service with all of its sites, or one site: by its subdomain, or by its hostname. */
export const HOST = { kind: kind || 'service', name };

/** Whether the list of sites and the account are at this host. */
export const isService = HOST.kind === 'service';

/** Where the dashboard of a site is, as seen from this page. */
export function siteAddress({ subdomain }: { readonly subdomain: string }): string {
  return isService ? `${location.origin}/${subdomain}` : `${location.origin}/`;
}
