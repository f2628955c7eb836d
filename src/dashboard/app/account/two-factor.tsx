/** Codes of an app beside the password (M-80): turned on by a QR code and a first code, and off again. */
import { useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import { word } from '../words/words.ts';
import { faultText } from './fault-text.ts';
import { Qr } from './qr.tsx';

interface Begun {
  readonly secret: string;
  readonly uri: string;
}

export function TwoFactor({ isOn, onChanged }: { isOn: boolean; onChanged: () => void }) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [fault, setFault] = useState('');
  const attempt = async (work: () => Promise<void>) => {
    setFault('');
    try {
      await work();
    } catch (error) {
      setFault(faultText(error));
    }
  };
  const begin = () => attempt(async () => setBegun(await call('POST /api/v1/user/totp', {})));
  const confirm = (code: string) =>
    attempt(async () => {
      const answer = await call('POST /api/v1/user/totp/confirm', {}, { code });
      setCodes(answer.recovery_codes);
      setBegun(null);
      onChanged();
    });
  const end = (code: string) =>
    attempt(async () => {
      await call('DELETE /api/v1/user/totp', {}, { code });
      setCodes([]);
      onChanged();
    });
  return (
    <section class="card settings-part">
      <h2>{word('twoFactor')}</h2>
      <p class="hint">{word(isOn ? 'twoFactorOn' : 'twoFactorHint')}</p>
      {codes.length > 0 && (
        <div class="secrets card" role="status">
          <p>{word('recoveryHint')}</p>
          <ul class="recovery">
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {begun !== null && (
        <div class="opt-out">
          <div>
            <p>{word('twoFactorScan')}</p>
            <code>{begun.secret}</code>
          </div>
          <Qr text={begun.uri} label={word('qrOf', { what: word('twoFactor') })} />
        </div>
      )}
      {begun === null && !isOn ? (
        <div>
          <button type="button" class="button" onClick={() => void begin()}>
            {word('twoFactorBegin')}
          </button>
        </div>
      ) : (
        <CodeForm
          key={String(isOn)}
          label={word(isOn ? 'twoFactorEnd' : 'twoFactorConfirm')}
          onSubmit={(code) => void (isOn ? end(code) : confirm(code))}
        />
      )}
      <p class="fault-text" role="alert">
        {fault}
      </p>
    </section>
  );
}

function CodeForm({ label, onSubmit }: { label: string; onSubmit: (code: string) => void }) {
  const [code, setCode] = useState('');
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(code);
      }}
    >
      <label>
        {word('code')}
        <input
          class="input"
          autocomplete="one-time-code"
          required
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        {label}
      </button>
    </form>
  );
}
