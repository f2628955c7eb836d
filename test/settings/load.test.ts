// Goal: one value per setting, from the right source, and no mistake of an operator passes silently.
// Method: every source is passed in; files are written to a temporary directory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { errors } from '../../src/model/errors.ts';
import { loadSettings, type SettingSources } from '../../src/settings/load.ts';
import type { SettingRow } from '../../src/settings/rows.ts';
import {
  environmentName,
  flagName,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type Settings,
  settingName,
} from '../../src/settings/schema.ts';

const directory = mkdtempSync(join(tmpdir(), 'footfall-settings-'));
afterAll(() => rmSync(directory, { recursive: true }));
let fileCount = 0;

function file(content: unknown): string {
  const path = join(directory, `settings-${fileCount++}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function loaded(sources: SettingSources = {}) {
  const defaultFile = join(directory, 'absent.json');
  const fixed = { environment: {}, directory: '/srv', defaultFile, coreCount: 2 };
  return loadSettings({ ...fixed, ...sources });
}

function load(sources: SettingSources = {}): Settings {
  const result = loaded(sources);
  if ('fault' in result) throw new Error(`refused: ${JSON.stringify(result.fault)}`);
  return result.settings;
}

/** The line that an operator reads. */
function refusal(sources: SettingSources): string {
  const result = loaded(sources);
  if ('settings' in result) return 'not refused';
  return errors[result.fault.code](result.fault.detail as never).message;
}

describe('sources', () => {
  const lowest = file({ port: 1001 });
  const named = file({ port: 1002 });
  const all = {
    defaultFile: lowest,
    environment: { FOOTFALL_CONFIG: named, FOOTFALL_PORT: '1003' },
    flags: { port: '1004' },
  };

  test.each([
    { wins: 'the default', sources: {}, port: 8080, origin: 'default' },
    {
      wins: 'config/default.json',
      sources: { defaultFile: lowest },
      port: 1001,
      origin: 'config/default.json',
    },
    {
      wins: 'the file named by FOOTFALL_CONFIG',
      sources: { defaultFile: lowest, environment: { FOOTFALL_CONFIG: named } },
      port: 1002,
      origin: named,
    },
    {
      wins: 'the environment',
      sources: { defaultFile: lowest, environment: all.environment },
      port: 1003,
      origin: 'FOOTFALL_PORT',
    },
    { wins: 'the flag', sources: all, port: 1004, origin: '--port' },
  ])('$wins wins over everything before it', ({ sources, port, origin }) => {
    const settings = load(sources);
    expect([settings.port, settings.origins.port]).toEqual([port, origin]);
  });

  test('a setting keeps its own source when others come from elsewhere', () => {
    const settings = load({ ...all, environment: { ...all.environment, FOOTFALL_HOST: '::1' } });
    expect(settings.origins).toMatchObject({
      port: '--port',
      host: 'FOOTFALL_HOST',
      shards: 'default',
    });
  });

  test('the settings cannot be changed afterwards', () => {
    const settings = load();
    expect(Object.isFrozen(settings) && Object.isFrozen(settings.origins)).toBe(true);
  });

  test('the file that ships with the package is read', () => {
    expect(loadSettings({ environment: {} })).toMatchObject({ settings: { port: 8080 } });
  });
});

describe('names', () => {
  test.each(SETTING_KEYS.map((key) => [key]))('%s has one name in every form', (key) => {
    const name = settingName(key);
    expect(environmentName(key)).toBe(`FOOTFALL_${name.toUpperCase()}`);
    expect(flagName(key)).toBe(`--${name.replaceAll('_', '-')}`);
    const row: SettingRow<unknown> = SETTINGS[key];
    expect(row.meaning).toMatch(/\.$/);
  });
});

describe('values', () => {
  test('defaults are those of the operator interface', () => {
    expect(load()).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      dataDir: '/srv/data',
      durability: 'sync',
      shards: 64,
      natsServers: [],
      baseUrl: null,
      trustedProxies: [],
      geoDb: [],
      logLevel: 'info',
      logFormat: 'json',
    });
  });

  test.each([
    { coreCount: 1, threads: [1, 1, 1] },
    { coreCount: 2, threads: [1, 1, 1] },
    { coreCount: 4, threads: [2, 1, 1] },
    { coreCount: 16, threads: [8, 4, 4] },
    { coreCount: 512, threads: [64, 64, 64] },
  ])('threads by $coreCount cores are $threads', ({ coreCount, threads }) => {
    const settings = load({ coreCount });
    expect([settings.edges, settings.actors, settings.queryThreads]).toEqual(threads);
  });

  test('there are never more actors than shards by cores', () => {
    expect(load({ coreCount: 64, flags: { shards: '2' } }).actors).toBe(2);
  });

  test.each<[string, SettingKey, string, unknown]>([
    ['a port of 0', 'port', '0', 0],
    ['a port of 65535', 'port', '65535', 65_535],
    ['blanks around a number', 'port', ' 80 ', 80],
    ['a relative data directory', 'dataDir', 'here', '/srv/here'],
    ['an absolute data directory', 'dataDir', '/var/lib/footfall', '/var/lib/footfall'],
    ['a list', 'trustedProxies', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['an empty list', 'trustedProxies', '', []],
    ['any origin', 'corsOrigins', '*', ['*']],
    [
      'origins',
      'corsOrigins',
      'https://a.test, http://b.test:81',
      ['https://a.test', 'http://b.test:81'],
    ],
    ['a base URL with a slash at its end', 'baseUrl', 'https://a.test/x/', 'https://a.test/x'],
    ['no geo database', 'geoDb', '', []],
    ['two geo databases', 'geoDb', '/a/4.mmdb, 6.mmdb', ['/a/4.mmdb', '/srv/6.mmdb']],
    ['NATS servers', 'natsServers', 'nats://a:4222,b:4222', ['nats://a:4222', 'b:4222']],
    ['a credentials file', 'natsCredentials', 'nats.creds', '/srv/nats.creds'],
    ['no NATS user', 'natsUser', '', null],
  ])('%s is understood', (_, key, given, value) => {
    expect(load({ environment: { [environmentName(key)]: given } })[key]).toEqual(value);
  });

  test('a file may hold JSON values of their own type', () => {
    const defaultFile = file({ port: 81, trusted_proxies: ['::1'], base_url: null });
    const settings = load({ defaultFile });
    expect([settings.port, settings.trustedProxies, settings.baseUrl]).toEqual([81, ['::1'], null]);
  });
});

describe('refusals', () => {
  test.each<[string, SettingKey, string]>([
    ['no number', 'port', 'eighty'],
    ['nothing', 'port', ''],
    ['a fraction', 'port', '80.5'],
    ['hexadecimal', 'port', '0x50'],
    ['a number below its bound', 'port', '-1'],
    ['a number above its bound', 'port', '65536'],
    ['no shards', 'shards', '0'],
    ['too many threads', 'edges', '65'],
    ['more actors than shards', 'actors', '65'],
    ['a word outside the list', 'durability', 'maybe'],
    ['a word in another case', 'durability', 'SYNC'],
    ['no host', 'host', ''],
    ['a host with a port', 'host', 'localhost:80'],
    ['no directory', 'dataDir', ' '],
    ['a base URL without a scheme', 'baseUrl', 'stats.example.org'],
    ['a base URL with a query', 'baseUrl', 'https://a.test/?x=1'],
    ['a proxy that is no address', 'trustedProxies', 'proxy.local'],
    ['a range that is too wide', 'trustedProxies', '10.0.0.0/33'],
    ['an origin with a path', 'corsOrigins', 'https://a.test/'],
    ['an origin with the port it has anyway', 'corsOrigins', 'https://a.test:443'],
    ['an origin in capitals', 'corsOrigins', 'https://A.test'],
    ['an origin without a scheme', 'corsOrigins', 'a.test'],
    ['no origin at all', 'corsOrigins', 'null'],
    ['a hole in a list', 'trustedProxies', '::1,,::2'],
    ['a NATS server with a path', 'natsServers', 'nats://a/b'],
    ['a prefix with a dot', 'natsPrefix', 'a.b'],
    ['no replicas', 'natsReplicas', '0'],
    ['six replicas', 'natsReplicas', '6'],
    ['a stream that is too small', 'natsStreamBytes', '67108863'],
  ])('%s is refused with the name and what would be right', (_, key, given) => {
    const flags = key === 'actors' ? { shards: '64' } : {};
    const text = refusal({ environment: { [environmentName(key)]: given }, flags });
    expect(text).toMatch(new RegExp(`^${environmentName(key)} must be .+; it is .+$`));
  });

  test.each([
    ['port in', { port: '80 ' + 'x' }],
    ['port in', { port: true }],
    ['port in', { port: null }],
    ['durability in', { durability: 1 }],
    ['trusted_proxies in', { trusted_proxies: [1] }],
    ['trusted_proxies in', { trusted_proxies: { a: 1 } }],
  ])('a malformed value in a file is refused: %s %j', (name, content) => {
    expect(refusal({ defaultFile: file(content) })).toContain(name);
  });

  test('a malformed setting is refused even where a flag would win over it', () => {
    expect(refusal({ environment: { FOOTFALL_PORT: 'x' }, flags: { port: '80' } })).toContain(
      'FOOTFALL_PORT must be an integer from 0 to 65535; it is "x"',
    );
  });

  test('a flag is named as a flag', () => {
    expect(refusal({ flags: { port: 'x' } })).toMatch(/^--port must be/);
  });

  test.each([
    ['FOOTFALL_PROT', 'did you mean FOOTFALL_PORT?'],
    ['FOOTFALL_DATADIR', 'did you mean FOOTFALL_DATA_DIR?'],
    ['FOOTFALL_SOMETHING_ELSE_ALTOGETHER', "'footfall settings' lists them"],
  ])('the unknown variable %s is refused: %s', (name, advice) => {
    expect(refusal({ environment: { [name]: '1' } })).toBe(`${name} is not a setting; ${advice}`);
  });

  test('an unknown key in a file is refused with the name of the file', () => {
    const path = file({ dataDir: 'x' });
    expect(refusal({ environment: { FOOTFALL_CONFIG: path } })).toBe(
      `dataDir in ${path} is not a setting; did you mean data_dir?`,
    );
  });

  test.each([
    ['a file that does not exist', join(directory, 'nowhere.json')],
    ['a file that is not JSON', file('{"port":')],
    ['a file that holds a list', file([])],
    ['a file that holds null', file('null')],
  ])('%s is refused', (_, path) => {
    const text = refusal({ environment: { FOOTFALL_CONFIG: path } });
    expect(text).toContain(`the settings file ${path} cannot be used: `);
    expect(text).not.toContain('\n');
  });

  test('an empty FOOTFALL_CONFIG is refused', () => {
    expect(refusal({ environment: { FOOTFALL_CONFIG: '' } })).toContain('FOOTFALL_CONFIG must be');
  });

  test('variables of others are left alone', () => {
    expect(load({ environment: { PORT: 'x', FOOT: '1', footfall_port: 'x' } }).port).toBe(8080);
  });
});
