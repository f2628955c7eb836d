// Goal (P-3): an import on a cluster counts each row once, whichever node has the upload, is asked, and
//   is killed in the middle; taken back nothing is left, on any node.
// Method: two nodes. The upload goes to one, the job is started and watched through the other; the node
//   of the upload is killed while it writes. Numbers are those of the file, as a single node gives them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { startCluster, type TestCluster } from '../../support/cluster.ts';
import { Importing } from '../../support/importing.ts';
import { until } from '../../support/until.ts';
import { zipOf } from '../../support/zip.ts';

const VISITORS = 6_000;
const VIEWS_EACH = 3;
const WITHIN_MS = 90_000;
const HEAD =
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date';

let cluster: TestCluster;

beforeAll(async () => {
  const hostnames = ['hits.example', 'sums.example'];
  cluster = await startCluster({ nodes: 2, hostnames, env: { FOOTFALL_SHARDS: '4' } });
  await cluster.balanced(2, 120_000);
}, 240_000);

afterAll(() => cluster?.dispose());

/** GoatCounter's table, on the first days of 2024. */
function hitsCsv(): Buffer {
  const lines = [HEAD];
  for (let visitor = 0; visitor < VISITORS; visitor++) {
    for (let view = 0; view < VIEWS_EACH; view++) {
      const at = new Date(Date.UTC(2024, 0, 1 + (visitor % 20), 10, view)).toISOString();
      const rest = `Title,false,,Firefox 120,Linux,s${visitor},0,,,"1920,1080,1",DE,true`;
      lines.push(`/page-${view},${rest},${at.slice(0, 19)}Z`);
    }
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

async function viewsOf(client: ApiClient, id: string): Promise<number> {
  const asked = { id, from: '2024-01-01', to: '2024-01-31' };
  return ((await client.statistics('total', asked)) as { views: number }).views;
}

test('P-3: single hits count once though the node that imports them is killed; any node takes them back', {
  timeout: 400_000,
}, async () => {
  const { domain } = cluster.sites[0]!;
  const readers = [await cluster.sites[0]!.reader(0), await cluster.sites[0]!.reader(1)] as const;
  const id = await new Importing(readers[0], domain.id).upload('goatcounter.csv', hitsCsv());
  const elsewhere = new Importing(readers[1], domain.id);
  await elsewhere.start(id);
  await until(async () => (await viewsOf(readers[1], domain.id)) > 0, WITHIN_MS);
  await cluster.nodes[0]!.kill();
  await cluster.nodes[0]!.start();
  const rows = VISITORS * VIEWS_EACH;
  expect(await elsewhere.ended()).toMatchObject({ state: 'done', rows_imported: rows });
  for (const reader of readers) expect(await viewsOf(reader, domain.id)).toBe(rows);
  await elsewhere.cancel();
  for (const reader of readers) {
    await until(async () => (await viewsOf(reader, domain.id)) === 0, WITHIN_MS);
  }
});

test('P-2, S-98: sums that one node imports are told by every node', {
  timeout: 200_000,
}, async () => {
  const { domain } = cluster.sites[1]!;
  const readers = [await cluster.sites[1]!.reader(0), await cluster.sites[1]!.reader(1)] as const;
  const days = [
    'date,visitors,pageviews,bounces,visits,visit_duration',
    '2024-01-02,10,30,2,12,100',
  ];
  const zip = zipOf({ 'imported_visitors.csv': days.join('\n') });
  const job = await new Importing(readers[1], domain.id).whole('plausible.zip', zip);
  expect(job).toMatchObject({ state: 'done', format: 'plausible', rows_imported: 1 });
  for (const reader of readers) expect(await viewsOf(reader, domain.id)).toBe(30);
});
