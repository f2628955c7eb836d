/** Snippets: how the script on the pages of a domain is set, per kind of hit (M-22, A-43). */
import {
  DOMAIN_CHILD_COUNT_MAX,
  HOSTNAME_LENGTH_MAX,
  SNIPPET_TEXT_LENGTH_MAX,
} from '../../model/limits.ts';
import { flag, onlyAtCreation, reference, text, word } from '../descriptor/fields.ts';
import { defineResource, type Look, type RecordType } from '../descriptor/resource.ts';
import { hostnameFault, normalHostname } from '../field-rules.ts';

/** What can be set; a keep-alive has nothing to set and can only be read. */
export const SNIPPET_TYPES = ['page view', 'event'] as const;

const listed = (fault: (entry: string) => string) =>
  text({
    lengthMax: SNIPPET_TEXT_LENGTH_MAX,
    absent: () => '',
    fault: (all) =>
      entriesOf(all)
        .map(fault)
        .find((found) => found !== '') ?? '',
  });

/** One per domain and type; `api/manage/snippet.ts` makes and shows them. */
export const snippet = defineResource({
  name: 'snippet',
  table: 'snippets',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    type: {
      ...onlyAtCreation(word(SNIPPET_TYPES)),
      unique: {
        key: (type: string, { domainId }) => snippetKey(String(domainId), type),
        taken: () => 'is there already',
      },
    },
    dev: flag(),
    include: listed(expressionFault),
    exclude: listed(expressionFault),
    domains: listed(dashboardFault),
    endpoint: text({
      lengthMax: SNIPPET_TEXT_LENGTH_MAX,
      absent: () => '',
      fault: (address) => (isWebAddress(address) ? '' : 'must be an http or https address'),
    }),
    sample: text({ lengthMax: SNIPPET_TEXT_LENGTH_MAX, absent: () => '' }),
  },
});

export type Snippet = RecordType<typeof snippet>;

/** The snippet of a type; null when it was never saved. */
export function snippetOf(view: Look, domainId: string, type: string): Snippet | null {
  return view.by(snippet, 'type', snippetKey(domainId, type));
}

/** The parts of a comma-separated text, trimmed, none of them empty. */
export function entriesOf(list: string): string[] {
  const entries = list.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

function snippetKey(domainId: string, type: string): string {
  return `${domainId} ${type}`;
}

/** The script runs them in browsers, so it is JavaScript's syntax that counts. */
function expressionFault(pattern: string): string {
  try {
    new RegExp(pattern);
    return '';
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `'${pattern.slice(0, HOSTNAME_LENGTH_MAX)}' is no regular expression`;
  }
}

/** A hostname, or `host:code` for a dashboard whose code nobody has to look up. */
function dashboardFault(entry: string): string {
  const [host = '', code = 'code', ...more] = entry.split(':');
  const isOne = more.length === 0 && /^[A-Za-z0-9]+$/.test(code);
  if (isOne && hostnameFault(normalHostname(host)) === '') return '';
  return 'must be hostnames such as example.com, or with their code: example.com:code';
}

function isWebAddress(address: string): boolean {
  return address === '' || (/^https?:\/\//i.test(address) && URL.canParse(address));
}
