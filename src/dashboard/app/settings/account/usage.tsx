/** What the sites of an account were used for, the deleted ones too (S-99). */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, ApiError, call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { count } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { PartHead } from '../part-head.tsx';

type Usage = AnswerOf<'GET /api/v1/billing'>;

export function UsagePage() {
  const [rows, setRows] = useState<Usage | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const load = async () => {
    try {
      setRows(await call('GET /api/v1/billing', {}));
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
    }
  };
  useEffect(() => {
    void load();
  }, []);
  return (
    <section class="settings-part">
      <PartHead title={say('usage')} hint={say('usageHint')} />
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {rows !== null && rows.length === 0 && <p class="empty">{say('usageNone')}</p>}
      {rows !== null && rows.length > 0 && (
        <table class="plain">
          <caption class="sr-only">{say('usage')}</caption>
          <thead>
            <tr>
              <th scope="col">{say('hostname')}</th>
              <th scope="col" class="number">
                {say('usageItems')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ domain, page_views: items }) => (
              <tr key={domain.id}>
                <th scope="row" dir="auto">
                  {domain.hostname}
                </th>
                <td class="number">{count(items)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
