/** Sharing what is looked at (D-10): its address, a link for who has no account, a report on paper. */
import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import type { Field, Values } from '../../settings/forms/fields.ts';
import { RecordForm } from '../../settings/forms/record-form.tsx';
import { mayLeave } from '../../settings/forms/unsaved.ts';
import { word } from '../../words/words.ts';
import { mayChange } from '../may-change.ts';
import type { SiteData } from '../site-data.ts';

const LINK: Field = { name: 'description', label: 'linkFor', kind: 'text', hint: 'linksHint' };

export function ShareDialog({ data, onClose }: { data: SiteData; onClose: () => void }) {
  const [link, setLink] = useState('');
  const make = async (values: Values) => {
    const body = { domain_id: data.domain.id, ...values };
    const { code } = await call('POST /api/v1/domain/link', {}, body);
    const address = new URL(location.href);
    address.searchParams.set('access', code);
    setLink(address.href);
  };
  return (
    <Dialog title={word('shareView')} onClose={onClose} mayClose={mayLeave}>
      <Copied label={word('address')} text={location.href} />
      {mayChange(data.domain) && link === '' && (
        <RecordForm fields={[LINK]} values={{}} submitWord="makeLink" onSubmit={make} />
      )}
      {link !== '' && <Copied label={word('accessLink')} text={link} />}
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
