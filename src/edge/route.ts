/** What an exchange is given: the endpoint as it is served, and what all exchanges of an edge share. */
import type { Endpoint } from '../api/endpoint.ts';
import type { Ports } from '../api/ports.ts';
import type { RateRule } from '../api/rate-rules.ts';
import type { BodyBudget } from './body/body.ts';
import type { BodyWatch } from './body/body-watch.ts';
import type { LargeRequests } from './body/large-requests.ts';
import type { EventStreams } from './event-streams.ts';
import type { ClientAddresses } from './http/client-address.ts';
import type { Cors } from './http/cors.ts';
import type { ReplyHead } from './http/reply.ts';
import type { RateWindows } from './rate/rate-windows.ts';

/** An endpoint as one of its methods is served: made once, so that a request finds it ready. */
export interface Route {
  readonly endpoint: Endpoint;
  /** Where its requests are counted, as `areaOf` says. */
  readonly area: number;
  /** HEAD: answered like GET, headers only. */
  readonly isHead: boolean;
  /** Whether `?access=` says who asks (F-35). */
  readonly readsCode: boolean;
  /** Whether a header Idempotency-Key means something. */
  readonly readsKey: boolean;
  readonly readsVisitor: boolean;
  /** Whether what follows `?` means something. */
  readonly readsQuery: boolean;
  readonly cors: Cors;
  /** Whether the path ends with a parameter. */
  readonly hasPathPart: boolean;
  /** Null: as many requests as one likes. */
  readonly rate: RateRule | null;
  /** Answers are compressed for who takes that. */
  readonly isPacked: boolean;
  /** Status line of a good answer; '' is 200. */
  readonly status: string;
  readonly head: ReplyHead;
  readonly errorHead: ReplyHead;
}

/** What all exchanges of an edge share. */
export interface ExchangeHost {
  readonly ports: Ports;
  readonly budget: BodyBudget;
  readonly bodies: BodyWatch;
  readonly cors: Cors;
  readonly addresses: ClientAddresses;
  /** Those of all edges of the node; null: nobody is limited. */
  readonly windows: RateWindows | null;
  /** Where people reach the service; '' when only the requests say it. */
  readonly ownOrigin: string;
  /** By code of an error that clients are not told whole: when it was logged last. */
  readonly loggedMs: Map<string, number>;
  readonly large: LargeRequests;
  readonly streams: EventStreams;
  /** Requests are refused and connections end with their reply. */
  isStopping: boolean;
  /** Requests read and not answered yet. */
  inFlightCount: number;
  /** Called when the last request in flight is over while stopping. */
  onIdle: (() => void) | null;
}
