/** Buttons beside the range: saved views, and sharing; each is loaded once it is opened. */
import { useEffect, useState } from 'preact/hooks';
import { word } from '../../words/words.ts';
import type { SiteData } from '../site-data.ts';
import type { ShareDialog } from './share-dialog.tsx';
import type { ViewsDialog } from './views-dialog.tsx';

interface Given {
  readonly data: SiteData;
  /** Null: nobody is signed in. */
  readonly userId: string | null;
}

export function ViewTools({ data, userId }: Given) {
  const [open, setOpen] = useState<'views' | 'share' | null>(null);
  const [Views, setViews] = useState<typeof ViewsDialog | null>(null);
  const [Share, setShare] = useState<typeof ShareDialog | null>(null);
  useEffect(() => {
    if (open === 'views')
      void import('./views-dialog.tsx').then((part) => setViews(() => part.ViewsDialog));
    if (open === 'share')
      void import('./share-dialog.tsx').then((part) => setShare(() => part.ShareDialog));
  }, [open]);
  const onClose = () => setOpen(null);
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen('views')}>
        {word('savedViews')}
      </button>
      <button type="button" class="button" onClick={() => setOpen('share')}>
        {word('shareShort')}
      </button>
      {open === 'views' && Views !== null && (
        <Views data={data} userId={userId} onClose={onClose} />
      )}
      {open === 'share' && Share !== null && <Share data={data} onClose={onClose} />}
    </>
  );
}
