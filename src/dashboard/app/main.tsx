/** The page: which part of it an address shows, and to whom. */
// Before all else: the longest wait is that for the numbers.
import './site/early.ts';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { User } from './account/user.ts';
import { callAs, faultOf, signInAgain, signInAsked } from './data/api.ts';
import {
  AccountPage,
  OrganizationPage,
  SettingsPage,
  SignIn,
  SignInAgain,
  SitePage,
  SitesPage,
} from './pages.ts';
// Applied before anything is drawn.
import './parts/appearance.ts';
import { Fault } from './parts/fault.tsx';
import { keepFocus } from './parts/kept-focus.ts';
import { KeyHelp } from './parts/key-help.tsx';
import { Menu } from './parts/menu.tsx';
import { endSession, firstScene, type Scene, sceneOf } from './scene.ts';
import { ACCOUNT, HOST, isService } from './view/host.ts';
import { typed } from './view/typed.ts';
import { go, mayLeavePage, place } from './view/view.ts';
import { markLanguage, word, wordsLoaded } from './words/words.ts';

const first = firstScene();

function App() {
  const [scene, setScene] = useState<Scene | null>(first);
  const isFirst = useRef(first !== null);
  const { path, search } = place.value;
  const parameters = new URLSearchParams(search);
  const access = accessIn(search);
  const settings = parameters.get('settings');
  const organization = parameters.get('organization');
  const [round, setRound] = useState(0);
  const load = async () => {
    const next = await sceneHere();
    if (next === null) return;
    // What was typed stays where it is while they sign in again.
    if (next.kind === 'sign-in' && typed.size > 0 && (await signInAgain())) {
      setRound((before) => before + 1);
      return;
    }
    if (next.kind !== 'fault') callAs('user' in next ? (next.user?.id ?? null) : null);
    setScene(next);
  };
  useEffect(() => {
    if (!isFirst.current) void load();
    isFirst.current = false;
  }, [path, access]);
  const signOut = async () => {
    if (!mayLeavePage()) return;
    // What is shown goes first: it would ask on and be refused.
    setScene(null);
    await endSession();
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

/** What the page shows at the address that it has now; null: it has moved on meanwhile. */
async function sceneHere(): Promise<Scene | null> {
  const { path, search } = place.peek();
  const scene = await sceneOf(path, accessIn(search)).catch(
    (error: unknown): Scene => ({ kind: 'fault', error: faultOf(error) }),
  );
  return place.peek().path === path ? scene : null;
}

/** The code of a shared link. */
function accessIn(search: string): string {
  return new URLSearchParams(search).get('access') ?? '';
}

function Unknown({ why }: Pick<Scene & { kind: 'unknown' }, 'why'>) {
  // Where the service has no page it does not say whose host it is; of a host of nobody it does.
  const hasStart = isService || (HOST.kind === 'unknown' && why === 'unknownPage');
  return (
    <main class="sign-in">
      <h1>{word(why)}</h1>
      <p>{word(`${why}Hint`)}</p>
      {hasStart && (
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

markLanguage();
const root = document.getElementById('app');
if (root !== null) void start(root);

/** Loads what a scene shows, so that it is drawn in one go. */
async function loadOf(scene: Scene | null): Promise<void> {
  const isSettings = new URLSearchParams(place.peek().search).has('settings');
  if (scene?.kind === 'sign-in') await SignIn.load();
  else if (scene?.kind === 'account') await AccountPage.load();
  else if (scene !== null && isSettings) await SettingsPage.load();
  else if (scene?.kind === 'site') await SitePage.load();
  else if (scene?.kind === 'sites') await SitesPage.load();
}

/** Not awaited by the module itself: the parts that are loaded import it. */
async function start(root: HTMLElement): Promise<void> {
  await Promise.all([wordsLoaded, loadOf(first)]);
  keepFocus(root);
  render(
    <>
      <App />
      <SignInAsked />
    </>,
    root,
  );
}
