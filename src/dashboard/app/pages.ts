/** The pages of the dashboard, each loaded when it is shown: whoever opens one does not load the others (D-3). */
import { withLaterStyle } from './parts/later-style.ts';
import { loaded } from './parts/loaded.tsx';

export const SignIn = loaded(async () => (await import('./account/sign-in.tsx')).SignIn);
export const AccountPage = loaded(
  async () => (await withLaterStyle(import('./account/account-page.tsx'))).AccountPage,
);
export const SettingsPage = loaded(
  async () => (await withLaterStyle(import('./settings/settings-page.tsx'))).SettingsPage,
);
export const SitesPage = loaded(
  async () => (await withLaterStyle(import('./sites/sites-page.tsx'))).SitesPage,
);
export const OrganizationPage = loaded(
  async () => (await withLaterStyle(import('./settings/settings-page.tsx'))).OrganizationPage,
);
export const SignInAgain = loaded(
  async () => (await withLaterStyle(import('./account/sign-in-again.tsx'))).SignInAgain,
);
export const SitePage = loaded(async () => (await import('./site/site-page.tsx')).SitePage);
