/** A link by mail that sets a new password (M-81): the answer is the same whoever asks. */
import { useRef, useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import { word } from '../words/words.ts';
import { faultText } from './fault-text.ts';

export function Forgot({ email, onBack }: { email: string; onBack: () => void }) {
  const [address, setAddress] = useState(email);
  const [isSent, setSent] = useState(false);
  const [fault, setFault] = useState('');
  const isOnItsWay = useRef(false);
  const submit = async () => {
    // One link: the second would end the first.
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    setFault('');
    try {
      await call('POST /api/v1/password/forgot', {}, { email: address });
      setSent(true);
    } catch (error) {
      setFault(faultText(error));
    }
    isOnItsWay.current = false;
  };
  return (
    <form
      class="form card"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>{word('forgot')}</h2>
      <label>
        {word('email')}
        <input
          class="input"
          type="email"
          autocomplete="username"
          required
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </label>
      {isSent && <p role="status">{word('forgotSent')}</p>}
      <button type="submit" class="button is-main">
        {word('forgotSend')}
      </button>
      <button type="button" class="button is-plain" onClick={onBack}>
        {word('back')}
      </button>
      <p class="fault-text" role="alert">
        {fault}
      </p>
    </form>
  );
}
