/** How a dashboard looks: colours, face, logos, with a preview of both light and dark (M-70, M-71). */
import { type AnswerOf, call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { say } from '../../words/settings.ts';
import { RecordForm } from '../forms/record-form.tsx';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';
import { ThemeForm } from './theme-form.tsx';
import type { Look } from './theme-preview.tsx';

type Site = SitePlace['domain'];
type Theme = AnswerOf<'GET /api/v1/theme'>[number];

export function ThemePage({ domain, onChanged }: SitePlace) {
  const { found, fault, load } = useLoaded(async () => {
    const [all, shown] = await Promise.all([
      call('GET /api/v1/theme', { include_organizations: 'true' }),
      call('GET /api/v1/theme', { subdomain: domain.subdomain }),
    ]);
    return { themes: all, own: ownOf(domain, shown) };
  }, [domain]);
  const { themes, own } = found ?? { themes: null, own: null };
  const send = async (data: object, files: ReadonlyMap<string, File>) => {
    await call('POST /api/v1/domain/theme', {}, formOf({ domain_id: domain.id, ...data }, files));
    await onChanged();
  };
  return (
    <section class="settings-part">
      <PartHead title={say('theme')} hint={say('themeHint')} />
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {themes !== null && themes.length > 0 && (
        <div class="settings-forms">
          <RecordForm
            fields={[
              {
                ...{ name: 'theme_id', label: 'themeChosen', kind: 'choice' },
                choices: [['', 'themeNone']],
                named: themes.map(({ id, name }) => [id, name] as const),
              },
            ]}
            values={domain}
            submitWord="save"
            onSubmit={async (values) => {
              await call('PUT /api/v1/domain/theme', {}, { domain_id: domain.id, ...values });
              await onChanged();
            }}
          />
        </div>
      )}
      {own !== null && (
        <ThemeForm
          own={own}
          below={belowOf(domain, own)}
          name={domain.hostname}
          onSave={(settings, files) => send({ settings }, files)}
          onRemove={async (file) => {
            await call('DELETE /api/v1/theme/file', { domain_id: domain.id, file });
            await onChanged();
          }}
        />
      )}
    </section>
  );
}

/** What the site has for itself: of the themes that it shows, that which is neither chosen nor an organization's. */
function ownOf(
  { theme_id: chosen, theme_settings: settings }: Site,
  shown: readonly Theme[],
): Look {
  const own = shown.find(({ id, organization_id: of }) => of === null && id !== chosen);
  const { logo_light = null, logo_dark = null, favicon = null } = own ?? {};
  return { ...(settings as Look), logo_light, logo_dark, favicon };
}

/** What the dashboard shows but for its own part. */
function belowOf({ theme }: Site, own: Look): Look {
  return Object.fromEntries(Object.entries(theme as Look).filter(([name]) => !own[name]));
}

/** Settings and files as the service reads them. */
export function formOf(data: object, files: ReadonlyMap<string, File>): FormData {
  const form = new FormData();
  form.set('data', JSON.stringify(data));
  for (const [name, file] of files) form.set(name, file);
  return form;
}
