/** What a person has and may change of itself (M-80, M-83): loaded once somebody opens it. */
import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import { More } from '../parts/more.tsx';
import { RecordForm } from '../settings/forms/record-form.tsx';
import { word } from '../words/words.ts';
import { Appearance } from './appearance.tsx';
import { faultText } from './fault-text.ts';
import { Invitations } from './invitations.tsx';
import { TwoFactor } from './two-factor.tsx';

/** As `GET user` answers. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
  readonly totp: boolean;
}

interface Given {
  readonly user: User;
  /** Something of it is different now. */
  readonly onChanged: () => void;
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
        <Invitations />
        <section class="card settings-part">
          <h2>{word('person')}</h2>
          <p class="hint">{user.email}</p>
          <RecordForm
            fields={[{ name: 'full_name', label: 'name', kind: 'text' }]}
            values={user as never}
            submitWord="save"
            onSubmit={async (values) => {
              await call('PUT /api/v1/user', {}, values);
              onChanged();
            }}
          />
        </section>
        <Appearance />
        <Password />
        <TwoFactor isOn={user.totp} onChanged={onChanged} />
        <Sessions onChanged={onChanged} />
        <DeleteAccount email={user.email} onChanged={onChanged} />
      </main>
    </>
  );
}

function Password() {
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  const [fault, setFault] = useState('');
  const [isDone, setDone] = useState(false);
  const submit = async () => {
    setFault('');
    setDone(false);
    try {
      await call('PUT /api/v1/user', {}, { old_password: before, password: after });
      setBefore('');
      setAfter('');
      setDone(true);
    } catch (error) {
      setFault(faultText(error));
    }
  };
  return (
    <section class="card settings-part">
      <h2>{word('password')}</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          {word('passwordBefore')}
          <input
            class="input"
            type="password"
            autocomplete="current-password"
            required
            value={before}
            onInput={(event) => setBefore(event.currentTarget.value)}
          />
        </label>
        <label>
          {word('passwordAfter')}
          <input
            class="input"
            type="password"
            autocomplete="new-password"
            required
            minLength={10}
            value={after}
            onInput={(event) => setAfter(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button is-main">
          {word('passwordSet')}
        </button>
        <p role="status">{isDone ? word('passwordDone') : ''}</p>
        <p class="fault-text" role="alert">
          {fault}
        </p>
      </form>
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

function DeleteAccount({ email, onChanged }: { email: string; onChanged: () => void }) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState('');
  const submit = () =>
    call('DELETE /api/v1/user', {}).then(onChanged, (error: unknown) => setFault(faultText(error)));
  return (
    <section class="card settings-part">
      <h2>{word('accountDeletion')}</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          {word('accountDeletionHint', { email })}
          <input
            class="input"
            autocomplete="off"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button is-danger" disabled={typed.trim() !== email}>
          {word('accountDelete')}
        </button>
        <p class="fault-text" role="alert">
          {fault}
        </p>
      </form>
    </section>
  );
}
