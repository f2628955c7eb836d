/**
 * A connection to the NATS servers, and what its errors mean in ours.
 *
 * Control plane. The client reconnects by itself and for ever: a server that is away for an hour is
 * no reason to end. Only the start fails, with a line that says what to change.
 */

import { readFileSync } from 'node:fs';
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  DebugEvents,
  ErrorCode,
  Events,
  type NatsConnection,
  NatsError,
} from 'nats';
import { errors, type OperatingError } from '../../model/errors.ts';
import { SECOND_MS } from '../../model/limits.ts';

/** How the servers are reached. */
export interface NatsAccess {
  servers: readonly string[];
  user: string | null;
  password: string | null;
  token: string | null;
  /** Path of a .creds file. */
  credentials: string | null;
}

/** How long the first connection is tried. */
const CONNECT_MS = 5 * SECOND_MS;
const RECONNECT_WAIT_MS = 250;
/** A server that answers no pings for two of these is gone. */
const PING_INTERVAL_MS = 5 * SECOND_MS;
/** Each of these is followed by another, or by a connection, within the time of one attempt. */
const SIGNS_OF_TRYING: ReadonlySet<string> = new Set([
  Events.Disconnect,
  DebugEvents.Reconnecting,
  DebugEvents.StaleConnection,
]);
const STUCK_LOOK_MS = 15 * SECOND_MS;

/**
 * Connects.
 *
 * @param name shown in the server's list of connections.
 * @throws NATS_UNREACHABLE, NATS_REFUSED, NATS_CREDENTIALS_UNREADABLE.
 */
export async function openNats(access: NatsAccess, name: string): Promise<NatsConnection> {
  const credentials = credentialsOf(access);
  try {
    const connection = await connect({
      servers: [...access.servers],
      name,
      timeout: CONNECT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_WAIT_MS,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: 2,
      // Requests fail while there is no server; they are not kept for later.
      waitOnFirstConnect: false,
      ...credentials,
    });
    void endWhenStuck(connection);
    return connection;
  } catch (cause) {
    throw connectionError(access, cause);
  }
}

/**
 * Ends the thread, and the process with it, when the client has stopped trying to connect.
 *
 * nats.js 2.29 can forget a connection that breaks in the moment in which it is made: it takes it for
 * good, finds it stale, and closes it a second time to no effect. Then it tries no more (seen under
 * `footfall torture`: away for more than a minute beside a server that answered). A start is right.
 */
export async function endWhenStuck(connection: NatsConnection): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const wait = (looks: number): void => {
    timer = setTimeout(() => {
      if (looks === 0) throw errors.NATS_CONNECTION_STUCK({ server: connection.getServer() });
      wait(looks - 1);
    }, STUCK_LOOK_MS);
    timer.unref();
  };
  for await (const { type } of connection.status()) {
    const isTrying = SIGNS_OF_TRYING.has(type);
    if (isTrying || type === Events.Reconnect) clearTimeout(timer);
    // A process that was stopped finds the first of its timers due at once.
    if (isTrying) wait(1);
  }
  clearTimeout(timer);
}

function credentialsOf(access: NatsAccess): ConnectionOptions {
  const { user, password, token, credentials } = access;
  if (credentials !== null)
    return { authenticator: credsAuthenticator(readCredentials(credentials)) };
  if (token !== null) return { token };
  return user === null ? {} : { user, pass: password ?? '' };
}

function readCredentials(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw errors.NATS_CREDENTIALS_UNREADABLE({ path, reason: (cause as Error).message }, cause);
  }
}

function connectionError(access: NatsAccess, cause: unknown): OperatingError {
  const servers = access.servers.join(', ');
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isRefused =
    cause instanceof NatsError &&
    [ErrorCode.AuthorizationViolation, ErrorCode.AuthenticationExpired].some(
      (code) => code === cause.code,
    );
  if (isRefused) return errors.NATS_REFUSED({ servers, reason }, cause);
  return errors.NATS_UNREACHABLE({ servers, reason }, cause);
}
