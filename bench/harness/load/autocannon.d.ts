/** What `autocannon-load.ts` uses of autocannon 9, which ships no types. Control plane. */
declare module 'autocannon' {
  interface Request {
    body?: string;
  }

  interface Options {
    url: string;
    method: string;
    connections: number;
    duration: number;
    timeout: number;
    headers: Record<string, string>;
    requests: { setupRequest: (request: Request) => Request }[];
  }

  interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    timeouts: number;
    duration: number;
    latency: { p50: number; p99: number };
  }

  // biome-ignore lint/style/noDefaultExport: it is how that package exports it
  export default function autocannon(options: Options): Promise<Result>;
}
