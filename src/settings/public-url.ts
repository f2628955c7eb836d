/** The address of the service as people type it: what links and greetings begin with. Control plane. */
import type { Settings } from './schema.ts';

/** Where a service listens that takes requests at every address of its machine. */
const EVERYWHERE = ['0.0.0.0', '::'];

type Listens = Pick<Settings, 'host' | 'port' | 'tlsCert'>;

/** Without a trailing slash; `FOOTFALL_BASE_URL`, else where it is reached on this machine. */
export function publicUrl(settings: Listens & Pick<Settings, 'baseUrl'>): string {
  const { host, baseUrl } = settings;
  return baseUrl ?? ownUrl({ ...settings, host: EVERYWHERE.includes(host) ? '127.0.0.1' : host });
}

/** Where it listens: https with a certificate; addresses of IPv6 are put in brackets. */
export function ownUrl({ host, port, tlsCert }: Listens): string {
  const scheme = tlsCert === null ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What browsers ask for: the name of the public address, and what hosts of dashboards end with. */
export function hostsOf(settings: Pick<Settings, 'baseUrl' | 'dashboardHost'>) {
  const { baseUrl } = settings;
  const own = baseUrl === null ? null : new URL(baseUrl).hostname;
  return { own, dashboards: settings.dashboardHost };
}
