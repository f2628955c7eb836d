/** The tag for a site's pages, to copy; and whether anything came. */
import { useState } from 'preact/hooks';
import type { Domain } from '../site/site-data.ts';
import { word } from '../words/words.ts';

const COPIED_MS = 2_000;

/** The line that a site puts on its pages. */
export function tagOf({ identification_code: code }: Domain): string {
  return `<script defer src="${location.origin}/js/footfall.js" data-code="${code}"></script>`;
}

export function Snippet({ domain }: { domain: Domain }) {
  const [isCopied, setCopied] = useState(false);
  const tag = tagOf(domain);
  const copy = async () => {
    await navigator.clipboard.writeText(tag).catch(() => undefined);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="snippet">
      <code>{tag}</code>
      <button type="button" class="button is-main" onClick={() => void copy()}>
        {word(isCopied ? 'copied' : 'copy')}
      </button>
    </div>
  );
}
