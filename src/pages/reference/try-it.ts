/** A form that sends one request to this service and shows its answer. */
import { byId, element } from '../element.ts';
import type { Operation, Schema } from './operations.ts';
import { sampleOf } from './schema-view.ts';

/** The form of an endpoint. A token is taken from the top of the page, a sign-in from the browser. */
export function tryIt(operation: Operation): HTMLElement {
  const answer = element('div', { class: 'answer', 'aria-live': 'polite' });
  const form = element(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        void send(operation, form, answer);
      },
    },
    ...operation.parameters.map(({ name, schema, required }) =>
      field(name, element('input', { name, required, placeholder: placeholderOf(schema) })),
    ),
    ...bodyFields(operation),
    element('button', {}, 'Send'),
  );
  return element('details', { class: 'try' }, element('summary', {}, 'Try it'), form, answer);
}

function field(name: string, input: HTMLElement): HTMLElement {
  return element('label', {}, element('code', {}, name), input);
}

function placeholderOf({ format, enum: words, type }: Schema): string {
  return words?.join(' · ') ?? format ?? [type ?? ''].flat().join(' or ');
}

function bodyFields({ body }: Operation): HTMLElement[] {
  if (body === null) return [];
  const { schema = {}, example } = body.content;
  if (body.mediaType === 'multipart/form-data') {
    return Object.entries(schema.properties ?? {}).map(([name, part]) =>
      field(
        name,
        part.contentMediaType === 'application/octet-stream' || part.format === 'binary'
          ? element('input', { name: `part:${name}`, type: 'file' })
          : textArea(`part:${name}`, sampleOf(part)),
      ),
    );
  }
  return [field('body', textArea('body', example ?? sampleOf(schema)))];
}

function textArea(name: string, value: unknown): HTMLElement {
  const text = JSON.stringify(value, null, 2);
  const rows = String(Math.min(16, text.split('\n').length));
  return element('textarea', { name, rows, spellcheck: 'false' }, text);
}

async function send(operation: Operation, form: HTMLFormElement, answer: HTMLElement) {
  const given = new FormData(form);
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const { name, in: place } of operation.parameters) {
    const value = String(given.get(name) ?? '');
    if (value === '') continue;
    if (place === 'query') query.append(name, value);
    else headers.set(name, value);
  }
  const token = (byId('token') as HTMLInputElement).value.trim();
  if (token !== '') headers.set('Authorization', `Bearer ${token}`);
  const body = bodyOf(operation, given);
  const path = `${operation.path}${query.size > 0 ? `?${query}` : ''}`;
  answer.replaceChildren('…');
  try {
    const started = performance.now();
    const response = await fetch(path, { method: operation.method, headers, body });
    const text = await response.text();
    show(answer, { path, response, text, ms: performance.now() - started });
  } catch (error) {
    answer.replaceChildren(element('p', { class: 'bad' }, `No answer: ${String(error)}`));
  }
}

function bodyOf({ body }: Operation, given: FormData): BodyInit | null {
  if (body === null) return null;
  if (body.mediaType !== 'multipart/form-data') return String(given.get('body') ?? '');
  const parts = new FormData();
  for (const [name, value] of given) {
    const part = name.startsWith('part:') ? name.slice('part:'.length) : '';
    const isEmptyFile = value instanceof File && value.size === 0;
    if (part !== '' && !isEmptyFile) parts.append(part, value);
  }
  return parts;
}

function show(
  answer: HTMLElement,
  got: {
    readonly path: string;
    readonly response: Response;
    readonly text: string;
    readonly ms: number;
  },
): void {
  const { status, ok } = got.response;
  const line = `${status} · ${got.text.length} characters · ${got.ms.toFixed(1)} ms`;
  answer.replaceChildren(
    element('p', { class: ok ? 'good' : 'bad' }, line),
    element('p', {}, element('code', {}, got.path)),
    element('pre', { tabindex: '0' }, indented(got.text)),
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
