/** What a site is called and how its numbers are made. */
import { useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import type { Domain } from '../site/site-data.ts';
import { word } from '../words/words.ts';
import { RecordForm } from './record-form.tsx';

interface Given {
  readonly domain: Domain;
  readonly onChanged: () => void;
}

/** Fields with an endpoint of their own: what it is called there. */
const FORMS = [
  {
    path: 'domain/hostname',
    field: { name: 'hostname', label: 'hostname', kind: 'text', hint: 'hostnameChangeHint' },
  },
  {
    path: 'domain/subdomain',
    field: { name: 'subdomain', label: 'subdomain', kind: 'text', hint: 'subdomainHint' },
  },
  {
    path: 'domain/timezone',
    field: { name: 'timezone', label: 'timezone', kind: 'text', hint: 'timezoneHint' },
  },
  {
    path: 'domain/active',
    field: {
      name: 'time',
      label: 'activeSeconds',
      kind: 'number',
      shownAs: 'active_visitors_seconds',
    },
  },
  {
    path: 'domain/custom',
    field: { name: 'hostname', label: 'customHostname', kind: 'text', shownAs: 'custom_domain' },
  },
] as const;

/** Fields that are one or the other: the request turns them over. */
const SWITCHES = [
  { path: 'domain/public', field: 'public', label: 'publicDashboard' },
  { path: 'domain/title', field: 'group_by_title', label: 'groupByTitle' },
  { path: 'domain/scripts', field: 'disable_scripts', label: 'disableScripts' },
] as const;

export function General({ domain, onChanged }: Given) {
  return (
    <section class="settings-part">
      <header class="settings-head">
        <h2>{word('general')}</h2>
      </header>
      <div class="settings-forms">
        {FORMS.map(({ path, field }) => (
          <RecordForm
            key={path}
            fields={[field]}
            values={domain}
            submitWord="save"
            onSubmit={async (values) => {
              await call(`POST /api/v1/${path}` as never, {}, { domain_id: domain.id, ...values });
              onChanged();
            }}
          />
        ))}
        {SWITCHES.map(({ path, field, label }) => (
          <label class="check" key={path}>
            <input
              type="checkbox"
              checked={domain[field] === true}
              onChange={() => {
                void call(`POST /api/v1/${path}` as never, {}, { domain_id: domain.id }).then(
                  onChanged,
                );
              }}
            />
            {word(label)}
          </label>
        ))}
      </div>
    </section>
  );
}

/** Removes a site once its name was typed. */
export function Deletion({ domain, onGone }: { domain: Domain; onGone: () => void }) {
  const [typed, setTyped] = useState('');
  return (
    <section class="settings-part">
      <header class="settings-head">
        <div>
          <h2>{word('deletion')}</h2>
          <p class="hint">{word('deletionHint', { hostname: domain.hostname })}</p>
        </div>
      </header>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === domain.hostname)
            void call('DELETE /api/v1/domain', { id: domain.id }).then(onGone);
        }}
      >
        <label>
          {word('hostname')}
          <input
            class="input"
            value={typed}
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button is-danger" disabled={typed !== domain.hostname}>
          {word('deleteSite')}
        </button>
      </form>
    </section>
  );
}
