/** What a page of the settings is about, with what can be begun there. */
import type { ComponentChildren } from 'preact';

interface Given {
  readonly title: string;
  readonly hint?: string;
  readonly children?: ComponentChildren;
}

export function PartHead({ title, hint, children }: Given) {
  return (
    <header class="settings-head">
      <div>
        <h2>{title}</h2>
        {hint !== undefined && <p class="hint">{hint}</p>}
      </div>
      {children}
    </header>
  );
}
