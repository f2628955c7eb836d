/** How many visitors of the last 30 days went through the steps that stand in the form (D-19). */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, ApiError, call } from '../../data/api.ts';
import { Latest } from '../../data/latest.ts';
import { rate, shortCount } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';
import type { Values } from '../forms/fields.ts';
import type { Step } from '../forms/steps-input.tsx';
import type { Place } from '../place.ts';
import { lastDays, TYPED_MS } from './last-days.ts';

type Answer = AnswerOf<'GET /api/v1/statistics/funnel'>;

export function FunnelResult({ values, place }: { values: Values; place: Place }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [fault, setFault] = useState('');
  const [latest] = useState(() => new Latest());
  const steps = values['steps'] as readonly Step[];
  const sent = JSON.stringify(steps);
  const isTyped = steps.every(({ filter }) => Object.values(filter).some((one) => one !== ''));
  useEffect(() => {
    latest.cancel();
    if (!isTyped) {
      setAnswer(null);
      setFault('');
      return;
    }
    const timer = setTimeout(async () => {
      try {
        const query = { id: place.domain?.id, steps: sent, ...lastDays() };
        const found = await latest.ask((signal) =>
          call('GET /api/v1/statistics/funnel', query, undefined, signal),
        );
        if (found === null) return;
        setAnswer(found);
        setFault('');
      } catch (error) {
        setAnswer(null);
        setFault((error instanceof ApiError && error.message) || word('awayFirst'));
      }
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [sent, isTyped]);
  return (
    <div class="result" role="status">
      <p class={fault === '' ? '' : 'fault-text'}>
        {fault || say(answer === null ? 'funnelResultFirst' : 'lastThirtyDays')}
      </p>
      <ol class="funnel">
        {(answer?.data ?? []).map((step, at) => (
          <li key={step.step}>
            <span dir="auto">
              {steps[at]?.name || say('stepName', { number: String(step.step) })}
            </span>
            <span
              class="funnel-bar"
              style={{ inlineSize: `${100 * step.relative_visitors}%` }}
              aria-hidden="true"
            />
            <span class="number">
              {shortCount(step.visitors)} <small>{rate(step.relative_visitors)}</small>
            </span>
            {step.dropped > 0 && (
              <small class="is-worse">{word('dropOff', { percent: rate(step.drop_off) })}</small>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
