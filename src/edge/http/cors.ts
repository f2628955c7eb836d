/**
 * Which scripts in browsers may use the API: cross-origin rules by `FOOTFALL_CORS_ORIGINS`.
 *
 * Control plane but for `allowed`, which is asked per request where single origins are listed.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { PREFLIGHT_MS, SECOND_MS } from '../../model/limits.ts';

const ANY = '*';
/** What the API reads of a request's headers. */
const HEADERS = 'Authorization, Content-Type, Idempotency-Key';
/** What pages may send of any site: whatever their own scripts add to each request. */
const PAGE_HEADERS = 'Content-Type, Idempotency-Key, *';
const PAGE_METHODS = 'GET, POST, OPTIONS';

/** The origins that are let in; none of them: nothing is said of origins at all. */
export class Cors {
  readonly isOn: boolean;
  readonly isForAnyOrigin: boolean;
  /** Not the API but what pages of every site send, whatever the setting says. */
  readonly isForAnyPage: boolean;
  readonly #origins: ReadonlySet<string>;

  /**
   * @param origins as browsers send them, `https://app.example.org`, or `*` among them.
   */
  constructor(origins: readonly string[], isForAnyPage = false) {
    this.isOn = origins.length > 0;
    this.isForAnyOrigin = origins.includes(ANY);
    this.isForAnyPage = isForAnyPage;
    this.#origins = new Set(origins);
  }

  /** Answers differ by the request's origin. */
  get isByOrigin(): boolean {
    return this.isOn && !this.isForAnyOrigin;
  }

  /** @returns the request's origin when it is listed; '' when it is not, or any would do. */
  allowed(req: HttpRequest): string {
    if (!this.isByOrigin) return '';
    const origin = req.getHeader('origin');
    return this.#origins.has(origin) ? origin : '';
  }

  /** Answers a preflight: what may be sent to this path. @param methods e.g. `GET, HEAD`. */
  answerPreflight(res: HttpResponse, req: HttpRequest, methods: string): void {
    const origin = this.isForAnyOrigin ? ANY : this.allowed(req);
    res.cork(() => {
      res.writeStatus('204 No Content');
      res.writeHeader('Allow', methods);
      if (this.isByOrigin) res.writeHeader('Vary', 'Origin');
      if (origin !== '') {
        res.writeHeader('Access-Control-Allow-Origin', origin);
        const { isForAnyPage } = this;
        res.writeHeader('Access-Control-Allow-Methods', isForAnyPage ? PAGE_METHODS : methods);
        res.writeHeader('Access-Control-Allow-Headers', isForAnyPage ? PAGE_HEADERS : HEADERS);
        res.writeHeader('Access-Control-Max-Age', String(PREFLIGHT_MS / SECOND_MS));
      }
      res.endWithoutBody();
    });
  }
}

/** Of the endpoints whose requests come from pages of every site. */
export const ANY_PAGE = new Cors([ANY], true);
