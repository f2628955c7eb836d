/**
 * What the script of a domain is told without attributes: the snippet records of page views and events,
 * in the words of the attributes (D-31, M-22).
 *
 * Control plane, pure.
 */
import type { Look } from './descriptor/resource.ts';
import { normalHostname } from './field-rules.ts';
import { type Domain, domain } from './resources/domain.ts';
import { snippetOf } from './resources/snippet.ts';
import { attributesOf, SNIPPET_DEFAULTS, type SnippetTexts } from './snippets.ts';

/** By kind of hit; events that nobody set anything for are sent from where page views are. */
export interface TagSettings {
  readonly page: Readonly<Record<string, string>>;
  readonly event: Readonly<Record<string, string>>;
}

/** What the records of a domain say. */
export function tagSettings(site: Domain, view: Look): TagSettings {
  const { hostname, identificationCode, userId } = site;
  // Whoever opens the page sees what is said: only what belongs to the same user is looked up.
  const codeOf = (typed: string): string | null => {
    const wanted = normalHostname(typed);
    const own = view.of(domain, 'userId', userId);
    return own.find((one) => one.hostname === wanted)?.identificationCode ?? null;
  };
  const place = { hostname, identificationCode, codeOf };
  const said = (texts: SnippetTexts) => Object.fromEntries(attributesOf(texts, place));
  const page = snippetOf(view, site.id, 'page view') ?? SNIPPET_DEFAULTS;
  return { page: said(page), event: said(snippetOf(view, site.id, 'event') ?? page) };
}
