/** The page behind a link of M-81: sets the password of an account, once. */
import { byId } from '../element.ts';

const ADDRESS = '/api/v1/password/reset';

const form = byId('form') as HTMLFormElement;
const password = byId('password') as HTMLInputElement;
const outcome = byId('outcome');
const token = new URLSearchParams(location.search).get('token') ?? '';
// The token stays in this page only: not in the history, and in no address that others see.
history.replaceState(null, '', location.pathname);

byId('shown').addEventListener('change', (event) => {
  password.type = (event.target as HTMLInputElement).checked ? 'text' : 'password';
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void setPassword();
});
if (token === '') tell('This address is not whole: use the link as it was given to you.', false);

async function setPassword(): Promise<void> {
  const button = form.querySelector('button') as HTMLButtonElement;
  button.disabled = true;
  try {
    const body = JSON.stringify({ token, password: password.value });
    const response = await fetch(ADDRESS, { method: 'POST', body });
    if (response.ok) {
      form.hidden = true;
      tell('The password is set.', true);
      // Signed in by it, or asked for a code there.
      location.replace('/');
      return;
    }
    const { validation = {}, error = [] } = (await response.json()) as Refusal;
    tell(sentence(validation, error), false);
  } catch {
    tell('The service does not answer. Try again in a moment.', false);
  }
  button.disabled = false;
}

interface Refusal {
  readonly validation?: Readonly<Record<string, string>>;
  readonly error?: readonly string[];
}

function sentence(validation: Refusal['validation'] & object, error: readonly string[]): string {
  if (validation['token'] !== undefined) {
    return 'This link was used already, or is too old. Ask for a new one.';
  }
  const fault = validation['password'];
  return fault === undefined ? error.join(' ') : `The password ${fault}.`;
}

function tell(text: string, isGood: boolean): void {
  outcome.textContent = text;
  outcome.className = isGood ? 'good' : 'bad';
}
