/**
 * Every setting of the service: one row each with type, default, unit, bounds, meaning and when it
 * takes effect.
 *
 * Control plane. A setting has one name in every form: `data_dir` in a file is `FOOTFALL_DATA_DIR`
 * in the environment, `--data-dir` as a flag and `dataDir` in the program. The reader
 * (`load.ts`), the flags of `footfall serve` and the table of `footfall settings` all come from
 * this table, so a setting is added by adding a row.
 */

import { isAddressRange } from '../base/address-range.ts';
import { LANGUAGES } from '../base/languages.ts';
import { RETENTION_DAYS_MAX } from '../model/limits.ts';
import { mailSender, smtpTarget } from './mail-settings.ts';
import {
  choice,
  integer,
  list,
  optional,
  type Row,
  type SettingRow,
  secret,
  text,
} from './rows.ts';

/** Threads of one kind; a machine with more cores runs several nodes. */
export const THREAD_COUNT_MAX = 64;
const SHARD_COUNT_MAX = 4_096;

/** As a browser writes it: scheme, host, and a port that is not the scheme's own. */
function isOrigin(entry: string): boolean {
  if (entry === '*') return true;
  return /^https?:/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry;
}

function isNatsServer(entry: string): boolean {
  return /^(?:(?:nats|tls|ws|wss):\/\/)?[^\s/]+$/.test(entry);
}

function readBaseUrl(given: string): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isWeb || url.search !== '' || url.hash !== '' || url.username !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}

function readHostName(given: string): string | undefined {
  const name = given.toLowerCase().replace(/\.$/, '');
  const isName =
    name.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.|$))+$/.test(name);
  return isName && !name.endsWith('.') ? name : undefined;
}

function threads(meaning: string): Row<number> {
  return integer(
    { meaning, unit: 'threads', fallbackText: 'by cores' },
    { fallback: 0, min: 0, max: THREAD_COUNT_MAX },
  );
}

function addresses(meaning: string): Row<readonly string[]> {
  return list(
    { meaning },
    {
      bounds: 'IP addresses or CIDR ranges such as 10.0.0.0/8, separated by commas',
      accepts: isAddressRange,
    },
  );
}

function addressFile(meaning: string): Row<string | null> {
  return optional(
    { meaning, fallbackText: 'none', isPath: true },
    { bounds: 'the path of a file', read: (given) => given },
  );
}

/** Of the two one is no good without the other (`load.ts`). */
function pemFile(meaning: string): Row<string | null> {
  return optional(
    {
      ...{ meaning, fallbackText: 'none: HTTP', isPath: true },
      takesEffect: 'at the next start; a new file at once',
    },
    { bounds: 'the path of a PEM file', read: (given) => given },
  );
}

