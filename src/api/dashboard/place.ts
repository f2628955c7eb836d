/**
 * Which dashboard an address is of (D-1, M-13): by the host that a browser asked for, and on the host of
 * the service by the path.
 *
 * The page learns it from an attribute of its first element.
 */
import { isIP } from 'node:net';
import type { Domain } from '../../control/resources/domain.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call } from '../endpoint.ts';
import type { AccessPort, Ports } from '../ports.ts';

/** What a host shows: the service with all it has, one dashboard, or nothing. */
export type DashboardPlace =
  | { readonly kind: 'service' | 'unknown' }
  | { readonly kind: 'subdomain' | 'hostname'; readonly name: string };

/** One label of a DNS name. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What the host of a request shows. */
export function placeOfHost(sent: string, { access, hosts }: Ports): DashboardPlace {
  const host = plainHost(sent);
  const { own, dashboards } = hosts;
  if (dashboards !== null && host.endsWith(`.${dashboards}`) && host !== own) {
    const name = host.slice(0, -dashboards.length - 1);
    return LABEL.test(name) ? { kind: 'subdomain', name } : { kind: 'unknown' };
  }
  if (access.dashboardAt('customDomain', host) !== null) return { kind: 'hostname', name: host };
  // Without an address of its own the service is wherever it is reached.
  const isOwn = own === null || host === own || host === dashboards || isOfMachine(host);
  return { kind: isOwn ? 'service' : 'unknown' };
}

/** Hosts whose pages may frame this page: those of the access link in its address, if that is right. */
export function framesOfPage(call: Call, place: DashboardPlace, { access }: Ports) {
  if (call.query === '') return [];
  const code = firstValue(parseQueryString(call.query), 'access');
  const site = code === undefined ? null : siteAt(call, place, access);
  if (site === null || code === undefined) return [];
  return access.framesOf(site, code.trim(), call.receivedMs);
}

/** The domain whose dashboard an address is of, whoever may see it; null: there is none. */
export function siteAt(
  { pathPart }: Call,
  place: DashboardPlace,
  access: AccessPort,
): Domain | null {
  if (place.kind === 'service') return access.dashboardAt('subdomain', pathPart);
  if (!('name' in place) || pathPart !== '') return null;
  const field = place.kind === 'subdomain' ? 'subdomain' : 'customDomain';
  return access.dashboardAt(field, place.name);
}

/** Without port and the dot of the root, in lower case. */
function plainHost(sent: string): string {
  const host = sent.trim().toLowerCase();
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.lastIndexOf(':');
  return (end > 0 ? host.slice(0, end) : host).replace(/\.$/, '');
}

/** How the machine is reached without the DNS of others: an address, or a name of one label. */
function isOfMachine(host: string): boolean {
  return !host.includes('.') || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}
