/** Sharing what is looked at (D-10): its address, a link for who has no account, a report on paper. */
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { word } from '../../words/words.ts';
import { mayChange } from '../may-change.ts';
import type { SiteData } from '../site-data.ts';

export function ShareDialog({ data, onClose }: { data: SiteData; onClose: () => void }) {
  const [link, setLink] = useState('');
  const [description, setDescription] = useState('');
  const [fault, setFault] = useState<ApiError | null>(null);
  const make = async () => {
    try {
      const body = { domain_id: data.domain.id, description };
      const { code } = await call('POST /api/v1/domain/link', {}, body);
      const address = new URL(location.href);
      address.searchParams.set('access', code);
      setLink(address.href);
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, ''));
    }
  };
  return (
    <Dialog title={word('shareView')} onClose={onClose}>
      <Copied label={word('address')} text={location.href} />
      {mayChange(data.domain) && link === '' && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <label>
            {word('linkFor')}
            <input
              class="input"
              maxLength={500}
              value={description}
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          </label>
          <p class="quiet">{word('linksHint')}</p>
          <button type="submit" class="button">
            {word('makeLink')}
          </button>
        </form>
      )}
      {link !== '' && <Copied label={word('accessLink')} text={link} />}
      {fault !== null && <Fault error={fault} onRetry={() => void make()} />}
      <button
        type="button"
        class="button"
        onClick={() => {
          onClose();
          // The dialog is no part of the report.
          requestAnimationFrame(() => print());
        }}
      >
        {word('printReport')}
      </button>
    </Dialog>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <label class="field">
      {label}
      <span class="copied">
        <input
          class="input"
          readOnly
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button
          type="button"
          class="button"
          onClick={(event) => {
            // Where the browser keeps its clipboard to itself, the text is chosen to be copied by hand.
            const field = event.currentTarget.parentElement?.querySelector('input');
            navigator.clipboard?.writeText(text).then(
              () => setCopied(true),
              () => field?.select(),
            ) ?? field?.select();
          }}
        >
          <span role="status">{word(isCopied ? 'copied' : 'copy')}</span>
        </button>
      </span>
    </label>
  );
}
