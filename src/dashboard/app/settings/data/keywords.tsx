/** What people searched before they came, as a search console has exported it (P-4). */
import { useState } from 'preact/hooks';
import { faultText } from '../../account/fault-text.ts';
import { call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { dayOf } from '../../view/days.ts';
import { days } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { PartHead } from '../part-head.tsx';
import { FileDrop } from './file-drop.tsx';
import { Sure } from './sure.tsx';

/** Bytes that the service takes of such a table. */
const TABLE_BYTES_MAX = 4 * 1_024 ** 2;

export function Keywords({ domainId }: { domainId: string }) {
  const ask = (signal: AbortSignal) =>
    call('GET /api/v1/external/keywords', { domain_id: domainId }, undefined, signal);
  const { found, fault, load } = useLoaded(ask, [domainId]);
  const [isSending, setSending] = useState(false);
  const [wrong, setWrong] = useState('');
  const [came, setCame] = useState<number | null>(null);
  const [isAsked, setAsked] = useState(false);
  const send = async ([file, ...more]: readonly File[]) => {
    setCame(null);
    setWrong('');
    if (file === undefined) return;
    if (more.length > 0) return setWrong(say('keywordsOneFile'));
    if (file.size > TABLE_BYTES_MAX) return setWrong(say('keywordsLargeFile'));
    setSending(true);
    try {
      const query = { domain_id: domainId };
      const answer = await call('POST /api/v1/external/keywords', query, file);
      setCame(answer.rows_imported);
      await load();
    } catch (error) {
      setWrong(faultText(error));
    }
    setSending(false);
  };
  const rows = found?.rows ?? 0;
  return (
    <section class="settings-part">
      <PartHead title={say('keywordsPart')} hint={say('keywordsHint')} />
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {found !== null && <p>{rows === 0 ? say('keywordsNone') : storedText(rows, found)}</p>}
      <div class="settings-forms">
        <FileDrop
          label={say('keywordsFile')}
          hint={say('keywordsFileHint')}
          fault={wrong}
          accept=".csv,text/csv"
          isOff={isSending}
          onChoose={(files) => void send(files)}
        />
        <p class="hint" role="status">
          {came !== null && say('keywordsCame', { rows: came })}
        </p>
        {rows > 0 && (
          <div>
            <button type="button" class="button" onClick={() => setAsked(true)}>
              {say('keywordsRemove')}
            </button>
          </div>
        )}
      </div>
      {isAsked && (
        <Sure
          title={say('keywordsRemoveAsk')}
          hint={say('keywordsRemoveHint')}
          submitWord="remove"
          onSure={async () => {
            await call('DELETE /api/v1/external/keywords', { domain_id: domainId });
            setCame(null);
            await load();
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  );
}

function storedText(
  rows: number,
  { from, to }: { from: string | null; to: string | null },
): string {
  const span = days({ from: dayOf(from ?? ''), to: dayOf(to ?? '') });
  return say('keywordsStored', { rows, days: span });
}
