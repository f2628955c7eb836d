/** Looks every request of a load's ledger up in the statistics, by its own page. */
import type { ApiClient } from '../clients/client.ts';
import type { LedgerEntry, LoadClient } from '../clients/load-client.ts';
import type { DomainCredentials } from '../service.ts';

const DAY_MS = 86_400_000;
const PAGE_ROWS = 100;

/** One domain under load. */
export interface Site {
  domain: DomainCredentials;
  reader: ApiClient;
  load: LoadClient;
}

/** One domain, and what was sent to it. */
export interface AskedSite {
  domain: Pick<DomainCredentials, 'id'>;
  reader: ApiClient;
  load: Pick<LoadClient, 'ledger'>;
}

/** From yesterday to tomorrow, so that a run across midnight sees all of its hits. */
function range(domain: Pick<DomainCredentials, 'id'>): { id: string; from: string; to: string } {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const now = Date.now();
  return { id: domain.id, from: day(now - DAY_MS), to: day(now + DAY_MS) };
}

/** Page views of all days that a run may touch. */
export async function totalViews({
  domain,
  reader,
}: Pick<AskedSite, 'domain' | 'reader'>): Promise<number> {
  const total = (await reader.statistics('total', range(domain))) as { views: number };
  return total.views;
}

/** The bill of the account that the sites are of: by domain its page views and where they begin (S-99). */
export async function billOf(
  account: ApiClient,
): Promise<Map<string, { pageViews: number; start: string | null }>> {
  const { from, to } = range({ id: '' });
  const { status, body } = await account.request('GET', `/api/v1/billing?from=${from}&to=${to}`);
  if (status !== 200) throw new Error(`the bill is answered ${status}: ${JSON.stringify(body)}`);
  const rows = body as {
    domain: { id: string; statistics_start: string | null };
    page_views: number;
  }[];
  return new Map(
    rows.map(({ domain, page_views: pageViews }) => [
      domain.id,
      { pageViews, start: domain.statistics_start },
    ]),
  );
}

/** Rows of page views and of events, as statistics tell them; the load sends no keep-alives. */
export async function storedRows(site: Site): Promise<number> {
  const events = await wholeList(site, { name: 'events', key: 'name', value: 'count' });
  const eventRows = [...events.values()].reduce((left, right) => left + right, 0);
  return (await totalViews(site)) + eventRows;
}

/** A whole list, page by page: the value of one field by the value of another. */
async function wholeList(
  { domain, reader }: Pick<AskedSite, 'domain' | 'reader'>,
  list: { name: string; key: string; value: string },
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const parameters = { ...range(domain), limit: PAGE_ROWS, offset };
    const answer = await reader.statistics(list.name, parameters);
    const rows = answer as Record<string, string | number>[];
    for (const row of rows) found.set(String(row[list.key]), Number(row[list.value]));
    if (rows.length < PAGE_ROWS) return found;
  }
}

/** What is wrong with one request's count; '' when nothing is. */
function verdict(entry: LedgerEntry, counted: number, expected: number): string {
  const must = entry.hasKey || entry.fate === 'acknowledged';
  const isRight = counted === expected || (!must && counted === 0);
  return isRight
    ? ''
    : `${entry.path} (${entry.fate}, ${entry.attempts} attempts, key: ${entry.hasKey}): ` +
        `counted ${counted} of ${expected}`;
}

/** Looks every request of a site up. @returns what is wrong. */
export async function wrongCounts(site: AskedSite): Promise<string[]> {
  const views = await wholeList(site, { name: 'page', key: 'path', value: 'views' });
  const visitors = await wholeList(site, { name: 'page', key: 'path', value: 'visitors' });
  const events = await wholeList(site, { name: 'events', key: 'name', value: 'count' });
  const { ledger } = site.load;
  const known = new Set(ledger.map((entry) => entry.path));
  const wrong = ledger.flatMap((entry) => [
    verdict(entry, views.get(entry.path) ?? 0, entry.views),
    entry.events === 0 ? '' : verdict(entry, events.get(entry.eventName) ?? 0, entry.events),
    (visitors.get(entry.path) ?? 0) > 1 ? `${entry.path}: more than one visitor` : '',
  ]);
  for (const path of views.keys()) {
    if (!known.has(path)) wrong.push(`${path} was never sent`);
  }
  const total = await totalViews(site);
  const sum = [...views.values()].reduce((left, right) => left + right, 0);
  if (total !== sum) wrong.push(`the total is ${total}, the pages add up to ${sum}`);
  return wrong.filter((text) => text !== '');
}
