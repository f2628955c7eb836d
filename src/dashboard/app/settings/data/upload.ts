/**
 * A file on its way to the service. By an older way than everything else: the newer one does not say how
 * much has been sent.
 */
import { type AnswerOf, ApiError, asPerson, queryText, refusal } from '../../data/api.ts';

const PATH = '/api/v1/external/upload';
const OK = 200;

/** Bytes that one file may have (P-2); the service refuses more. */
export const FILE_BYTES_MAX = 2 * 1_024 ** 3;

interface Sending {
  readonly domainId: string;
  readonly file: File;
  /** @param part of all that is to be sent: 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

/** @returns null: it was cancelled. @throws ApiError. */
export function upload(sending: Sending): Promise<AnswerOf<`POST ${typeof PATH}`> | null> {
  return asPerson(() => sent(sending));
}

function sent({ domainId, file, onProgress, signal }: Sending) {
  return new Promise<AnswerOf<`POST ${typeof PATH}`> | null>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', PATH + queryText({ domain_id: domainId }));
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('X-Filename', encodeURIComponent(file.name));
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const { status, responseText } = request;
      if (status === OK) return resolve(JSON.parse(responseText));
      const headers = { 'Retry-After': request.getResponseHeader('Retry-After') ?? '' };
      void refusal(new Response(responseText, { status, headers })).then(reject);
    };
    request.onerror = () => reject(new ApiError(0, ''));
    request.onabort = () => resolve(null);
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) resolve(null);
    else request.send(file);
  });
}
