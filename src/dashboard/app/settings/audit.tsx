/** Who changed what of a site, the newest first (M-8). */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, ApiError, call } from '../data/api.ts';
import { Fault } from '../parts/fault.tsx';
import type { Domain } from '../site/site-data.ts';
import { language, word } from '../words/words.ts';

type Entry = AnswerOf<'GET /api/v1/audit'>[number];

const PAGE = 50;

export function Audit({ domain }: { domain: Domain }) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [hasMore, setMore] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const load = async (offset: number) => {
    try {
      const found = await call('GET /api/v1/audit', { domain_id: domain.id, offset, limit: PAGE });
      setEntries(offset === 0 ? found : [...entries, ...found]);
      setMore(found.length === PAGE);
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
    }
  };
  useEffect(() => {
    void load(0);
  }, [domain.id]);
  return (
    <section class="settings-part">
      <header class="settings-head">
        <h2>{word('audit')}</h2>
      </header>
      {fault !== null && <Fault error={fault} onRetry={() => void load(entries.length)} />}
      <ul class="records">
        {entries.map((entry, index) => {
          const { time, ...more } = entry as Record<string, unknown>;
          return (
            <li key={index}>
              <time dateTime={String(time)}>{moment.format(Date.parse(String(time)))}</time>
              <small class="audit-text">{JSON.stringify(more)}</small>
            </li>
          );
        })}
      </ul>
      {hasMore && (
        <button type="button" class="button" onClick={() => void load(entries.length)}>
          {word('more')}
        </button>
      )}
    </section>
  );
}
