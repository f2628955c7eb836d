/** What ends a site, or gives it away: transfer, erasing what was collected, deletion. */
import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { go } from '../../view/view.ts';
import { say } from '../../words/settings.ts';
import { RecordForm } from '../forms/record-form.tsx';
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
            {KINDS.map(([kind, called]) => (
              <option key={kind} value={kind}>
                {say(called)}
              </option>
            ))}
          </select>
        </label>
        <TypedName
          hostname={domain.hostname}
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
          hostname={domain.hostname}
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

interface TypedGiven {
  readonly hostname: string;
  readonly hint: string;
  readonly submitWord: 'erase' | 'deleteSite';
  readonly onSure: () => Promise<void>;
}

/** A button that works once the hostname stands beside it. */
function TypedName({ hostname, hint, submitWord, onSure }: TypedGiven) {
  const [typed, setTyped] = useState('');
  const isSure = typed.trim() === hostname;
  return (
    <>
      <label class="field">
        {hint}
        <input
          class="input"
          name="confirm"
          value={typed}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      {isSure ? (
        <RecordForm fields={[]} values={{}} submitWord={submitWord} isDanger onSubmit={onSure} />
      ) : (
        <button type="button" class="button is-danger" disabled>
          {say(submitWord)}
        </button>
      )}
    </>
  );
}
