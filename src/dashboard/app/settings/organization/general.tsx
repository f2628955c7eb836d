/** What an organization is called and shows, and its end (M-32, M-71). For its owner. */
import { call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { go } from '../../view/view.ts';
import { say } from '../../words/settings.ts';
import { RecordForm } from '../forms/record-form.tsx';
import { TypedName } from '../forms/typed-name.tsx';
import { PartHead } from '../part-head.tsx';
import type { OrganizationPlace } from '../place.ts';

export function OrganizationGeneral({ organization, onChanged }: OrganizationPlace) {
  const { id } = organization;
  const asked = () => call('GET /api/v1/theme', { organization_id: id });
  const { found: themes, fault, load } = useLoaded(asked, [id]);
  return (
    <section class="settings-part">
      <PartHead title={say('general')} />
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      <div class="settings-forms">
        <RecordForm
          fields={[{ name: 'name', label: 'name', kind: 'text', isRequired: true }]}
          values={{ name: organization.name }}
          submitWord="save"
          isRow
          onSubmit={async (values) => {
            await call('PUT /api/v1/organization', {}, { id, ...values });
            await onChanged();
          }}
        />
        {themes !== null && (
          <RecordForm
            fields={[
              {
                ...{ name: 'theme_id', label: 'organizationTheme', kind: 'choice' },
                ...{ choices: [['', 'themeNone']], hint: 'organizationThemeHint' },
                named: themes.map((theme) => [theme.id, theme.name] as const),
              },
            ]}
            values={{ theme_id: themes.find(({ is_default: isDefault }) => isDefault)?.id ?? '' }}
            submitWord="save"
            isRow
            onSubmit={async (values) => {
              await call('PUT /api/v1/organization/theme', {}, { organization_id: id, ...values });
              await load();
            }}
          />
        )}
      </div>
    </section>
  );
}

/** Removes an organization once its name was typed; its sites stay, unless they are to go too. */
export function OrganizationDeletion({ organization }: OrganizationPlace) {
  const { id, name } = organization;
  return (
    <section class="settings-part">
      <PartHead title={say('deletion')} hint={say('organizationDeletionHint')} />
      <div class="settings-forms">
        <TypedName
          name={name}
          hint={say('typeName', { name })}
          submitWord="organizationDelete"
          fields={[
            {
              ...{ name: 'delete_domains', label: 'organizationDeleteSites', kind: 'switch' },
              hint: 'organizationDeleteSitesHint',
            },
          ]}
          onSure={async (values) => {
            await call('DELETE /api/v1/organization', { id, ...values });
            go('/', '?settings=organizations');
          }}
        />
      </div>
    </section>
  );
}
