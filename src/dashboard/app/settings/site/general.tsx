/** What a site is called and how its numbers are made. */
import { useEffect, useRef } from 'preact/hooks';
import { asPerson, call } from '../../data/api.ts';
import { go, place } from '../../view/view.ts';
import { say } from '../../words/settings.ts';
import type { Field, Values } from '../forms/fields.ts';
import { changedElsewhere, RecordForm } from '../forms/record-form.tsx';
import { SwitchRow } from '../forms/switch-row.tsx';
import { OwnMails } from '../out/own-mails.tsx';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';

/** Fields with an endpoint of their own: what it is called there. */
const FORMS: readonly { readonly path: string; readonly field: Field }[] = [
  {
    path: 'domain/hostname',
    field: { name: 'hostname', label: 'hostname', kind: 'text', hint: 'hostnameChangeHint' },
  },
  {
    path: 'domain/subdomain',
    field: { name: 'subdomain', label: 'subdomain', kind: 'text', hint: 'subdomainHint' },
  },
  {
    path: 'domain/custom',
    field: {
      ...{ name: 'hostname', label: 'customHostname', kind: 'text', shownAs: 'custom_domain' },
      hint: 'customHostnameHint',
    },
  },
  {
    path: 'domain/timezone',
    field: { name: 'timezone', label: 'timezone', kind: 'zone', hint: 'timezoneHint' },
  },
  {
    path: 'domain/active',
    field: {
      ...{ name: 'time', label: 'activeSeconds', kind: 'number', hint: 'activeSecondsHint' },
      shownAs: 'active_visitors_seconds',
    },
  },
  {
    path: 'domain/retention',
    field: {
      ...{ name: 'days', label: 'retentionDays', kind: 'number', hint: 'retentionDaysHint' },
      shownAs: 'retention_days',
    },
  },
  {
    path: 'domain/metadata',
    field: { name: 'metadata', label: 'metadata', kind: 'json', hint: 'metadataHint' },
  },
];

/** Fields that are one or the other: the request turns them over. */
const SWITCHES = [
  { path: 'domain/public', field: 'public', label: 'publicDashboard', hint: 'publicHint' },
  { path: 'domain/title', field: 'group_by_title', label: 'groupByTitle' },
  { path: 'domain/scripts', field: 'disable_scripts', label: 'disableScripts' },
] as const;

export function General({ domain, onChanged }: SitePlace) {
  const seen = useRef<Values>(domain);
  useEffect(() => {
    seen.current = domain;
  }, [domain]);
  /** Whoever saves knows what it replaces. @throws ApiError: it is another value by now. */
  const checkSame = async ({ name, shownAs = name }: Field) => {
    const ask = () => call('GET /api/v1/domain', { id: domain.id });
    const now = (await asPerson(ask)) as Values;
    const isSame = JSON.stringify(now[shownAs]) === JSON.stringify(seen.current[shownAs]);
    seen.current = now;
    if (!isSame) throw changedElsewhere();
  };
  const send = async (path: string, values: Values = {}) => {
    await call(`POST /api/v1/${path}` as never, {}, { domain_id: domain.id, ...values });
    const { subdomain } = values;
    // The page has moved with it.
    if (typeof subdomain === 'string' && place.value.path === `/${domain.subdomain}`) {
      go(`/${subdomain.trim().toLowerCase()}`, place.value.search, true);
    }
    await onChanged();
  };
  return (
    <section class="settings-part">
      <PartHead title={say('general')} />
      <div class="settings-forms">
        {FORMS.map(({ path, field }) => (
          <RecordForm
            key={path}
            fields={[field]}
            values={domain}
            submitWord="save"
            isRow={field.kind !== 'json'}
            onSubmit={async (values) => {
              await checkSame(field);
              await send(path, values);
            }}
          />
        ))}
        {SWITCHES.map(({ path, field, label, ...more }) => (
          <SwitchRow
            key={path}
            label={label}
            {...more}
            isOn={domain[field]}
            onTurn={() => send(path)}
          />
        ))}
      </div>
    </section>
  );
}

const ADDRESSES: readonly Field[] = [
  { name: 'ip_block', label: 'ipBlock', kind: 'lines', hint: 'ipHint' },
  { name: 'ip_allow', label: 'ipAllow', kind: 'lines', hint: 'ipAllowHint' },
];

/** Whose hits are dropped, and whose are taken all the same (M-14). */
export function Addresses({ domain, onChanged }: SitePlace) {
  return (
    <section class="settings-part">
      <PartHead title={say('addresses')} hint={say('addressesHint')} />
      <div class="settings-forms">
        <RecordForm
          fields={ADDRESSES}
          values={domain.settings.filter ?? {}}
          submitWord="save"
          onSubmit={async (values) => {
            await call('POST /api/v1/domain/filter', {}, { domain_id: domain.id, ...values });
            await onChanged();
          }}
        />
      </div>
    </section>
  );
}

const NOTES = [
  { path: 'traffic/spike', field: 'traffic_spike', label: 'spike', hint: 'spikeHint' },
  { path: 'traffic/warning', field: 'traffic_warning', label: 'warning', hint: 'warningHint' },
] as const;

/** What is told of traffic: whether, and from which number on (M-52). */
export function Notifications({ domain, onChanged }: SitePlace) {
  const { settings } = domain;
  const body = { domain_id: domain.id };
  const offered = (
    <section class="settings-part">
      <PartHead title={say('notifications')} hint={say('notificationsHint')} />
      <div class="settings-forms">
        {NOTES.map(({ path, field, label, hint }) => (
          <div key={path} class="settings-forms">
            <SwitchRow
              label={label}
              isOn={settings[field] === true}
              onTurn={async () => {
                await call(`PUT /api/v1/${path}`, {}, body);
                await onChanged();
              }}
            />
            <RecordForm
              fields={[{ name: 'threshold', label: hint, kind: 'number' }]}
              values={{ threshold: settings[`${field}_threshold`] || '' }}
              submitWord="save"
              isRow
              onSubmit={async (values) => {
                await call(`POST /api/v1/${path}`, {}, { ...body, ...values });
                await onChanged();
              }}
            />
          </div>
        ))}
      </div>
    </section>
  );
  return (
    <>
      {offered}
      <OwnMails key={domain.id} domainId={domain.id} />
    </>
  );
}
