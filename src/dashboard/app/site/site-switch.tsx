/** The way from one site to another (D-10): a button beside the name; the list is loaded once it is opened. */
import { useState } from 'preact/hooks';
import { loaded } from '../parts/loaded.tsx';
import { word } from '../words/words.ts';

const SwitchDialog = loaded(async () => (await import('./switch-dialog.tsx')).SwitchDialog);

export function SiteSwitch({ now }: { now: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="button is-plain site-switch"
        aria-haspopup="dialog"
        aria-label={word('switchSite')}
        onClick={() => setOpen(true)}
      >
        <span class="chevron" aria-hidden="true" />
      </button>
      {isOpen && <SwitchDialog now={now} onClose={() => setOpen(false)} />}
    </>
  );
}
