/** The tag for pages, how it is set, and whether data arrives. */
import { useEffect, useState } from 'preact/hooks';
import { OptOut } from '../../account/opt-out.tsx';
import { type AnswerOf, type ApiError, call, faultOf } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { say } from '../../words/settings.ts';
import type { Field } from '../forms/fields.ts';
import { RecordForm } from '../forms/record-form.tsx';
import { mayLeave } from '../forms/unsaved.ts';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';
import { Snippet } from '../snippet.tsx';
import { SetupCheck } from './setup-check.tsx';

type Saved = AnswerOf<'GET /api/v1/domain/snippet'>;

const TYPES = ['page view', 'event'] as const;
const FIELDS: readonly Field[] = [
  { name: 'include', label: 'include', kind: 'text', hint: 'includeHint' },
  { name: 'exclude', label: 'exclude', kind: 'text', hint: 'excludeHint' },
  { name: 'domains', label: 'otherSites', kind: 'text', hint: 'otherSitesHint' },
  { name: 'endpoint', label: 'tagEndpoint', kind: 'url', hint: 'tagEndpointHint' },
  { name: 'dev', label: 'tagDev', kind: 'switch' },
];

export function TagPage({ domain, onChanged }: SitePlace) {
  const [type, setType] = useState<(typeof TYPES)[number]>('page view');
  const [saved, setSaved] = useState<Saved | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const load = async () => {
    try {
      setSaved(await call('GET /api/v1/domain/snippet', { domain_id: domain.id, type }));
      setFault(null);
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  useEffect(() => {
    setSaved(null);
    void load();
  }, [domain.id, domain.identification_code, type]);
  return (
    <section class="settings-part">
      <PartHead title={say('snippet')} hint={say('waitingHint')} />
      <Tabs
        label={say('snippet')}
        tabs={TYPES.map((key) => ({ key, label: say(key === 'event' ? 'tagEvents' : 'tagViews') }))}
        chosen={type}
        controls="tag-body"
        onChoose={(key) => {
          if (mayLeave()) setType(key as typeof type);
        }}
      />
      <div id="tag-body" role="tabpanel" class="settings-forms is-wide">
        {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
        {saved !== null && (
          <>
            <Snippet domain={domain} html={saved.html} />
            {type === 'page view' && <SetupCheck domain={domain} />}
            {type === 'page view' && <OptOut domain={domain} />}
            <details>
              <summary>{say('tagSettings')}</summary>
              <RecordForm
                key={type}
                fields={FIELDS}
                values={saved}
                submitWord="save"
                onSubmit={async (values) => {
                  const body = { domain_id: domain.id, type, ...values };
                  await call('POST /api/v1/domain/snippet', {}, body);
                  await load();
                }}
              />
            </details>
            <details>
              <summary>{say('newCode')}</summary>
              <p class="hint">{say('newCodeHint')}</p>
              <RecordForm
                fields={[]}
                values={{}}
                submitWord="newCode"
                isDanger
                onSubmit={async () => {
                  await call('PUT /api/v1/domain', {}, { id: domain.id });
                  await onChanged();
                }}
              />
            </details>
          </>
        )}
      </div>
    </section>
  );
}
