/** A request of the fuzzer, as long as it is changed. */
import type { FormPart } from '../support/clients/multipart.ts';

/** A request before it becomes bytes. */
export interface Draft {
  method: string;
  path: string;
  /** Name and value, in order; names may come again. */
  query: [string, string][];
  /** Undefined: none. */
  body: unknown;
  /** Parts of a multipart body, which takes the place of the body; undefined: none. */
  form?: FormPart[] | undefined;
  bearer: string;
  headers: [string, string][];
}