/** The table. Its order is the order of `footfall settings`. */
export const SETTINGS = {
  host: text(
    { meaning: 'Address to listen on; 0.0.0.0 is every IPv4 address of the machine.' },
    {
      fallback: '127.0.0.1',
      bounds: 'a host name or an IP address',
      pattern: /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|[0-9A-Fa-f:.]{2,45}(?:%\w+)?)$/,
    },
  ),
  port: integer(
    { meaning: 'Port to listen on; 0 takes a free one.' },
    { fallback: 8_080, min: 0, max: 65_535 },
  ),
  dataDir: text(
    {
      meaning: 'Everything the service keeps; one running service per directory.',
      isPath: true,
    },
    { fallback: './data', bounds: 'the path of a directory', pattern: /./ },
  ),
  durability: choice(
    {
      meaning:
        'sync: the answer waits until the hit is on disk; ' +
        'os: until the operating system has it (survives any process, not a power cut).',
    },
    ['sync', 'os'],
  ),
  edges: threads('Threads that take requests; 0 is by cores.'),
  actors: threads('Threads that own shards; 0 is by cores.'),
  queryThreads: threads(
    'Threads that answer statistics, beside one for short ones; 0 is by cores.',
  ),
  memory: integer(
    {
      meaning: 'Memory that the service may take; every budget is a share of it.',
      unit: 'bytes',
      fallbackText: 'of the machine or its control group',
    },
    { fallback: 0, min: 256 * 1_024 ** 2, max: 2 ** 50 },
  ),
  retentionDays: integer(
    {
      meaning: 'Days of statistics that are kept before today, of every site (P-21); 0 keeps all.',
      unit: 'days',
    },
    { fallback: 0, min: 0, max: RETENTION_DAYS_MAX },
  ),
  visitorKeys: choice(
    {
      meaning:
        'daily: the visitor ids of each UTC day have a key of their own, which is destroyed 48 h after ' +
        'the end of the day (P-22); fixed: those of all days have that of the installation.',
    },
    ['fixed', 'daily'],
  ),
  queryRowsMax: integer(
    { meaning: 'Rows that one query may look at; beyond it is answered 503.', unit: 'rows' },
    { fallback: 500_000_000, min: 1, max: 1_000_000_000_000 },
  ),
  querySecondsMax: integer(
    {
      meaning: 'Time that one query may take, waiting included; beyond it is answered 503.',
      unit: 'seconds',
    },
    { fallback: 30, min: 1, max: 3_600 },
  ),
  shards: integer(
    {
      meaning: 'Parts that the domains are spread over.',
      takesEffect: 'when the data directory is created',
    },
    { fallback: 64, min: 1, max: SHARD_COUNT_MAX },
  ),
  natsServers: list(
    { meaning: 'NATS servers, comma-separated: several nodes share the work over JetStream.' },
    {
      bounds: 'NATS URLs such as nats://10.0.0.1:4222, separated by commas',
      accepts: isNatsServer,
    },
  ),
  natsUser: optional(
    { meaning: 'User of the NATS servers.', fallbackText: 'none' },
    { bounds: 'text', read: (given) => given },
  ),
  natsPassword: secret('Password of that user.'),
  natsToken: secret('Token of the NATS servers, instead of a user.'),
  natsCredentials: optional(
    {
      meaning: 'A .creds file for the NATS servers, instead of a user.',
      fallbackText: 'none',
      isPath: true,
    },
    { bounds: 'the path of a .creds file', read: (given) => given },
  ),
  natsPrefix: text(
    { meaning: 'First part of the names of streams and subjects; one per installation.' },
    {
      fallback: 'footfall',
      bounds: '1 to 32 letters, digits, - or _',
      pattern: /^[A-Za-z0-9_-]{1,32}$/,
    },
  ),
  natsReplicas: integer(
    {
      meaning: 'Servers that keep each stream; 3 needs three servers.',
      unit: 'servers',
      takesEffect: 'when the streams are made',
    },
    { fallback: 1, min: 1, max: 5 },
  ),
  natsStreamBytes: integer(
    {
      meaning: 'Room for hits that are not counted yet; when it is full hits are refused.',
      unit: 'bytes',
      takesEffect: 'when the streams are made',
    },
    { fallback: 4 * 1_024 ** 3, min: 64 * 1_024 ** 2, max: 1_024 ** 4 },
  ),
  spool: choice(
    {
      meaning:
        'on: hits wait on the disk of the node while the NATS servers are away, are answered, and ' +
        'are seen by statistics once they have been forwarded; off: they are refused with 503.',
    },
    ['off', 'on'],
  ),
  spoolBytes: integer(
    { meaning: 'Hits that may wait in the spool; beyond it is answered 503.', unit: 'bytes' },
    { fallback: 1_024 ** 3, min: 1_024 ** 2, max: 1_024 ** 4 },
  ),
  baseUrl: optional(
    { meaning: 'Public address of the service.', fallbackText: 'from host and port' },
    {
      bounds: 'an absolute http or https URL such as https://stats.example.org',
      read: readBaseUrl,
    },
  ),
  tlsCert: pemFile('The certificate that HTTPS is served with, and those that vouch for it.'),
  tlsKey: pemFile('The private key of the certificate, without a passphrase.'),
  dashboardHost: optional(
    {
      meaning: 'Each dashboard also has a host of its own: <subdomain>.<this name>.',
      fallbackText: 'none',
    },
    { bounds: 'a DNS name such as stats.example.org', read: readHostName },
  ),
  corsOrigins: list(
    { meaning: 'Whose scripts in browsers may use the API; * is anybody.' },
    {
      bounds: '*, or origins such as https://app.example.org without a path, separated by commas',
      accepts: isOrigin,
    },
  ),
  outboundPrivate: choice(
    {
      meaning:
        'on: webhooks may lead to private, loopback and link-local addresses; ' +
        'off: they are refused.',
    },
    ['off', 'on'],
  ),
  trustedProxies: addresses('Whose forwarding headers say which address a request comes from.'),
  ipBlock: addresses('Whose hits are dropped: addresses and ranges of visitors, comma-separated.'),
  ipBlockFile: addressFile('A file of such addresses and ranges, one a line; # starts a comment.'),
  ipAllow: addresses('Whose hits are taken although a list of blocked addresses has them.'),
  ipAllowFile: addressFile('A file of such addresses and ranges, one a line; # starts a comment.'),
  rateLimits: choice(
    {
      meaning:
        'on: logins and changes are limited per caller and minute; ' +
        'off: they are not, as behind a gateway that counts them.',
    },
    ['on', 'off'],
  ),
  geoDb: list(
    {
      meaning:
        'The .mmdb files that map addresses to places, comma-separated; the first that knows a ' +
        'place is right. They are read again when they change.',
      fallbackText: 'what was installed, else the bundled country database',
      isPath: true,
    },
    {
      bounds: 'paths of .mmdb files, separated by commas',
      accepts: (entry) => entry !== '',
    },
  ),
  smtpUrl: optional(
    {
      meaning:
        'The server that mails are handed to. STARTTLS is used where it is offered; with ?tls=require ' +
        'nothing is sent without it.',
      fallbackText: 'none: mails are not sent',
      isSecret: true,
    },
    {
      bounds: 'an address such as smtp://user:password@mail.example.org:587 or smtps://…',
      read: (given) => (smtpTarget(given) === undefined ? undefined : given),
    },
  ),
  mailFrom: optional(
    { meaning: 'Who mails are from.', fallbackText: 'none: mails are not sent' },
    {
      bounds: 'an address such as stats@example.org or Footfall <stats@example.org>',
      read: (given) => (mailSender(given) === undefined ? undefined : given),
    },
  ),
  mailLanguage: choice(
    { meaning: 'The language of mails to people of whom nobody has said theirs.' },
    LANGUAGES,
  ),
  mailFile: optional(
    {
      meaning: 'A file that mails are written to, links and all, for tests and for trying it out.',
      fallbackText: 'none',
      isPath: true,
    },
    { bounds: 'the path of a file', read: (given) => given },
  ),
  metricsPort: integer(
    { meaning: 'Port of GET /metrics, for Prometheus; 0: there is no such port.' },
    { fallback: 0, min: 0, max: 65_535 },
  ),
  metricsToken: optional(
    {
      meaning:
        'Whoever sends it as Bearer is answered GET /metrics, also on the port of the service.',
      fallbackText: 'none',
      isSecret: true,
    },
    {
      bounds: 'at least 16 letters, digits and the like',
      read: (given) => (/^[\x21-\x7e]{16,}$/.test(given) ? given : undefined),
    },
  ),
  logLevel: choice({ meaning: 'Least severe log line that is written.' }, [
    'info',
    'trace',
    'debug',
    'warn',
    'error',
    'fatal',
    'silent',
  ]),
  logFormat: choice({ meaning: 'json for machines, pretty for people; both on standard error.' }, [
    'json',
    'pretty',
  ]),
} as const;

/** A setting as the program names it. */
export type SettingKey = keyof typeof SETTINGS;

type ValueOf<Given> = Given extends SettingRow<infer Value> ? Value : never;

/** The value of every setting. */
export type SettingValues = {
  readonly [Key in SettingKey]: ValueOf<(typeof SETTINGS)[Key]>;
};

/**
 * The settings of a running service: frozen, plain, fit for structured clone into a worker.
 *
 * `dataDir` and the paths of `geoDb` are absolute; `edges`, `actors` and `queryThreads` are at least 1
 * (0 has been worked out from the cores), `memory` is known; `origins` says for each where it came
 * from.
 */
export interface Settings extends SettingValues {
  readonly origins: Readonly<Record<SettingKey, string>>;
}

/** Every key, in the order of the table. */
export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

/** The name in a file: `dataDir` → `data_dir`. */
export function settingName(key: SettingKey): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name in the environment: `dataDir` → `FOOTFALL_DATA_DIR`. */
export function environmentName(key: SettingKey): string {
  return `FOOTFALL_${settingName(key).toUpperCase()}`;
}

/** The name as a flag: `dataDir` → `--data-dir`. */
export function flagName(key: SettingKey): string {
  return `--${settingName(key).replaceAll('_', '-')}`;
}
