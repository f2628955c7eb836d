/**
 * Plausible: the archive of ten tables that its settings export, a sum per day and value.
 *
 * Days are those of the site's own time zone, and a visitor belongs to one day, so sums of days add up.
 * Events are counted there, too, but statistics that are imported have none (S-98). Cities are
 * numbers of a gazetteer that is not in the export.
 */
import type { SumDimension } from '../../model/imported-sum.ts';
import { type Adapter, type ImportedSum, ImportFault, type SourceFile } from '../adapter.ts';
import { type Row, readTable } from '../source/table.ts';

const FILE = /(?:^|\/)imported_([a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/i;
/** Tables of the other archive, which the dashboard offers: sums without dates. */
const UNDATED = /(?:^|\/)(entry_pages|exit_pages|operating_systems|utm_mediums)\.csv$/i;
const UNDATED_COUNT_MIN = 2;
const DEVICES: Readonly<Record<string, string>> = {
  ...{ Desktop: 'desktop', Laptop: 'desktop', Mobile: 'mobile', Tablet: 'tablet' },
};

/** One table: its columns, and the sums that a row of it is. */
interface Table {
  readonly columns: readonly string[];
  /** Under which name it has sessions. */
  readonly sessions: string;
  values(row: Row): readonly Value[];
}

interface Value {
  readonly dimension: SumDimension;
  readonly value: string;
  readonly country?: string;
}

const one = (dimension: SumDimension, name: string): Table['values'] => {
  return (row) => [{ dimension, value: row.text(name) }];
};

const TABLES: Readonly<Record<string, Table>> = {
  visitors: {
    columns: [],
    sessions: 'visits',
    values: () => [{ dimension: 'total', value: '' }],
  },
  pages: { columns: ['page'], sessions: 'visits', values: one('page', 'page') },
  entry_pages: {
    columns: ['entry_page'],
    sessions: 'entrances',
    values: one('entry', 'entry_page'),
  },
  exit_pages: { columns: ['exit_page'], sessions: 'exits', values: one('exit', 'exit_page') },
  sources: { columns: ['source'], sessions: 'visits', values: valuesOfSource },
  locations: { columns: ['country'], sessions: 'visits', values: valuesOfLocation },
  devices: { columns: ['device'], sessions: 'visits', values: valuesOfDevice },
  browsers: { columns: ['browser'], sessions: 'visits', values: one('browser', 'browser') },
  operating_systems: {
    columns: ['operating_system'],
    sessions: 'visits',
    values: valuesOfSystem,
  },
};

export const PLAUSIBLE: Adapter = {
  name: 'plausible',
  title: 'Plausible',
  gives: 'sums',
  isPersonal: false,
  recognises: (files) => files.some(({ name }) => tableOf(name) !== undefined) || isUndated(files),
  async *read(files) {
    if (isUndated(files)) throw undatedFault(files);
    for (const file of files) {
      const table = tableOf(file.name);
      if (table !== undefined) yield* sumsOf(file, table);
    }
  },
};

function isUndated(files: readonly Pick<SourceFile, 'name'>[]): boolean {
  return files.filter(({ name }) => UNDATED.test(name)).length >= UNDATED_COUNT_MIN;
}

function undatedFault(files: readonly Pick<SourceFile, 'name'>[]): ImportFault {
  const expected =
    "the archive of 'Export to CSV' in the settings of the site, under 'Imports & Exports', which " +
    'has a sum for each day: what the button above the chart downloads has no dates';
  return new ImportFault({ file: files[0]?.name ?? '', line: 1 }, expected);
}

function tableOf(name: string): Table | undefined {
  return TABLES[FILE.exec(name)?.[1]?.toLowerCase() ?? ''];
}

async function* sumsOf(file: SourceFile, table: Table): AsyncGenerator<ImportedSum[]> {
  const required = ['date', 'visitors', ...table.columns];
  for await (const rows of readTable(file, { required })) {
    yield rows.flatMap((row) => {
      const counts = {
        ...{ date: row.date('date'), place: row.place },
        ...{ visitors: row.count('visitors'), views: row.count('pageviews') },
        ...{ sessions: row.count(table.sessions), bounces: row.count('bounces') },
        seconds: row.count('visit_duration'),
      };
      return table.values(row).map((value) => ({ ...counts, ...value }));
    });
  }
}

/** What it calls a source is a name, as ours of a referrer is; '' and this word are none. */
function valuesOfSource(row: Row): Value[] {
  const source = row.text('source');
  const values: Value[] = [
    { dimension: 'referrer', value: source === 'Direct / None' ? '' : source },
  ];
  for (const dimension of ['utm_source', 'utm_medium', 'utm_campaign'] as const) {
    const value = row.text(dimension);
    if (value !== '') values.push({ dimension, value });
  }
  return values;
}

function valuesOfLocation(row: Row): Value[] {
  const country = row.text('country');
  const region = row.text('region');
  const values: Value[] = [{ dimension: 'country', value: country }];
  if (region !== '') values.push({ dimension: 'region', value: region, country });
  return values;
}

function valuesOfDevice(row: Row): Value[] {
  const device = row.text('device');
  return [{ dimension: 'device', value: DEVICES[device] ?? device }];
}

function valuesOfSystem(row: Row): Value[] {
  const system = row.text('operating_system');
  return [{ dimension: 'os', value: system === 'GNU/Linux' ? 'Linux' : system }];
}
