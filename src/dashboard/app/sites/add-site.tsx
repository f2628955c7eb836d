/** A new site: its hostname is all that is needed. */
import { call } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { Field } from '../settings/forms/fields.ts';
import { RecordForm } from '../settings/forms/record-form.tsx';
import { mayLeave } from '../settings/forms/unsaved.ts';
import type { Domain } from '../site/site-data.ts';
import { word } from '../words/words.ts';

const HOSTNAME: Field = {
  ...{ name: 'hostname', label: 'hostname', kind: 'text', hint: 'hostnameHint', isRequired: true },
};

interface Given {
  /** In which it is made. */
  readonly organizationId?: string;
  readonly onClose: () => void;
  readonly onMade: (site: Domain) => void;
}

export function AddSite({ organizationId, onClose, onMade }: Given) {
  const within = organizationId === undefined ? {} : { organization_id: organizationId };
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Dialog title={word('addSite')} onClose={onClose} mayClose={mayLeave}>
      <RecordForm
        fields={[HOSTNAME]}
        values={{}}
        submitWord="addSite"
        onSubmit={async ({ hostname }) => {
          const sent = { ...within, hostname, subdomain: '', timezone };
          onMade((await call('POST /api/v1/domain', {}, sent)) as Domain);
        }}
      />
    </Dialog>
  );
}
