/** The tag for a site's pages, to copy. */
import type { Domain } from '../site/site-data.ts';
import { CopyButton } from './copy-button.tsx';

/** The line that a site puts on its pages. */
export function tagOf({ identification_code: code }: Domain): string {
  return `<script defer src="${location.origin}/js/footfall.js" data-code="${code}"></script>`;
}

export function Snippet({ domain, html }: { domain: Domain; html?: string }) {
  const tag = html ?? tagOf(domain);
  return (
    <div class="snippet">
      <code>{tag}</code>
      <CopyButton text={tag} isMain />
    </div>
  );
}
