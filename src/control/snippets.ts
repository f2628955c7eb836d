/**
 * Snippets of a domain: saved once per type and replaced from then on, and the tag that a page needs
 * (M-22).
 *
 * Control plane, pure.
 */
import { changed, created, draftChanged, draftNew } from './descriptor/draft.ts';
import type { Look } from './descriptor/resource.ts';
import type { Decision, RecordRequest } from './records.ts';
import { entriesOf, type Snippet, snippet, snippetOf } from './resources/snippet.ts';

/** What a snippet says; one that was never saved says nothing. */
export type SnippetTexts = Pick<
  Snippet,
  'dev' | 'include' | 'exclude' | 'domains' | 'endpoint' | 'sample'
>;

/** What a page does that nobody set anything for. */
export const SNIPPET_DEFAULTS: SnippetTexts = {
  ...{ dev: false, include: '', exclude: '', domains: '', endpoint: '', sample: '' },
};

/** Makes the snippet of a type, or replaces it. @param request its schema checked. */
export function savedSnippet(
  { sent, userId }: Pick<RecordRequest, 'sent' | 'userId'>,
  view: Look,
  nowMs: number,
): Decision<null> {
  const context = { sent, userId, nowMs, view };
  const before = snippetOf(view, String(sent['domain_id']), String(sent['type']).trim());
  if (before === null) {
    return { changes: [created(snippet, draftNew(snippet, context).record)], result: null };
  }
  const after = draftChanged(snippet, before, context);
  return { changes: after === before ? [] : [changed(snippet, after)], result: null };
}

/** Where the script is, and whose pages it counts. */
export interface TagPlace {
  /** Of the service, without a trailing slash. */
  readonly publicUrl: string;
  readonly hostname: string;
  readonly identificationCode: string;
  /** The identification code of another dashboard; null: the caller sees none of this hostname. */
  codeOf(hostname: string): string | null;
}

/** Calls before the script has loaded wait in a list that it empties. */
const STUB =
  '<script>window.footfall=window.footfall||' +
  'function(){(footfall.q=footfall.q||[]).push(arguments)}</script>\n';

/** What an endpoint may end with that the script puts there itself. */
const ENDPOINT_END = /\/(hit|event|session)?\/?$/;

/** The tag to paste into the pages of a site. */
export function snippetTag(type: string, texts: SnippetTexts, place: TagPlace): string {
  const attributes = attributesOf(texts, place)
    .map(([name, value]) => ` data-${name}="${escaped(value)}"`)
    .join('');
  const src = escaped(`${place.publicUrl}/js/footfall.js`);
  const tag = `<script defer src="${src}"${attributes}></script>`;
  return type === 'event' ? STUB + tag : tag;
}

/** What the script is told, by the names of its attributes (D-31); nothing is said of what is empty. */
export function attributesOf(
  texts: SnippetTexts,
  place: Omit<TagPlace, 'publicUrl'>,
): [name: string, value: string][] {
  const attributes: [name: string, value: string][] = [
    ['code', place.identificationCode],
    ['endpoint', texts.endpoint.replace(ENDPOINT_END, '')],
    ['include', texts.include],
    ['exclude', texts.exclude],
    ['domains', dashboardsOf(texts.domains, place)],
    ['dev', texts.dev ? place.hostname : ''],
  ];
  return attributes.filter(([, value]) => value !== '');
}

/** `host:code` of each further dashboard; one without a known code can be sent nothing. */
function dashboardsOf(domains: string, { codeOf }: Pick<TagPlace, 'codeOf'>): string {
  const known = entriesOf(domains).map((entry) => {
    if (entry.includes(':')) return entry;
    const code = codeOf(entry);
    return code === null ? '' : `${entry}:${code}`;
  });
  return known.filter((entry) => entry !== '').join(',');
}

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
