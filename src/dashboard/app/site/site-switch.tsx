/** The way from one site to another (D-10): a button beside the name; the list is loaded once it is opened. */
import { useState } from 'preact/hooks';
import { word } from '../words/words.ts';
import type { SwitchDialog } from './switch-dialog.tsx';

export function SiteSwitch({ now }: { now: string }) {
  const [Shown, setShown] = useState<typeof SwitchDialog | null>(null);
  const open = () =>
    import('./switch-dialog.tsx').then(
      (part) => setShown(() => part.SwitchDialog),
      () => undefined,
    );
  return (
    <>
      <button
        type="button"
        class="button is-plain site-switch"
        aria-haspopup="dialog"
        aria-label={word('switchSite')}
        onClick={() => void open()}
      >
        <span class="chevron" aria-hidden="true" />
      </button>
      {Shown !== null && <Shown now={now} onClose={() => setShown(null)} />}
    </>
  );
}
