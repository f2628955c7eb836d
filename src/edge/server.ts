/**
 * The edge: an HTTP server over the endpoints, stateless, as many per process as there are threads.
 *
 * All edges of a process listen on one port (SO_REUSEPORT) and the kernel deals the connections out.
 * That nobody else listens there is the supervisor's to find out. Only this folder knows
 * uWebSockets.js.
 */
import type { Endpoint } from '../api/endpoint.ts';
import { endpoints as allEndpoints } from '../api/endpoints.ts';
import type { Ports } from '../api/ports.ts';
import { BodyBudget } from './body/body.ts';
import { BodyWatch } from './body/body-watch.ts';
import { LargeRequests } from './body/large-requests.ts';
import { EventStreams } from './event-streams.ts';
import { ClientAddresses } from './http/client-address.ts';
import { Cors } from './http/cors.ts';
import { loadHttpEngine } from './http/http-engine.ts';
import type { TlsPair } from './http/tls-pair.ts';
import { Listener } from './listener.ts';
import { type MetricsSource, metricsEndpoint } from './metrics-endpoint.ts';
import type { RateWindows } from './rate/rate-windows.ts';
import type { ExchangeHost } from './route.ts';
import { route } from './router.ts';

/** Where an edge listens, and what its endpoints need. */
export interface EdgeOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly ports: Ports;
  /** Default: HTTP without TLS. */
  readonly tls?: TlsPair | null;
  /** Origins whose scripts may use the API, or `*`; default: none. */
  readonly corsOrigins?: readonly string[];
  /** Whose forwarding headers are believed; default: nobody's. */
  readonly trustedProxies?: readonly string[];
  /** Where people reach the service: its pages may use the cookie of a session. */
  readonly baseUrl?: string | null;
  /** Windows that the edges of the node share (M-90); default: nobody is limited. */
  readonly rateWindows?: RateWindows | null;
  /** Default: every endpoint of the service. */
  readonly endpoints?: readonly Endpoint[];
  /** What `GET /metrics` answers; default: it is not there. */
  readonly metrics?: MetricsSource | null;
  /** How often bodies that are on their way are looked at; a test makes their limits short. */
  readonly bodySweepMs?: number;
}

/** uWebSockets.js names itself in every answer unless this key is given to each thread's loop. */
const NAMELESS = '999999990007';

/** A running edge. */
export interface EdgeHandle {
  /** The port it listens on. */
  readonly port: number;
  /**
   * Takes another pair for all connections from now on; those that are there keep theirs.
   *
   * @throws TLS_PAIR_UNUSABLE; the one before stays in use.
   */
  renewTls(tls: TlsPair): void;
  /**
   * Stops accepting, answers what is in flight, closes all connections.
   *
   * @param graceMs how long what is in flight may take; then it is cut off.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts an edge on this thread.
 *
 * @throws ADDRESS_UNUSABLE when the address cannot be listened on, TLS_PAIR_UNUSABLE.
 */
export async function startEdge(options: EdgeOptions): Promise<EdgeHandle> {
  const { engine } = await loadHttpEngine();
  engine._cfg?.(NAMELESS);
  const host: ExchangeHost = {
    ports: options.ports,
    budget: new BodyBudget(),
    bodies: new BodyWatch(options.bodySweepMs),
    cors: new Cors(options.corsOrigins ?? []),
    addresses: new ClientAddresses(options.trustedProxies ?? []),
    windows: options.rateWindows ?? null,
    ownOrigin: options.baseUrl ? new URL(options.baseUrl).origin : '',
    loggedMs: new Map(),
    large: new LargeRequests(),
    streams: new EventStreams(options.ports.nowMs),
    isStopping: false,
    inFlightCount: 0,
    onIdle: null,
  };
  const own = options.metrics ? [metricsEndpoint(options.metrics)] : [];
  const endpoints = [...(options.endpoints ?? allEndpoints), ...own];
  const listener = new Listener(engine, options.tls ?? null, (app) => route(app, endpoints, host));
  return {
    port: await listener.open(options.host, options.port),
    renewTls: (tls) => listener.renew(tls),
    stop: (graceMs) => stop(listener, host, graceMs),
  };
}

async function stop(listener: Listener, host: ExchangeHost, graceMs: number): Promise<void> {
  if (host.isStopping) return;
  host.isStopping = true;
  listener.closePort();
  host.streams.close();
  if (host.inFlightCount > 0) await idleOrLate(host, graceMs);
  host.bodies.close();
  listener.close();
}

function idleOrLate(host: ExchangeHost, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, graceMs);
    host.onIdle = () => {
      clearTimeout(timer);
      // The reply that made it idle is written after this call; the connections close behind it.
      setImmediate(resolve);
    };
  });
}
