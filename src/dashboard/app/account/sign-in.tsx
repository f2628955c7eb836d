/** Who is this: e-mail and password, and a code where the account asks for one (M-80). */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError, call } from '../data/api.ts';
import { word } from '../words/words.ts';
import { Forgot } from './forgot.tsx';

const UNAUTHORIZED = 401;
const TOO_MANY = 429;

export function SignIn({ onDone }: { onDone: () => void }) {
  const [hasForgotten, setForgotten] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${word('signIn')} · ${word('appName')}`;
  }, []);
  return (
    <main class="sign-in">
      <h1>{word('appName')}</h1>
      {hasForgotten === null ? (
        <SignInForm onDone={onDone} onForgotten={setForgotten} />
      ) : (
        <Forgot email={hasForgotten} onBack={() => setForgotten(null)} />
      )}
    </main>
  );
}

interface FormGiven {
  readonly onDone: () => void;
  /** The way to a new password; absent where none is offered. */
  readonly onForgotten?: (email: string) => void;
}

export function SignInForm({ onDone, onForgotten }: FormGiven) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [fault, setFault] = useState('');
  const [isSending, setSending] = useState(false);
  const codeField = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => codeField.current?.focus(), [needsCode]);

  const submit = async () => {
    setSending(true);
    setFault('');
    try {
      await call('POST /api/v1/login', {}, { email, password, ...(code === '' ? {} : { code }) });
      onDone();
    } catch (error) {
      if (error instanceof ApiError) {
        const asksCode = error.validation['code'] !== undefined || /code/i.test(error.message);
        setNeedsCode(needsCode || asksCode);
        setFault(sentence(error, asksCode));
      }
    }
    setSending(false);
  };
  return (
    <>
      <form
        class={onForgotten === undefined ? 'form' : 'form card'}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          {word('email')}
          <input
            class="input"
            type="email"
            autocomplete="username"
            required
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        </label>
        <label>
          {word('password')}
          <input
            class="input"
            type="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        {needsCode && (
          <label>
            {word('code')}
            <input
              class="input"
              ref={codeField}
              inputMode="numeric"
              autocomplete="one-time-code"
              value={code}
              onInput={(event) => setCode(event.currentTarget.value)}
            />
          </label>
        )}
        <button type="submit" class="button is-main" disabled={isSending}>
          {word('signIn')}
        </button>
        <p class="fault-text" role="alert">
          {fault}
        </p>
      </form>
      {onForgotten !== undefined && (
        <button type="button" class="button is-plain link" onClick={() => onForgotten(email)}>
          {word('forgot')}
        </button>
      )}
    </>
  );
}

function sentence(error: ApiError, asksCode: boolean): string {
  if (error.status === 0) return word('awayFirst');
  if (error.status === TOO_MANY) return word('tooMany', { seconds: error.retryAfterSeconds });
  if (asksCode) return word('codeNeeded');
  return error.status === UNAUTHORIZED ? word('wrongSignIn') : error.message;
}
