/** Bodies of multipart/form-data, written out by hand: what is sent is what stands here. */

/** A part: a field, or a file where it has a name. */
export interface FormPart {
  name: string;
  filename?: string;
  content: string | Uint8Array;
}

/** The header of a body with this boundary. */
export function formType(boundary: string): string {
  return `multipart/form-data; boundary=${boundary}`;
}

/** The parts as bytes. */
export function formBytes(parts: readonly FormPart[], boundary: string): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}
