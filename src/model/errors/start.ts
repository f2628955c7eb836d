/** Rows of the table of errors (`model/errors.ts`): what keeps the service, a command or a mail from starting. */

import type { ErrorRows } from './row.ts';

export const START_ERRORS = {
  /** A name that is no setting; `nearest` is '' when nothing is close. */
  SETTING_UNKNOWN: {
    status: 500,
    text: (d: { name: string; nearest: string }) =>
      `${d.name} is not a setting; ${
        d.nearest === '' ? "'footfall settings' lists them" : `did you mean ${d.nearest}?`
      }`,
  },
  SETTING_MALFORMED: {
    status: 500,
    text: (d: { name: string; given: string; bounds: string }) =>
      `${d.name} must be ${d.bounds}; it is ${d.given}`,
  },
  CONFIG_FILE_UNREADABLE: {
    status: 500,
    text: (d: { path: string; reason: string }) =>
      `the settings file ${d.path} cannot be used: ${d.reason}`,
  },
  DATA_DIR_UNUSABLE: {
    status: 500,
    text: (d: { dataDir: string; reason: string }) =>
      `the data directory ${d.dataDir} cannot be used: ${d.reason}`,
  },
  /** `needed` is what this installation opens without a single client. */
  OPEN_FILES_TOO_FEW: {
    status: 500,
    text: (d: { limit: number; needed: number }) =>
      `this process may have ${d.limit} files open and needs ${d.needed}, and one more for each ` +
      'connection: raise the limit (ulimit -n 65536, LimitNOFILE= of systemd, --ulimit nofile= of Docker)',
  },
  DATA_DIR_IN_USE: {
    status: 500,
    text: (d: { dataDir: string; holder: string }) =>
      `the data directory ${d.dataDir} is in use by ${d.holder}; ` +
      'stop that service or set another --data-dir',
  },
  ADDRESS_UNUSABLE: {
    status: 500,
    text: (d: { host: string; port: number; reason: string }) =>
      `cannot listen on ${d.host}:${d.port}: ${d.reason}`,
  },
  TLS_PAIR_UNUSABLE: {
    status: 500,
    text: (d: { path: string; reason: string }) =>
      `HTTPS cannot be served with ${d.path}: ${d.reason}`,
  },
  /** The HTTP engine is native code: its builds for Node 24 and later want a newer C library. */
  HTTP_ENGINE_UNUSABLE: {
    status: 500,
    text: (d: { node: string; reason: string }) =>
      `the HTTP engine cannot be loaded by Node ${d.node}: ${d.reason}; ` +
      'use Node 22 or 20, or Node 24 on a system with glibc 2.38 or later (Debian 13, Ubuntu 24.04)',
  },
  USER_NOT_FOUND: {
    status: 404,
    text: (d: { email: string }) => `no account has the email '${d.email}'`,
  },
  /** Of the settings of mail one is not there. */
  MAIL_NOT_SET_UP: {
    status: 500,
    text: (d: { missing: string }) => `mails are not sent: set ${d.missing}`,
  },
  MAIL_NOT_SENT: {
    status: 500,
    text: (d: { to: string; answer: string }) => `the mail to '${d.to}' was not sent: ${d.answer}`,
  },
  /** What mails say is asked as the API is; the log is told that it was not answered. */
  NUMBERS_MISSING: {
    status: 500,
    text: (d: { name: string; fault: string }) =>
      `the statistic ${d.name} was not answered for a mail: ${d.fault}`,
  },
  DEMO_FAILED: {
    status: 500,
    text: (d: { reason: string }) => `the demo cannot go on: ${d.reason}`,
  },
  TORTURE_MISSING: {
    status: 500,
    text: (_: object) => "torture is not in this build: run 'npm run build' in the sources",
  },
  BENCH_REFUSED: {
    status: 500,
    text: (d: { reason: string }) => `the load cannot begin: ${d.reason}`,
  },
  DATA_DIR_LAYOUT: {
    status: 500,
    text: (d: { dataDir: string; fault: string }) =>
      `the data directory ${d.dataDir} cannot be used: ${d.fault}`,
  },
  ADDRESS_LIST_UNREADABLE: {
    status: 500,
    text: (d: { path: string; reason: string }) =>
      `the address list ${d.path} cannot be read (${d.reason}); name a file with an address a line`,
  },
  LOCATION_DATABASE_UNREADABLE: {
    status: 500,
    text: (d: { path: string; reason: string }) =>
      `the location database ${d.path} cannot be used: ${d.reason}; name a whole .mmdb file`,
  },
  LOCATION_DATABASE_MISSING: {
    status: 500,
    text: (d: { given: string; reason: string }) =>
      `there is no location database to install in ${d.given}: ${d.reason}`,
  },
} satisfies ErrorRows;
