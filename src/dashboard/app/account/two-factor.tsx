/** Codes of an app beside the password (M-80): turned on by a QR code and a first code, and off again. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import { CopyButton } from '../settings/copy-button.tsx';
import type { Field, Values } from '../settings/forms/fields.ts';
import { RecordForm } from '../settings/forms/record-form.tsx';
import { word } from '../words/words.ts';
import { faultText } from './fault-text.ts';
import { Qr } from './qr.tsx';

interface Begun {
  readonly secret: string;
  readonly uri: string;
}

export function TwoFactor({ isOn, onChanged }: { isOn: boolean; onChanged: () => Promise<void> }) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [fault, setFault] = useState('');
  const isOnItsWay = useRef(false);
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that had the focus is gone; what comes next is the code.
    if (begun !== null) root.current?.querySelector<HTMLInputElement>('[name=code]')?.focus();
  }, [begun]);
  const begin = async () => {
    // A second one would end the first, which may have been scanned.
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    setFault('');
    try {
      setBegun(await call('POST /api/v1/user/totp', {}));
    } catch (error) {
      setFault(faultText(error));
    }
    isOnItsWay.current = false;
  };
  const confirm = async (values: Values) => {
    const answer = await call('POST /api/v1/user/totp/confirm', {}, values);
    setCodes(answer.recovery_codes);
    setBegun(null);
    await onChanged();
  };
  const end = async (values: Values) => {
    await call('DELETE /api/v1/user/totp', {}, values);
    setCodes([]);
    await onChanged();
  };
  return (
    <section class="card settings-part" ref={root}>
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
          <div>
            <CopyButton text={codes.join('\n')} label={word('recoveryCodes')} />
          </div>
        </div>
      )}
      {begun !== null && (
        <div class="opt-out">
          <div>
            <p>{word('twoFactorScan')}</p>
            <code>{begun.secret}</code>
            <div>
              <CopyButton text={begun.secret} label={word('twoFactor')} />
            </div>
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
        <RecordForm
          key={String(isOn)}
          fields={[CODE]}
          values={{}}
          submitWord={isOn ? 'twoFactorEnd' : 'twoFactorConfirm'}
          onSubmit={isOn ? end : confirm}
        />
      )}
      <p class="fault-text" role="alert">
        {fault}
      </p>
    </section>
  );
}

const CODE: Field = {
  ...{ name: 'code', label: 'code', kind: 'text', isRequired: true },
  autocomplete: 'one-time-code',
};
