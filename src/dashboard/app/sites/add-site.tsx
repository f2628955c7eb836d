/** A new site: its hostname is all that is needed. */
import { useState } from 'preact/hooks';
import { ApiError, call } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { Domain } from '../site/site-data.ts';
import { word } from '../words/words.ts';

interface Given {
  readonly onClose: () => void;
  readonly onMade: (site: Domain) => void;
}

export function AddSite({ onClose, onMade }: Given) {
  const [hostname, setHostname] = useState('');
  const [fault, setFault] = useState('');
  const submit = async () => {
    try {
      const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const made = await call('POST /api/v1/domain', {}, { hostname, subdomain: '', timezone });
      onMade(made as Domain);
    } catch (error) {
      setFault(error instanceof ApiError ? error.message || word('awayFirst') : String(error));
    }
  };
  return (
    <Dialog title={word('addSite')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          {word('hostname')}
          <input
            class="input"
            required
            value={hostname}
            placeholder={word('hostnameHint')}
            onInput={(event) => setHostname(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button is-main">
          {word('addSite')}
        </button>
        <p class="fault-text" role="alert">
          {fault}
        </p>
      </form>
    </Dialog>
  );
}
