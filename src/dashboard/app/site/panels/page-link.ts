/** Where a row leads: only to pages, whatever visitors sent. */

/** What a row opens. */
export type Opens = 'path' | 'hostname' | 'url';

/** The address that a row opens; null: it is none of a page. */
export function pageOf(
  tab: { readonly opens?: Opens },
  row: Readonly<Record<string, unknown>>,
  hostname: string,
): string | null {
  switch (tab.opens) {
    case 'path': {
      const path = String(row['path'] ?? '');
      return path.startsWith('/') ? pageAt(`https://${hostname}${path}`, hostname) : null;
    }
    case 'hostname': {
      const host = String(row['hostname'] ?? '');
      return host === '' ? null : pageAt(`https://${host}/`, host);
    }
    case 'url':
      return pageAt(String(row['referrer'] ?? ''), null);
    default:
      return null;
  }
}

/** @param host that the address must be of; null: any. */
function pageAt(address: string, host: string | null): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, username, href } = new URL(address);
  const isPage = (protocol === 'https:' || protocol === 'http:') && username === '';
  return isPage && (host === null || hostname === host.toLowerCase()) ? href : null;
}
