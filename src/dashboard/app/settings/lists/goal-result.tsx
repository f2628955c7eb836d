/** What a goal would have counted in the last 30 days, and whether it meets a sample path (D-19). */
import { useEffect, useId, useState } from 'preact/hooks';
import { ApiError, call } from '../../data/api.ts';
import { askAll } from '../../data/batch.ts';
import { Latest } from '../../data/latest.ts';
import { rate } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';
import type { Values } from '../forms/fields.ts';
import type { Place } from '../place.ts';
import { lastDays, TYPED_MS } from './last-days.ts';
import { text } from './records.ts';

/** What is known of the goal that stands in the form. */
interface Found {
  readonly visitors: number;
  readonly share: number;
  /** Null: no path is asked for. */
  readonly isMet: boolean | null;
}

export function GoalResult({ values, place }: { values: Values; place: Place }) {
  const [sample, setSample] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const [fault, setFault] = useState('');
  const [latest] = useState(() => new Latest());
  const id = useId();
  const [path, event] = [text(values['path_pattern']), text(values['event_name'])];
  const [key, value] = [text(values['event_meta_key']), text(values['event_meta_value'])];
  useEffect(() => {
    if (path === '' && event === '') {
      latest.cancel();
      setFound(null);
      setFault('');
      return;
    }
    const timer = setTimeout(async () => {
      try {
        const goal = { path, event, key, value, sample };
        const answer = await latest.ask((signal) => tried(goal, place, signal));
        if (answer === null) return;
        setFound(answer);
        setFault('');
      } catch (error) {
        setFound(null);
        setFault((error instanceof ApiError && error.message) || word('awayFirst'));
      }
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [path, event, key, value, sample]);
  return (
    <div class="result">
      {path !== '' && (
        <>
          <label htmlFor={id}>{say('samplePath')}</label>
          <input
            class="input"
            id={id}
            placeholder="/blog/hello"
            autocomplete="off"
            value={sample}
            onInput={(event) => setSample(event.currentTarget.value)}
          />
        </>
      )}
      <p role="status" class={fault === '' ? '' : 'fault-text'}>
        {fault}
        {found !== null && path !== '' && sample !== '' && (
          <span class={found.isMet === true ? 'is-better' : 'is-worse'}>
            {say(found.isMet === true ? 'sampleMet' : 'sampleNotMet', { sample })}{' '}
          </span>
        )}
        {found !== null &&
          say('goalResult', { visitors: found.visitors, share: rate(found.share) })}
        {found === null && fault === '' && say('goalResultFirst')}
      </p>
    </div>
  );
}

interface Typed {
  readonly path: string;
  readonly event: string;
  readonly key: string;
  readonly value: string;
  readonly sample: string;
}

async function tried(
  { path, event, key, value, sample }: Typed,
  { domain }: Place,
  signal: AbortSignal,
): Promise<Found> {
  const body = { path_pattern: path, sample };
  const met = path === '' ? null : await call('POST /api/v1/goal/regex', {}, body, signal);
  const filters = {
    ...(met?.pattern === undefined ? {} : { pattern: met.pattern }),
    ...(event === '' ? {} : { event }),
    ...(key === '' ? {} : { event_meta_key: key }),
    ...(key === '' || value === '' ? {} : { [`meta_${key}`]: value }),
  };
  const shared = { id: domain?.id, ...lastDays() };
  const questions = [{ name: 'total' as const }, { name: 'total' as const, ...filters }];
  const [all, reached] = (await askAll(shared, questions, signal)).map((result) => {
    if ('error' in result) throw result.error;
    return result.answer as { visitors: number };
  });
  const [everybody, visitors] = [all?.visitors ?? 0, reached?.visitors ?? 0];
  const share = everybody === 0 ? 0 : visitors / everybody;
  return { visitors, share, isMet: sample === '' ? null : (met?.match ?? null) };
}
