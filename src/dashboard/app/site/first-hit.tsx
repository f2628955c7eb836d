/** Before the first visit: what to do next, and a word when it has come (D-18). */
import { useState } from 'preact/hooks';
import { word } from '../words/words.ts';
import type { LiveData } from './live-data.ts';
import type { Domain } from './site-data.ts';

const COPIED_MS = 2_000;

export function FirstHit({ domain }: { domain: Domain; live: LiveData }) {
  const [isCopied, setCopied] = useState(false);
  const tag = `<script defer src="${location.origin}/js/footfall.js" data-code="${domain.identification_code}"></script>`;
  const copy = async () => {
    await navigator.clipboard.writeText(tag).catch(() => undefined);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <section class="card first">
      <h2>{word('waiting')}</h2>
      {domain.identification_code !== '' && (
        <>
          <p>{word('waitingHint')}</p>
          <div class="snippet">
            <code>{tag}</code>
            <button type="button" class="button is-main" onClick={() => void copy()}>
              {word(isCopied ? 'copied' : 'copy')}
            </button>
          </div>
        </>
      )}
    </section>
  );
}
