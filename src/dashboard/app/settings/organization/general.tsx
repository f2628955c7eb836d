/** What an organization is called and shows, and its end (M-32, M-71). For its owner. */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, ApiError, call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { go } from '../../view/view.ts';
import { say } from '../../words/settings.ts';
import { RecordForm } from '../forms/record-form.tsx';
import { TypedName } from '../forms/typed-name.tsx';
import { PartHead } from '../part-head.tsx';
import type { OrganizationPlace } from '../place.ts';

type Theme = AnswerOf<'GET /api/v1/theme'>[number];

export function OrganizationGeneral({ organization, onChanged }: OrganizationPlace) {
  const { id } = organization;
  const [themes, setThemes] = useState<readonly Theme[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const load = async () => {
    try {
      setThemes(await call('GET /api/v1/theme', { organization_id: id }));
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
    }
  };
  useEffect(() => {
    void load();
  }, [id]);
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
