/** What a case of the conformance suite is, and what may come of one. */
import type { Sent } from './wire.ts';

/**
 * One rule, put to the edge: what is sent, and every outcome that the rule allows.
 *
 * A request that is refused must reach no endpoint, and neither may anything behind it: the
 * connection is closed.
 */
export interface Case {
  /** Names it in the table of known failures, too. */
  title: string;
  /** Section of RFC 9112, or of RFC 9110 with the number before it. */
  rule: string;
  /** @param mark goes into every query and body, so that what arrives can be told apart. */
  send: (mark: string) => Sent;
  accepts: readonly (string | RegExp)[];
}

/** The head or the body is at fault, and so says the answer. */
export const REFUSED = /^(400|413|414|431|501|505) closed$/;
/** The same; when more came with it the connection may end without the answer. */
export const STOPPED = /^((400|413|431|501|505) )?closed$/;
/** A GET was answered, and the connection goes on. */
export const ASKED = '200 open: GET ';
/** A POST was answered, and the connection goes on. */
export const TOLD = '200 open: POST ""';

/** A case that sends text, or pieces of it. */
export function rule(
  section: string,
  title: string,
  make: (mark: string) => string | string[],
  ...accepts: readonly (string | RegExp)[]
): Case {
  const send = (mark: string): Sent => {
    const made = make(mark);
    return { pieces: typeof made === 'string' ? [made] : made };
  };
  return { title, rule: section, send, accepts };
}

/** As many of them, by index. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Whether the rule allows what came. */
export function allows({ accepts }: Case, line: string): boolean {
  return accepts.some((one) => (typeof one === 'string' ? one === line : one.test(line)));
}
