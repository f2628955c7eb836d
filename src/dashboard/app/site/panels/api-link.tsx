/** The call of the interface behind what is shown (D-19). */
import { isLinkable, queryText } from '../../data/api.ts';
import type { Query } from '../../data/batch.ts';
import { place } from '../../view/view.ts';
import { word } from '../../words/words.ts';

interface Given {
  /** Days, filters and domain. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly query: Query;
  /** What is shown, for those who have it read aloud. */
  readonly label: string;
}

export function ApiLink({ shared, query, label }: Given) {
  // A public page reads by a token of its own, which no address has.
  if (!isLinkable()) return null;
  return (
    <a class="quiet api-link" href={addressOf(shared, query)} target="_blank" rel="noreferrer">
      {word('apiLink')}
      <span class="sr-only">: {label}</span>
    </a>
  );
}

/** The address of the call; whoever came by an access link has its code in it. */
export function addressOf(shared: Readonly<Record<string, unknown>>, query: Query): string {
  const { name, ...parameters } = query;
  const access = new URLSearchParams(place.value.search).get('access') ?? '';
  return `/api/v1/statistics/${name}${queryText({ ...shared, ...parameters, access })}`;
}
