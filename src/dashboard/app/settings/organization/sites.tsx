/** The sites of an organization: looked at, put in, made there, taken out (M-32). */
import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import type { Domain } from '../../site/site-data.ts';
import { AddSite } from '../../sites/add-site.tsx';
import { say } from '../../words/settings.ts';
import { RecordForm } from '../forms/record-form.tsx';
import { mayLeave } from '../forms/unsaved.ts';
import { follow } from '../lists/record-kinds.tsx';
import { PartHead } from '../part-head.tsx';
import type { OrganizationPlace } from '../place.ts';

type Open = { readonly kind: 'put' | 'new' } | { readonly kind: 'take'; readonly site: Domain };

export function OrganizationSites({ organization, onChanged }: OrganizationPlace) {
  const [open, setOpen] = useState<Open | null>(null);
  const { id } = organization;
  // Whoever is Admin of both puts a site in; who takes one out is the owner (M-3).
  const mayPut = organization.role !== 'Viewer';
  const { found, fault, load } = useLoaded(async () => {
    const [within, all] = await Promise.all([
      call('GET /api/v1/organization/domain', { id }),
      mayPut ? call('GET /api/v1/domain', {}) : [],
    ]);
    return { sites: within, others: (all as readonly Domain[]).filter(isFree) };
  }, [id]);
  const { sites, others } = found ?? { sites: null, others: [] };
  const done = async () => {
    setOpen(null);
    await Promise.all([load(), onChanged()]);
  };
  return (
    <section class="settings-part">
      <PartHead title={say('sites')} hint={say('organizationSitesHint')}>
        {mayPut && (
          <div class="actions">
            <button type="button" class="button" onClick={() => setOpen({ kind: 'new' })}>
              {say('addSite')}
            </button>
            <button
              type="button"
              class="button is-main"
              disabled={others.length === 0}
              onClick={() => setOpen({ kind: 'put' })}
            >
              {say('organizationPut')}
            </button>
          </div>
        )}
      </PartHead>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {sites?.length === 0 && <p class="empty">{say('organizationSitesNone')}</p>}
      <ul class="records">
        {(sites ?? []).map((site) => (
          <SiteRow
            key={site.id}
            site={site}
            {...(organization.can_edit ? { onTake: () => setOpen({ kind: 'take', site }) } : {})}
          />
        ))}
      </ul>
      {open?.kind === 'new' && (
        <AddSite organizationId={id} onClose={() => setOpen(null)} onMade={() => void done()} />
      )}
      {open !== null && open.kind !== 'new' && (
        <MoveDialog {...{ open, others, id }} onClose={() => setOpen(null)} onDone={done} />
      )}
    </section>
  );
}

/** Of which the caller is Admin, and which no organization has. */
function isFree({ user_role: role, organization_id: within }: Domain): boolean {
  return role !== 'Viewer' && within === null;
}

function SiteRow({ site, onTake }: { site: Domain; onTake?: () => void }) {
  const path = `/${site.subdomain}`;
  const name = site.display_name || site.hostname;
  return (
    <li>
      <div>
        <a dir="auto" href={path} onClick={(event) => follow(event, path, '')}>
          {name}
        </a>
        <small>{say(`role${site.user_role}`)}</small>
      </div>
      {onTake !== undefined && (
        <button
          type="button"
          class="button is-plain"
          aria-label={`${say('organizationTake')}: ${name}`}
          onClick={onTake}
        >
          {say('organizationTake')}
        </button>
      )}
    </li>
  );
}

interface MoveGiven {
  readonly open: Exclude<Open, { readonly kind: 'new' }> | { readonly kind: 'put' | 'new' };
  readonly others: readonly Domain[];
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function MoveDialog({ open, others, id, onClose, onDone }: MoveGiven) {
  const shared = { onClose, mayClose: mayLeave };
  if (open.kind === 'take') {
    const { site } = open;
    return (
      <Dialog title={say('organizationTakeNamed', { name: site.hostname })} {...shared}>
        <p>{say('organizationTakeHint')}</p>
        <RecordForm
          fields={[]}
          values={{}}
          submitWord="organizationTake"
          isDanger
          onSubmit={async () => {
            await call('DELETE /api/v1/organization/domain', { id, domain_id: site.id });
            await onDone();
          }}
        />
      </Dialog>
    );
  }
  const named = others.map((site) => [site.id, site.hostname] as const);
  return (
    <Dialog title={say('organizationPut')} {...shared}>
      <RecordForm
        fields={[
          { name: 'domain_id', label: 'site', kind: 'choice', named, hint: 'organizationPutHint' },
        ]}
        values={{ domain_id: others[0]?.id }}
        submitWord="organizationPut"
        onSubmit={async (values) => {
          await call('POST /api/v1/organization/domain', {}, { id, ...values });
          await onDone();
        }}
      />
    </Dialog>
  );
}
