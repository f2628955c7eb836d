// Goal: the table of settings, README's table and what is started agree.
// Method: compare the names and the defaults both ways.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environmentName, SETTING_KEYS, SETTINGS } from '../../src/settings/schema.ts';

/** README's rows: `| FOOTFALL_PORT | 8080 | meaning |`, code marks left out. */
function documentedSettings(): Map<string, string> {
  const readme = readFileSync('README.md', 'utf8');
  const rows = [...readme.matchAll(/^\| `(FOOTFALL_[A-Z_]+)` \| ([^|]+) \|/gm)];
  return new Map(rows.map((row) => [row[1] ?? '', (row[2] ?? '').replaceAll('`', '')]));
}

test('README explains every setting, and none that does not exist', () => {
  const names = SETTING_KEYS.map(environmentName);
  expect([...documentedSettings().keys()].toSorted()).toEqual(names.toSorted());
});

test.each(SETTING_KEYS)('README gives %s the default that it has', (key) => {
  const setting: { fallback: unknown; fallbackText?: string } = SETTINGS[key];
  const told = setting.fallbackText ?? String(setting.fallback);
  expect(documentedSettings().get(environmentName(key))).toBe(told);
});
