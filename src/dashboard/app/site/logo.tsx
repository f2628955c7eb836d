/** The mark of a site (M-70), light or dark as the page is; its first letter where it has none. */
import { SiteMark } from '../parts/site-mark.tsx';
import type { Domain } from './site-data.ts';
import { fileOf } from './theme.ts';

export function Logo({ theme, name }: Pick<Domain, 'theme'> & { readonly name: string }) {
  const light = fileOf(theme, 'logo_light');
  const dark = fileOf(theme, 'logo_dark');
  if (light === '' && dark === '') return <SiteMark name={name} />;
  return (
    <>
      <img class="logo is-for-light" src={light || dark} alt="" />
      <img class="logo is-for-dark" src={dark || light} alt="" />
    </>
  );
}
