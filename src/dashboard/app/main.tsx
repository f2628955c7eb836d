/** The page: which part of it an address shows, and to whom. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SignIn } from './account/sign-in.tsx';
import type { User } from './account/user.ts';
import {
  ApiError,
  call,
  callAs,
  enterAs,
  leaveVisit,
  signInAgain,
  signInAsked,
} from './data/api.ts';
// Applied before anything is drawn.
import './parts/appearance.ts';
import { Fault } from './parts/fault.tsx';
import { keepFocus } from './parts/kept-focus.ts';
import { KeyHelp } from './parts/key-help.tsx';
import { withLaterStyle } from './parts/later-style.ts';
import { loaded } from './parts/loaded.tsx';
import { Menu } from './parts/menu.tsx';
import type { Domain } from './site/site-data.ts';
import { HOST, hadNobody, isService } from './view/host.ts';
import { typed } from './view/typed.ts';
import { go, mayLeavePage, place } from './view/view.ts';
import { markLanguage, word } from './words/words.ts';

/** What is shown. */
type Scene =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'sites'; readonly user: User }
  | { readonly kind: 'site'; readonly domain: Domain; readonly user: User | null }
  | { readonly kind: 'account'; readonly user: User }
  /** Nothing is there: no such dashboard, no such host, a link that is not good (any more). */
  | { readonly kind: 'unknown'; readonly why: 'unknownPage' | 'unknownHost' | 'endedPage' }
  | { readonly kind: 'fault'; readonly error: ApiError };

const ACCOUNT = '/account';

// Whoever opens one of them does not load the others (D-3).
const AccountPage = loaded(
  async () => (await withLaterStyle(import('./account/account-page.tsx'))).AccountPage,
);
const SettingsPage = loaded(
  async () => (await withLaterStyle(import('./settings/settings-page.tsx'))).SettingsPage,
);
const SitesPage = loaded(
  async () => (await withLaterStyle(import('./sites/sites-page.tsx'))).SitesPage,
);
const OrganizationPage = loaded(
  async () => (await withLaterStyle(import('./settings/settings-page.tsx'))).OrganizationPage,
);
const SignInAgain = loaded(
  async () => (await withLaterStyle(import('./account/sign-in-again.tsx'))).SignInAgain,
);
const SitePage = loaded(async () => (await import('./site/site-page.tsx')).SitePage);

const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

/** It is known that nobody is signed in, so that nobody is asked to be refused; of the next look alone. */
let isNobody = hadNobody;

function App() {
  const [scene, setScene] = useState<Scene | null>(null);
  const { path, search } = place.value;
  const given = new URLSearchParams(search);
  const access = given.get('access') ?? '';
  const settings = given.get('settings');
  const organization = given.get('organization');
  const [round, setRound] = useState(0);
  const load = async () => {
    try {
      const next = await sceneOf(path, access);
      // What was typed stays where it is while they sign in again.
      if (next.kind === 'sign-in' && typed.size > 0 && (await signInAgain())) {
        setRound((before) => before + 1);
        return;
      }
      callAs('user' in next ? (next.user?.id ?? null) : null);
      setScene(next);
    } catch (error) {
      setScene({ kind: 'fault', error: error instanceof ApiError ? error : new ApiError(0, '') });
    }
  };
  useEffect(() => {
    void load();
  }, [path, access]);
  const signOut = async () => {
    if (!mayLeavePage()) return;
    // What is shown goes first: it would ask on and be refused.
    setScene(null);
    isNobody = await endsSession();
    go('/');
    // Another path is looked at by itself.
    if (path === '/') await load();
  };
  if (scene === null) return null;
  switch (scene.kind) {
    case 'sign-in':
      return <SignIn onDone={load} />;
    case 'sites':
      if (settings === null) {
        return (
          <SitesPage>
            <AccountMenu user={scene.user} onOut={signOut} />
          </SitesPage>
        );
      }
      return organization === null ? (
        <SettingsPage domain={null} me={scene.user} part={settings} onChanged={load}>
          <AccountMenu user={scene.user} onOut={signOut} hasSites />
        </SettingsPage>
      ) : (
        <OrganizationPage id={organization} me={scene.user} part={settings} onChanged={load}>
          <AccountMenu user={scene.user} onOut={signOut} hasSites />
        </OrganizationPage>
      );
    case 'account':
      return (
        <AccountPage user={scene.user} onChanged={load}>
          <AccountMenu user={scene.user} onOut={signOut} hasSites />
        </AccountPage>
      );
    case 'site':
      return (
        <>
          {settings !== null && scene.user !== null ? (
            <SettingsPage domain={scene.domain} me={scene.user} part={settings} onChanged={load}>
              <AccountMenu user={scene.user} onOut={signOut} hasSites={isService} />
            </SettingsPage>
          ) : (
            <SitePage
              domain={scene.domain}
              user={scene.user}
              hasSites={scene.user !== null && isService}
              key={scene.domain.id}
              round={round}
              onGone={() => void load()}
            >
              {scene.user !== null && (
                <AccountMenu user={scene.user} onOut={signOut} hasSites={isService} />
              )}
            </SitePage>
          )}
          <KeyHelp />
        </>
      );
    case 'unknown':
      return <Unknown why={scene.why} />;
    default:
      return (
        <main class="sign-in">
          <Fault error={scene.error} onRetry={load} />
        </main>
      );
  }
}

