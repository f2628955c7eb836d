/** Rows of the table of errors (`model/errors.ts`): what is wrong with a request, and what the service says when it cannot take one now. */

import { type ErrorRows, FAULT_TOLD, type None } from './row.ts';

export const REQUEST_ERRORS = {
  /** Parameters or body fields that have to change; keys as in. */
  VALIDATION_FAILED: {
    status: 400,
    text: (_: { validation: Record<string, string> }) => 'the request has invalid parameters',
    validation: (detail: { validation: Record<string, string> }) => detail.validation,
  },
  /** An owner has as many records of a kind as there may be (M-6). */
  EXPORT_SHARED: {
    status: 400,
    text: (_: None) =>
      'this node shares its log with others, so it cannot export alone; restore a backup to a node of its own',
  },
  RECORDS_TOO_MANY: {
    status: 400,
    text: (d: { table: string; countMax: number }) =>
      `there are ${d.countMax} ${d.table} already, which is the limit; remove some first`,
  },
  BODY_NOT_JSON: {
    status: 400,
    text: (d: { reason: string }) => `the body is not valid JSON: ${d.reason}`,
  },
  BODY_NOT_MULTIPART: {
    status: 400,
    text: (_: None) => 'the body is not multipart/form-data with the boundary its header names',
  },
  TOKEN_MISSING: {
    status: 401,
    text: (_: None) => 'send the header Authorization: Bearer <access token or access key>',
  },
  TOKEN_INVALID: {
    status: 401,
    mayBeNew: true,
    text: (_: None) => 'the access token is unknown or expired; get a new one at /api/v1/token',
  },
  METRICS_TOKEN_WRONG: {
    status: 401,
    text: (_: None) =>
      'send the header Authorization: Bearer with the value of FOOTFALL_METRICS_TOKEN',
  },
  CODE_UNKNOWN: {
    status: 401,
    mayBeNew: true,
    text: (_: None) => 'no access link has this code: it was removed, or belongs elsewhere',
  },
  /** The same for a private dashboard as for none, so that nobody learns which there are. */
  DASHBOARD_CLOSED: {
    status: 401,
    mayBeNew: true,
    text: (_: None) =>
      'there is no public dashboard at this address, and no access link of it is given',
  },
  SESSION_ENDED: {
    status: 401,
    mayBeNew: true,
    text: (_: None) => 'the sign-in has ended; sign in again',
  },
  /** A cookie alone does not show that the person meant it (M-80). */
  ORIGIN_FOREIGN: {
    status: 403,
    text: (_: None) =>
      'changes by cookie are taken from pages of this service only: Origin must name it',
  },
  /** The same for an unknown address: nobody learns who has an account (M-80). */
  SIGN_IN_WRONG: {
    status: 401,
    text: (_: None) => 'email and password do not match an account',
  },
  /** The password is right; the field tells clients what is missing. */
  SIGN_IN_CODE_MISSING: {
    status: 401,
    text: (_: None) => 'this account is signed in to with a code beside the password',
    validation: () => ({
      code: 'is needed: the six digits that the app shows, or a recovery code',
    }),
  },
  SIGN_IN_CODE_WRONG: {
    status: 401,
    text: (_: None) => 'the code is wrong',
    validation: () => ({ code: 'is wrong, too old, or was used before' }),
  },
  SECOND_FACTOR_ON: {
    status: 400,
    text: (_: None) => 'two-factor sign-in is on already; turn it off first to use another app',
  },
  SECOND_FACTOR_OFF: {
    status: 400,
    text: (_: None) => 'two-factor sign-in is off; POST /api/v1/user/totp begins it',
  },
  /** An account goes only when nobody else loses something by it (M-83). */
  USER_OWNS: {
    status: 400,
    text: (d: { owned: string }) => `the account owns ${d.owned}; transfer or remove it first`,
  },
  CLIENT_UNKNOWN: {
    status: 401,
    mayBeNew: true,
    text: (_: None) => 'client_id and client_secret do not match a client',
  },
  SCOPE_MISSING: {
    status: 403,
    text: (d: { area: string; access: 'r' | 'w' }) =>
      `this client lacks the scope ${d.area}=${d.access}`,
  },
  /** How a question is answered tells of the machine, which is its operator's. */
  EXPLAIN_LIMITED: {
    status: 403,
    text: (_: None) => 'explain is for clients of an account, not of a single domain',
  },
  /** The caller sees the object, but may not do this (M-4). */
  ROLE_MISSING: {
    status: 403,
    text: (d: { needed: string }) => `the caller may not do this: it needs ${d.needed}`,
  },
  /** Access keys only collect. */
  ACCESS_KEY_LIMITED: {
    status: 403,
    text: (_: None) => 'an access key can only send data; use an access token of /api/v1/token',
  },
  PATH_NOT_FOUND: {
    status: 404,
    text: (d: { path: string }) => `there is no endpoint ${d.path}`,
  },
  /** A-45, beside whatever else is wrong: the domain may have been made a moment ago. */
  IDENTIFICATION_CODE_UNKNOWN: {
    status: 400,
    mayBeNew: true,
    text: (_: { validation: Record<string, string> }) => 'no domain has this identification code',
    validation: (detail: { validation: Record<string, string> }) => detail.validation,
  },
  /** A-7; the switch is `POST /api/v1/domain/scripts`. */
  SCRIPTS_DISABLED: {
    status: 403,
    text: (_: None) => 'this domain takes nothing from browsers: disable_scripts is set',
  },
  DOMAIN_UNMATCHED: {
    status: 404,
    mayBeNew: true,
    text: (d: { parameter: string; value: string }) =>
      `no domain of this client has the ${d.parameter} '${d.value}'`,
  },
  /** Also one of a domain that the client cannot see (F-36). */
  RECORD_NOT_FOUND: {
    status: 404,
    mayBeNew: true,
    text: (d: { kind: string; id: string }) => `no ${d.kind} has the id '${d.id}'`,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    text: (d: { method: string; allowed: string }) =>
      `${d.method} is not allowed; use ${d.allowed}`,
  },
  /** The rest of a body did not come: the connection ends with the answer. */
  BODY_LATE: {
    status: 408,
    text: (d: { seconds: number }) =>
      `the body did not arrive within ${d.seconds} seconds; send it again on another connection`,
  },
  /** Where it ends is not sure, so nothing more is read from its connection (RFC 9112, section 6.3). */
  REQUEST_AMBIGUOUS: {
    status: 400,
    text: (d: { reason: string }) =>
      `where the request ends is not clear: ${d.reason}; send one Host, and with a body either ` +
      'one Content-Length or Transfer-Encoding: chunked',
  },
  BODY_ENCODED: {
    status: 415,
    text: (d: { encoding: string }) =>
      `the body is sent with Content-Encoding: ${d.encoding}; send it as it is, without that header`,
  },
  BODY_TOO_LARGE: {
    status: 413,
    text: (d: { bytesMax: number }) => `the body is larger than the limit of ${d.bytesMax} bytes`,
  },
  BATCH_TOO_LONG: {
    status: 413,
    text: (d: { items: number; itemsMax: number }) =>
      `the batch has ${d.items} items; the limit is ${d.itemsMax}`,
  },
  /** Nothing was changed (M-90). */
  RATE_LIMITED: {
    status: 429,
    text: (d: { limit: number; seconds: number }) =>
      `more than ${d.limit} requests within a minute; try again in ${d.seconds} s`,
    retryAfter: (d: { limit: number; seconds: number }) => d.seconds,
  },
  INTERNAL: {
    status: 500,
    text: (_: None) => FAULT_TOLD,
  },
  OVERLOADED: {
    status: 503,
    text: (d: { reason: string }) => `the service cannot take this now: ${d.reason}; try again`,
    retryAfterSeconds: 1,
  },
  NOT_READY: {
    status: 503,
    text: (d: { reason: string }) => `the service is not ready: ${d.reason}`,
    retryAfterSeconds: 1,
  },
  /** The clock has jumped: the key of the hit's day (P-22) is made within a second. */
  DAY_KEY_MISSING: {
    status: 503,
    text: (_: None) => 'the key for visitors of that day is not there yet; try again',
    retryAfterSeconds: 1,
  },
  QUERY_BUDGET_EXCEEDED: {
    status: 503,
    text: (d: { budget: string }) => `the query exceeds its budget of ${d.budget}; narrow it`,
    retryAfterSeconds: 5,
  },
} satisfies ErrorRows;
