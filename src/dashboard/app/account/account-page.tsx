/** What a person has and may change of itself (M-80, M-83): loaded once somebody opens it. */
import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import { More } from '../parts/more.tsx';
import type { Field } from '../settings/forms/fields.ts';
import { RecordForm } from '../settings/forms/record-form.tsx';
import { TypedName } from '../settings/forms/typed-name.tsx';
import { EndedMails } from '../settings/out/own-mails.tsx';
import { word } from '../words/words.ts';
import { Appearance } from './appearance.tsx';
import { faultText } from './fault-text.ts';
import { Invitations, Offers } from './invitations.tsx';
import { TwoFactor } from './two-factor.tsx';
import type { User } from './user.ts';

interface Given {
  readonly user: User;
  /** Something of it is different now. */
  readonly onChanged: () => Promise<void>;
  readonly children?: preact.ComponentChildren;
}

export function AccountPage({ user, onChanged, children }: Given) {
  useEffect(() => {
    document.title = `${word('account')} · ${word('appName')}`;
  }, []);
  return (
    <>
      <header class="top">
        <h1>{word('account')}</h1>
        <More>{children}</More>
      </header>
      <main class="account-page">
        <Offers />
        <Invitations />
        <section class="card settings-part">
          <h2>{word('person')}</h2>
          <p class="hint">{user.email}</p>
          <RecordForm
            fields={PERSON}
            values={user as never}
            submitWord="save"
            onSubmit={async (values) => {
              await call('PUT /api/v1/user', {}, values);
              await onChanged();
            }}
          />
        </section>
        <EndedMails />
        <Appearance user={user} onChanged={onChanged} />
        <Password />
        <TwoFactor isOn={user.totp} onChanged={onChanged} />
        <Sessions onChanged={onChanged} />
        <DeleteAccount email={user.email} onChanged={onChanged} />
      </main>
    </>
  );
}

const PERSON: readonly Field[] = [
  { name: 'full_name', label: 'name', kind: 'text' },
  {
    ...{ name: 'language', label: 'mailLanguage', kind: 'choice' },
    choices: [
      ['', 'languageService'],
      ['en', 'languageEn'],
      ['de', 'languageDe'],
    ],
  },
];

const PASSWORDS: readonly Field[] = [
  {
    ...{ name: 'old_password', label: 'passwordBefore', kind: 'password', isRequired: true },
    autocomplete: 'current-password',
  },
  {
    ...{ name: 'password', label: 'passwordAfter', kind: 'password', isRequired: true },
    autocomplete: 'new-password',
  },
];

function Password() {
  const [times, setTimes] = useState(0);
  return (
    <section class="card settings-part">
      <h2>{word('password')}</h2>
      <RecordForm
        // Empty again, once it is set.
        key={times}
        fields={PASSWORDS}
        values={{}}
        submitWord="passwordSet"
        onSubmit={async (values) => {
          await call('PUT /api/v1/user', {}, values);
          setTimes(times + 1);
        }}
      />
      <p role="status">{times > 0 ? word('passwordDone') : ''}</p>
    </section>
  );
}

function Sessions({ onChanged }: { onChanged: () => void }) {
  const [fault, setFault] = useState('');
  const end = () =>
    call('POST /api/v1/logout/all', {}).then(onChanged, (error: unknown) =>
      setFault(faultText(error)),
    );
  return (
    <section class="card settings-part">
      <h2>{word('signIns')}</h2>
      <p class="hint">{word('signInsHint')}</p>
      <div>
        <button type="button" class="button" onClick={() => void end()}>
          {word('signOutEverywhere')}
        </button>
      </div>
      <p class="fault-text" role="alert">
        {fault}
      </p>
    </section>
  );
}

function DeleteAccount({ email, onChanged }: { email: string; onChanged: () => Promise<void> }) {
  return (
    <section class="card settings-part">
      <h2>{word('accountDeletion')}</h2>
      <TypedName
        name={email}
        hint={word('accountDeletionHint', { email })}
        submitWord="accountDelete"
        onSure={async () => {
          await call('DELETE /api/v1/user', {});
          await onChanged();
        }}
      />
    </section>
  );
}
