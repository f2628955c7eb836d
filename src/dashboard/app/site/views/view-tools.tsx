/** Saved views, and sharing: buttons beside the range, and their dialogs, loaded once they are opened. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loaded } from '../../parts/loaded.tsx';
import { word } from '../../words/words.ts';
import type { SiteData } from '../site-data.ts';

const Views = loaded(async () => (await import('./views-dialog.tsx')).ViewsDialog);
const Share = loaded(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** Which dialog is open. */
const open = signal<'views' | 'share' | null>(null);

export function ViewTools() {
  return (
    <>
      <button type="button" class="button" onClick={() => (open.value = 'views')}>
        {word('savedViews')}
      </button>
      <button type="button" class="button" onClick={() => (open.value = 'share')}>
        {word('shareShort')}
      </button>
    </>
  );
}

interface Given {
  readonly data: SiteData;
  /** Null: nobody is signed in. */
  readonly userId: string | null;
}

/** Apart from the buttons: on a phone those are gone once one of them is pressed. */
export function ViewDialogs({ data, userId }: Given) {
  const shown = open.value;
  useEffect(() => onClose, []);
  if (shown === 'views') return <Views data={data} userId={userId} onClose={onClose} />;
  return shown === 'share' ? <Share data={data} onClose={onClose} /> : null;
}

function onClose(): void {
  open.value = null;
}
