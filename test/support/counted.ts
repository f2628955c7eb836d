/** What this process has counted since a test began: metrics only ever rise. */
import { metricsTable } from '../../src/model/metrics.ts';

type MetricKey = keyof typeof metricsTable.rows;
type Totals = ReadonlyMap<string, number>;

/** Every series that moved, as `name{label=value,…}` and by how much; of histograms their number. */
export type Counted = Readonly<Record<string, number>>;

function totals(keys: readonly MetricKey[]): Totals {
  const found = new Map<string, number>();
  for (const key of keys) {
    for (const { labels } of metricsTable.read(key)) {
      const where = Object.fromEntries(labels);
      const text = labels.map(([name, value]) => `${name}=${value}`).join(',');
      found.set(`${key}{${text}}`, metricsTable.total(key, where));
    }
  }
  return found;
}

/** Begins. @returns what moved since then of these metrics. */
export function countFrom(...keys: MetricKey[]): () => Counted {
  const before = totals(keys);
  return () => {
    const moved: Record<string, number> = {};
    for (const [series, total] of totals(keys)) {
      const change = total - (before.get(series) ?? 0);
      if (change !== 0) moved[series] = change;
    }
    return moved;
  };
}