function Unknown({ why }: Pick<Scene & { kind: 'unknown' }, 'why'>) {
  return (
    <main class="sign-in">
      <h1>{word(why)}</h1>
      <p>{word(`${why}Hint`)}</p>
      {isService && (
        <p>
          <a class="button is-main" href="/" target="_top">
            {word('sites')}
          </a>
        </p>
      )}
    </main>
  );
}

function SignInAsked() {
  const asked = signInAsked.value;
  return asked && <SignInAgain asked={asked} onClose={() => asked.end(false)} />;
}

interface AccountGiven {
  readonly user: User;
  readonly onOut: () => Promise<void>;
  readonly hasSites?: boolean;
}

function AccountMenu({ user, onOut, hasSites }: AccountGiven) {
  const choices = [
    { key: 'settings', label: word('settings') },
    ...(hasSites === true ? [{ key: 'sites', label: word('sites') }] : []),
    ...(isService ? [{ key: 'account', label: word('account') }] : []),
    { key: 'out', label: word('signOut'), isApart: true },
  ];
  const choose = (key: string) => {
    if (key === 'out') void onOut();
    else if (key === 'sites') go('/');
    else if (key === 'account') go(ACCOUNT);
    else go(place.value.path === ACCOUNT ? '/' : place.value.path, '?settings=');
  };
  return (
    <Menu label={word('account')} choices={choices} isRight onChoose={choose}>
      <span class="account">{user.full_name || user.email}</span>
    </Menu>
  );
}

/** @throws ApiError when the service does not say. */
async function sceneOf(path: string, access: string): Promise<Scene> {
  const name = nameIn(path);
  if (HOST.kind === 'unknown' || name === null || (HOST.name !== '' && name !== '')) {
    const isHost = HOST.kind === 'unknown' && path === '/';
    return { kind: 'unknown', why: isHost ? 'unknownHost' : 'unknownPage' };
  }
  leaveVisit();
  const asked =
    HOST.kind === 'hostname' ? { hostname: HOST.name } : { subdomain: HOST.name || name };
  const isSite = HOST.name !== '' || (name !== '' && path !== ACCOUNT);
  if (isSite) SitePage.load();
  const isAsked = access === '' && !isNobody;
  isNobody = false;
  // One after the other they would keep the first numbers waiting.
  const [user, own] = await Promise.all([
    isAsked ? userOrNull() : null,
    isAsked && isSite ? domainOrNull(asked) : null,
  ]);
  if (!isSite) {
    if (user === null) return { kind: 'sign-in' };
    return { kind: name === '' ? 'sites' : 'account', user };
  }
  if (user !== null && own !== null) return { kind: 'site', domain: own, user };
  try {
    await enterAs({ ...asked, ...(access === '' ? {} : { access }) });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) throw error;
    if (access !== '') return { kind: 'unknown', why: 'endedPage' };
    return user === null ? { kind: 'sign-in' } : { kind: 'unknown', why: 'unknownPage' };
  }
  const domain = await domainOrNull(asked);
  return domain === null
    ? { kind: 'unknown', why: 'unknownPage' }
    : { kind: 'site', domain, user: null };
}

/** The one name of a path; null: it is of no dashboard. */
function nameIn(path: string): string | null {
  try {
    const name = decodeURIComponent(path.slice(1));
    return name.includes('/') ? null : name;
  } catch {
    return null;
  }
}

/** Whether nobody is signed in from now on: what the service does not answer goes on. */
function endsSession(): Promise<boolean> {
  return call('POST /api/v1/logout', {}).then(
    () => true,
    () => false,
  );
}

async function userOrNull(): Promise<User | null> {
  try {
    return await call('GET /api/v1/user', {});
  } catch (error) {
    if (error instanceof ApiError && error.status === UNAUTHORIZED) return null;
    throw error;
  }
}

async function domainOrNull(asked: {
  subdomain?: string;
  hostname?: string;
}): Promise<Domain | null> {
  try {
    const { subdomain, hostname } = asked;
    const answer = await call('GET /api/v1/domain', { subdomain, domain: hostname });
    return (Array.isArray(answer) ? (answer[0] ?? null) : answer) as Domain | null;
  } catch (error) {
    if (error instanceof ApiError && (error.status === NOT_FOUND || error.status === UNAUTHORIZED))
      return null;
    throw error;
  }
}

markLanguage();
const root = document.getElementById('app');
if (root !== null) {
  keepFocus(root);
  render(
    <>
      <App />
      <SignInAsked />
    </>,
    root,
  );
}
