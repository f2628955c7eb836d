/**
 * Signing in again over a page whose sign-in has ended: what was typed below stays, and what was sent
 * goes on (D-17).
 */
import { call, type SignInAsked } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { word } from '../words/words.ts';
import { SignInForm } from './sign-in.tsx';

interface Given {
  readonly asked: SignInAsked;
  /** Not now: what was sent does not go on. */
  readonly onClose: () => void;
}

export function SignInAgain({ asked, onClose }: Given) {
  const done = async () => {
    const { id } = await call('GET /api/v1/user', {});
    // What somebody else typed is not sent in this one's name.
    if (id === asked.personId) asked.end(true);
    else location.reload();
  };
  return (
    <Dialog title={word('signInAgain')} onClose={onClose}>
      <p>{word('signInAgainHint')}</p>
      <SignInForm onDone={() => void done()} />
    </Dialog>
  );
}
