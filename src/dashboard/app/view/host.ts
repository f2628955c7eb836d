/** What the service said with the page, in its first element: what its host shows (D-1), and to whom. */

const { dataset } = document.documentElement;
const [kind = '', name = ''] = (dataset['shows'] ?? '').split(' ');

/** Whether the browser that asked for the page was signed in nowhere: nobody has to ask who it is. */
export const hadNobody = dataset['nobody'] !== undefined;

/** The service with all of its sites, or one site: by its subdomain, or by its hostname. */
export const HOST = { kind: kind || 'service', name };

/** Whether the list of sites and the account are at this host. */
export const isService = HOST.kind === 'service';

/** The path of the account, at the host of the service. */
export const ACCOUNT = '/account';

/** The one name of a path; null: it is of no dashboard. */
export function nameIn(path: string): string | null {
  try {
    const name = decodeURIComponent(path.slice(1));
    return name.includes('/') ? null : name;
  } catch {
    return null;
  }
}

/** How the interface is asked for the site at a path of this host. */
export function siteOf(
  path: string,
): { readonly hostname: string } | { readonly subdomain: string } {
  if (HOST.kind === 'hostname') return { hostname: HOST.name };
  return { subdomain: HOST.name || (nameIn(path) ?? '') };
}

/** Where the dashboard of a site is, as seen from this page. */
export function siteAddress({ subdomain }: { readonly subdomain: string }): string {
  return isService ? `${location.origin}/${subdomain}` : `${location.origin}/`;
}
