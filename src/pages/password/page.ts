/** The page behind a link of M-81: sets the password of an account, once. */
import { byId } from '../element.ts';
import { language, words } from './words.ts';

const ADDRESS = '/api/v1/password/reset';

const form = byId('form') as HTMLFormElement;
const password = byId('password') as HTMLInputElement;
const outcome = byId('outcome');
const token = new URLSearchParams(location.search).get('token') ?? '';
say();
// The token stays in this page only: not in the history, and in no address that others see.
history.replaceState(null, '', location.pathname);

byId('shown').addEventListener('change', (event) => {
  password.type = (event.target as HTMLInputElement).checked ? 'text' : 'password';
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void setPassword();
});
if (token === '') tell(words.notWhole, false);

/** The page as it stands is English: it says something without a script, too. */
function say(): void {
  document.documentElement.lang = language;
  document.title = `${words.title} · Footfall`;
  for (const key of ['title', 'label', 'show', 'submit'] as const) {
    byId(`say-${key}`).textContent = words[key];
  }
}

async function setPassword(): Promise<void> {
  const button = form.querySelector('button') as HTMLButtonElement;
  button.disabled = true;
  try {
    const body = JSON.stringify({ token, password: password.value });
    const response = await fetch(ADDRESS, { method: 'POST', body });
    if (response.ok) {
      form.hidden = true;
      tell(words.done, true);
      // Signed in by it, or asked for a code there.
      location.replace('/');
      return;
    }
    const { validation = {}, error = [] } = (await response.json()) as Refusal;
    tell(sentence(validation, error), false);
  } catch {
    tell(words.away, false);
  }
  button.disabled = false;
}

interface Refusal {
  readonly validation?: Readonly<Record<string, string>>;
  readonly error?: readonly string[];
}

function sentence(validation: Refusal['validation'] & object, error: readonly string[]): string {
  if (validation['token'] !== undefined) {
    return words.ended;
  }
  const fault = validation['password'];
  if (fault === undefined) return error.join(' ');
  return fault.startsWith('must have') ? words.refusedLength : words.refusedCommon;
}

function tell(text: string, isGood: boolean): void {
  outcome.textContent = text;
  outcome.className = isGood ? 'good' : 'bad';
}
