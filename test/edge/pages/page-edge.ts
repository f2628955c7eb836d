/** An edge over fake ports, and what pages send to it with the headers of browsers. */
import { beforeEach } from 'vitest';
import type { HitInput } from '../../../src/ingest/step.ts';
import { AGENT } from '../../support/fake-ports.ts';
import { type TestEdge, useEdge } from '../edge.ts';

export const CODE = 'c'.repeat(32);
export const PAGE = 'https://example.org/a?utm_source=nl';
export const HIT = { code: CODE, url: PAGE };
export const EVENT = { identification_code: CODE, url: PAGE, event_name: 'order' };
export const BROWSER = {
  'User-Agent': AGENT,
  'Accept-Language': 'de-DE,de;q=0.9',
  'Sec-CH-UA': '"Chromium";v="140", "Google Chrome";v="140"',
  'Sec-CH-UA-Mobile': '?0',
  'Sec-CH-UA-Platform': '"Windows"',
  'Sec-CH-UA-Platform-Version': '"15.0.0"',
  'Sec-CH-UA-Model': '""',
};
export const ACCEPTED = { status: 200, json: {} };

type Headers = Record<string, string>;

/** What came back; `json` is null where it is none. */
interface Answer {
  readonly status: number;
  readonly headers: Response['headers'];
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect
  readonly json: any;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** An edge, and a page's ways to it. */
export interface PageEdge {
  readonly edge: TestEdge;
  /** What went through the pipeline, in order. */
  readonly inputs: HitInput[];
  ask(method: string, path: string, headers?: Headers, body?: string | Blob): Promise<Answer>;
  /** GET /hit. */
  view(fields: Fields, headers?: Headers): Promise<Answer>;
  /** POST /event. */
  send(body: unknown, headers?: Headers): Promise<Answer>;
}

/** Starts an edge before each test and stops it after. */
export function usePageEdge(): PageEdge {
  const edge = useEdge();
  const inputs: HitInput[] = [];
  beforeEach(() => {
    inputs.length = 0;
    const { pipeline } = edge.fake.ports;
    const { run } = pipeline;
    pipeline.run = (input) => {
      inputs.push(structuredClone(input));
      return run(input);
    };
  });
  const ask: PageEdge['ask'] = async (method, path, headers = BROWSER, body) => {
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await fetch(edge.baseUrl + path, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type') === 'application/json';
    const json = isJson && bytes.length > 0 ? JSON.parse(String(bytes)) : null;
    return { status: response.status, headers: response.headers, bytes, json };
  };
  return {
    ...{ edge, inputs, ask },
    view: (fields, headers) => ask('GET', `/hit?${query(fields)}`, headers),
    send: (body, headers) => ask('POST', '/event', headers, JSON.stringify(body)),
  };
}

/** A query; a list is a parameter that comes several times. */
export function query(fields: Fields): string {
  return Object.entries(fields)
    .flatMap(([name, values]) =>
      [values].flat().map((one) => String(new URLSearchParams([[name, one]]))),
    )
    .join('&');
}
