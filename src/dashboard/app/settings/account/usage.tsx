/** What the sites of an account were used for, the deleted ones too (S-99). */
import { call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { count } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { PartHead } from '../part-head.tsx';

export function UsagePage() {
  const { found: rows, fault, load } = useLoaded(() => call('GET /api/v1/billing', {}), []);
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
