// Goal: the table of settings, the page of settings and what is started agree.
// Method: compare the names and the defaults both ways; look every setting's reader up in the sources.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  environmentName,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
} from '../../src/settings/schema.ts';
import { codeLines, sourceFiles } from './sources.ts';

/** The page's rows: `| FOOTFALL_PORT | 8080 | meaning |`, code marks left out. */
function documentedSettings(): Map<string, string> {
  const page = readFileSync('src/docs/operating/settings.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(FOOTFALL_[A-Z_]+)` \| ([^|]+) \|/gm)];
  return new Map(rows.map((row) => [row[1] ?? '', (row[2] ?? '').replaceAll('`', '')]));
}

test('the page explains every setting, and none that does not exist', () => {
  const names = SETTING_KEYS.map(environmentName);
  expect([...documentedSettings().keys()].toSorted()).toEqual(names.toSorted());
});

test.each(SETTING_KEYS)('the page gives %s the default that it has', (key) => {
  const setting: { fallback: unknown; fallbackText?: string } = SETTINGS[key];
  const told = setting.fallbackText ?? String(setting.fallback);
  expect(documentedSettings().get(environmentName(key))).toBe(told);
});

test('every setting is read by the service', () => {
  const files = sourceFiles(['src', 'workers']).filter(
    ({ path }) =>
      path === 'src/settings/public-url.ts' ||
      (!path.startsWith('src/settings/') && !path.startsWith('src/cli/settings')),
  );
  const code = files.map((file) => codeLines(file).join('\n')).join('\n');
  const isRead = (key: SettingKey): boolean => {
    const member = new RegExp(`settings\\.${key}\\b`);
    const taken = new RegExp(`\\{[^{}]*\\b${key}\\b[^{}]*\\} = [\\w.#]*[sS]ettings;`);
    return member.test(code) || taken.test(code);
  };
  expect(SETTING_KEYS.filter((key) => !isRead(key))).toEqual([]);
});
