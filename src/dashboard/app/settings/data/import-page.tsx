/** The history of a site from another product (P-1 to P-4): a file, its days, and what became of it. */
import { call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { say } from '../../words/settings.ts';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';
import { type ImportJob, ImportJobs, isMoving, isOpen } from './import-jobs.tsx';
import { Keywords } from './keywords.tsx';
import { NewImport } from './new-import.tsx';
import { useJobs } from './use-jobs.ts';

export function ImportPage({ domain, onChanged }: SitePlace) {
  const { id } = domain;
  const { found, fault, load } = useJobs<ImportJob>(
    {
      ask: (signal) => call('GET /api/v1/external/import', { domain_id: id }, undefined, signal),
      isMoving,
      // From when on there are numbers is different then.
      onSettled: () => void onChanged(),
    },
    [id],
  );
  return (
    <>
      <section class="settings-part">
        <PartHead title={say('imports')} hint={say('importsHint')} />
        {fault !== null && found === null && <Fault error={fault} onRetry={() => void load()} />}
        {found !== null && (
          <>
            <h3>{say('importedNow')}</h3>
            {found.length === 0 ? (
              <p class="hint">{say('importsNone')}</p>
            ) : (
              <ImportJobs domainId={id} jobs={found} onDone={load} />
            )}
            {domain.imported_statistics && <p class="hint">{say('importedSums')}</p>}
            <h3>{say('importNew')}</h3>
            <NewImport key={id} domainId={id} isBusy={found.some(isOpen)} onStarted={load} />
          </>
        )}
      </section>
      <Keywords key={id} domainId={id} />
    </>
  );
}
