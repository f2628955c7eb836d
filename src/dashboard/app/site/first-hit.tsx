/** Before the first visit: what to do next, and a word when it has come (D-18). */
import { Snippet } from '../settings/snippet.tsx';
import { word } from '../words/words.ts';
import type { Domain } from './site-data.ts';

export function FirstHit({ domain }: { domain: Domain }) {
  return (
    <section class="card first">
      <h2>{word('waiting')}</h2>
      {domain.identification_code !== '' && (
        <>
          <p>{word('waitingHint')}</p>
          <Snippet domain={domain} />
          <p class="hint">{word('waitingLocal', { attribute: `data-dev="${domain.hostname}"` })}</p>
        </>
      )}
    </section>
  );
}
