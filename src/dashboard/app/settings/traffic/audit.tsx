/** Who changed what of a site or an organization, the newest first (M-8). */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, type ApiError, call, faultOf } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { language } from '../../words/language.ts';
import { say } from '../../words/settings.ts';
import { PartHead } from '../part-head.tsx';
import type { Place } from '../place.ts';
import { callerText, fieldText, kindText, valueText } from './audit-words.ts';

type Entry = AnswerOf<'GET /api/v1/audit'>[number];

const PAGE = 50;
const ACTIONS = {
  created: 'auditCreated',
  changed: 'auditChanged',
  deleted: 'auditDeleted',
} as const;

export function Audit({ domain, organization }: Place) {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [hasMore, setMore] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  const known = entries ?? [];
  const load = async (offset: number) => {
    try {
      const of = domain === null ? { organization_id: organization?.id } : { domain_id: domain.id };
      const found = await call('GET /api/v1/audit', { ...of, offset, limit: PAGE });
      setEntries(offset === 0 ? found : [...known, ...found]);
      setMore(found.length === PAGE);
      setFault(null);
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  useEffect(() => {
    void load(0);
  }, [domain?.id, organization?.id]);
  return (
    <section class="settings-part">
      <PartHead title={say('audit')} hint={say('auditHint')} />
      {fault !== null && <Fault error={fault} onRetry={() => void load(known.length)} />}
      {entries?.length === 0 && <p class="empty">{say('auditNone')}</p>}
      <ul class="records">
        {known.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" class="button" onClick={() => void load(known.length)}>
          {say('auditMore')}
        </button>
      )}
    </section>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { time, caller, action, object, changes } = entry;
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <li>
      <div>
        <span dir="auto">
          <strong>{callerText(caller)}</strong>{' '}
          {say(ACTIONS[action], {
            object: [kindText(object.kind), object.name].filter(Boolean).join(' '),
          })}
        </span>
        {action === 'changed' ? (
          <Changes changes={changes} />
        ) : (
          <details>
            <summary>{say('auditDetails')}</summary>
            <Changes changes={changes} />
          </details>
        )}
      </div>
      <time dateTime={time} class="hint">
        {moment.format(Date.parse(time))}
      </time>
    </li>
  );
}

function Changes({ changes }: Pick<Entry, 'changes'>) {
  return (
    <>
      {Object.entries(changes).map(([field, { from, to }]) => (
        <small key={field} dir="auto">
          {fieldText(field)}: {valueText(field, from)} → {valueText(field, to)}
        </small>
      ))}
    </>
  );
}
