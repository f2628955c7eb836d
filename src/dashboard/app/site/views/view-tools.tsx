/** Saved views, and sharing: buttons beside the range, and their dialogs, loaded once they are opened. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { word } from '../../words/words.ts';
import type { SiteData } from '../site-data.ts';
import type { ShareDialog } from './share-dialog.tsx';
import type { ViewsDialog } from './views-dialog.tsx';

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
  const [Views, setViews] = useState<typeof ViewsDialog | null>(null);
  const [Share, setShare] = useState<typeof ShareDialog | null>(null);
  const shown = open.value;
  useEffect(() => {
    if (shown === 'views')
      void import('./views-dialog.tsx').then((part) => setViews(() => part.ViewsDialog));
    if (shown === 'share')
      void import('./share-dialog.tsx').then((part) => setShare(() => part.ShareDialog));
  }, [shown]);
  useEffect(() => onClose, []);
  if (shown === 'views' && Views !== null)
    return <Views data={data} userId={userId} onClose={onClose} />;
  return shown === 'share' && Share !== null ? <Share data={data} onClose={onClose} /> : null;
}

function onClose(): void {
  open.value = null;
}
