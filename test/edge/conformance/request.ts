/** Requests as text, for cases that change one thing about them. */

const CRLF = '\r\n';

/** A head from its lines. */
export function head(...lines: readonly string[]): string {
  return [...lines, '', ''].join(CRLF);
}

/** A GET of `/ask?<mark>` with more header lines. */
export function ask(mark: string, ...headers: readonly string[]): string {
  return head(`GET /ask?${mark} HTTP/1.1`, 'Host: edge', ...headers);
}

/** A JSON body that carries the mark: 7 bytes. */
export function bodyOf(mark: string): string {
  return `"${mark}"`;
}

/** A POST to `/tell` with these header lines instead of a length. */
export function tellWith(mark: string, headers: readonly string[], body = bodyOf(mark)): string {
  return head('POST /tell HTTP/1.1', 'Host: edge', ...headers) + body;
}

/** A POST to `/tell` as it should be. */
export function tell(mark: string, body = bodyOf(mark)): string {
  return tellWith(mark, [`Content-Length: ${body.length}`], body);
}

/** A chunked POST to `/tell`. @param chunks what follows the head, as it is. */
export function tellChunked(chunks: string, ...headers: readonly string[]): string {
  return tellWith('', ['Transfer-Encoding: chunked', ...headers], chunks);
}

/** A text cut into two at every place, its ends excluded. */
export function cutsOf(text: string): [string, string][] {
  return Array.from({ length: text.length - 1 }, (_, index) => [
    text.slice(0, index + 1),
    text.slice(index + 1),
  ]);
}
