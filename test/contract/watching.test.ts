// Goal: dashboards and alerts ask for what the service tells (P-30): names, labels and their values.
// Method: every selector of every expression is looked up in the table of metrics; promtool reads the
// rules, and runs their own tests.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { MetricRow } from '../../src/base/metrics/table.ts';
import { METRIC_ROWS } from '../../src/model/metric-rows.ts';
import { shownName } from '../../src/runtime/telemetry/metrics-text.ts';
import { promtoolFaults } from '../support/promtool.ts';

const ALERTS = 'config/prometheus/alerts.yaml';
const BOARD = 'config/grafana/footfall.json';
/** What Prometheus itself adds to every series. */
const ADDED = ['instance', 'job'];

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const panels = (JSON.parse(readFileSync(BOARD, 'utf8')) as { panels: Panel[] }).panels;
const asked = [
  readFileSync(ALERTS, 'utf8').replace(/^ +(summary|description):.*$/gm, ''),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
].join('\n');

/** By every name that a series can have. */
const rows = new Map<string, MetricRow>();
for (const row of Object.values(METRIC_ROWS) as MetricRow[]) {
  const isAmount = row.kind === 'timer' || row.kind === 'histogram';
  const endings = isAmount ? ['_bucket', '_sum', '_count'] : [''];
  for (const ending of endings) rows.set(shownName(row) + ending, row);
}

/** Label → its values; null: anything. */
function labelsOf(name: string): Map<string, readonly string[] | null> {
  const row = rows.get(name);
  const labels = new Map<string, readonly string[] | null>(Object.entries(row?.labels ?? {}));
  for (const label of ADDED) labels.set(label, null);
  if (row?.isPerThread === true) labels.set('thread', null);
  if (name.endsWith('_bucket')) labels.set('le', null);
  return labels;
}

/** Each selector: its name, and what its labels have to be. */
function selectors(): { name: string; label: string; operator: string; value: string }[] {
  return [...asked.matchAll(/(footfall_\w+)(?:\{([^}]*)\})?/g)].flatMap(
    ([, name = '', list = '']) => {
      const matchers = [...list.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)];
      if (matchers.length === 0) return [{ name, label: '', operator: '', value: '' }];
      return matchers.map(([, label = '', operator = '', value = '']) => {
        return { name, label, operator, value };
      });
    },
  );
}

test('every metric that is asked for is told, with these labels and values (P-30)', () => {
  const wrong = selectors().filter(({ name, label, operator, value }) => {
    if (!rows.has(name)) return true;
    if (label === '') return false;
    const values = labelsOf(name).get(label);
    if (values === undefined) return true;
    const parts = operator.includes('~') ? value.split('|') : [value];
    return values !== null && parts.some((part) => !values.includes(part));
  });
  expect(wrong).toEqual([]);
  expect(selectors().length).toBeGreaterThan(40);
});

test('what is grouped by is a label of what is grouped', () => {
  const groups = [...asked.matchAll(/by \(([^)]*)\)\s*\([^{]*?(footfall_\w+)/g)];
  const wrong = groups.flatMap(([text, list = '', name = '']) => {
    const known = labelsOf(name);
    return list.split(/, */).every((label) => known.has(label)) ? [] : [text];
  });
  expect(wrong).toEqual([]);
  expect(groups.length).toBeGreaterThan(20);
});

test('every panel says what it shows', () => {
  const bare = panels.filter(({ type, description = '' }) => type !== 'row' && description === '');
  expect(bare.map(({ title }) => title)).toEqual([]);
});

test('promtool takes the rules, and their own tests pass', () => {
  expect(promtoolFaults(['check', 'rules', ALERTS])).toBe('');
  expect(promtoolFaults(['test', 'rules', 'config/prometheus/alerts.test.yaml'])).toBe('');
});
