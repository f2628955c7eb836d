/** What ends a site, or gives it away: transfer, erasing what was collected, deletion. */
import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { isService } from '../../view/host.ts';
import { go } from '../../view/view.ts';
import { say } from '../../words/settings.ts';
import { CopyButton } from '../copy-button.tsx';
import { RecordForm } from '../forms/record-form.tsx';
import { TypedName } from '../forms/typed-name.tsx';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';

/** The Owner offers it to somebody, takes the offer back; the other takes the site (M-15). */
export function Transfer({ domain, me, onChanged }: SitePlace) {
  const id = { domain_id: domain.id };
  const isOwner = domain.user_role === 'Owner';
  const isMine = domain.new_owner === me.email.toLowerCase();
  return (
    <section class="settings-part">
      <PartHead title={say('transfer')} hint={say('transferHint')} />
      <div class="settings-forms">
        {isMine && (
          <RecordForm
            fields={[]}
            values={{}}
            submitWord="transferTake"
            onSubmit={async () => {
              await call('PUT /api/v1/domain/transfer', {}, id);
              await onChanged();
            }}
          />
        )}
        {isOwner && domain.new_owner !== null && (
          <>
            <p>{say('transferOffered', { email: domain.new_owner })}</p>
            {isService && <OffersLink />}
            <RecordForm
              fields={[]}
              values={{}}
              submitWord="transferWithdraw"
              onSubmit={async () => {
                await call('DELETE /api/v1/domain/transfer', id);
                await onChanged();
              }}
            />
          </>
        )}
        {isOwner && domain.new_owner === null && (
          <RecordForm
            fields={[{ name: 'email', label: 'newOwner', kind: 'email', isRequired: true }]}
            values={{}}
            submitWord="transferOffer"
            onSubmit={async (values) => {
              await call('POST /api/v1/domain/transfer', {}, { ...id, ...values });
              await onChanged();
            }}
          />
        )}
      </div>
    </section>
  );
}

const KINDS = [
  ['', 'eraseAll'],
  ['events', 'eraseEvents'],
] as const;
/** Of a site with a history of another product (S-98). */
const KINDS_WITH_IMPORTED = [
  ...KINDS,
  ['all', 'eraseCollected'],
  ['imported', 'eraseImported'],
] as const;

/** Removes what was collected in some days. */
export function Erasure({ domain }: SitePlace) {
  const [days, setDays] = useState({ from: '', to: '', kind: '' });
  return (
    <section class="settings-part">
      <PartHead title={say('erasure')} hint={say('erasureHint')} />
      <div class="settings-forms">
        <div class="day-fields">
          {(['from', 'to'] as const).map((end) => (
            <label key={end} class="field">
              {say(end)}
              <input
                class="input"
                type="date"
                name={end}
                value={days[end]}
                onInput={(event) => setDays({ ...days, [end]: event.currentTarget.value })}
              />
            </label>
          ))}
        </div>
        <label class="field">
          {say('eraseWhat')}
          <select
            class="input"
            value={days.kind}
            onChange={(event) => setDays({ ...days, kind: event.currentTarget.value })}
          >
            {(domain.imported_statistics ? KINDS_WITH_IMPORTED : KINDS).map(([kind, called]) => (
              <option key={kind} value={kind}>
                {say(called)}
              </option>
            ))}
          </select>
        </label>
        <TypedName
          name={domain.hostname}
          hint={say('eraseConfirm', { hostname: domain.hostname })}
          submitWord="erase"
          onSure={async () => {
            await call('DELETE /api/v1/statistics', { id: domain.id, ...days });
          }}
        />
      </div>
    </section>
  );
}

/** Removes a site once its name was typed. */
export function Deletion({ domain }: SitePlace) {
  return (
    <section class="settings-part">
      <PartHead title={say('deletion')} hint={say('deletionHint', { hostname: domain.hostname })} />
      <div class="settings-forms">
        <TypedName
          name={domain.hostname}
          hint={say('typeHostname', { hostname: domain.hostname })}
          submitWord="deleteSite"
          onSure={async () => {
            await call('DELETE /api/v1/domain', { id: domain.id });
            go('/');
          }}
        />
      </div>
    </section>
  );
}

/** Where whoever it is offered to finds it: on the page of their account, and nobody else on theirs. */
function OffersLink() {
  const address = `${location.origin}/account`;
  return (
    <div>
      <p class="hint">{say('transferLinkHint')}</p>
      <div class="snippet">
        <code>{address}</code>
        <CopyButton text={address} label={say('transferLink')} />
      </div>
    </div>
  );
}
