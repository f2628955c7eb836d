/** One funnel, drawn: how many come as far as each step, and what is lost between them (D-12). */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, type ApiError, call, faultOf } from '../../data/api.ts';
import type { StatisticOf } from '../../data/batch.ts';
import { Fault } from '../../parts/fault.tsx';
import { show, view } from '../../view/view.ts';
import { count, rate } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { answerOf, type SiteData } from '../site-data.ts';
import { usePart } from '../use-part.ts';
import { NoneYet } from './none-yet.tsx';
import { picked } from './tab.ts';

type FunnelAnswer = StatisticOf<'funnel'>;
type Funnel = AnswerOf<'GET /api/v1/funnel'>[number];

export function Funnels({ data }: { data: SiteData }) {
  const [funnels, setFunnels] = useState<readonly Funnel[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const { id } = data.domain;
  const load = () => {
    call('GET /api/v1/funnel', { id }).then(
      (answer) => {
        setFunnels(answer);
        setFault(null);
      },
      (error: unknown) => setFault(faultOf(error)),
    );
  };
  useEffect(load, [id]);
  const chosen = picked(view.value, 'funnel');
  const first = funnels?.[0]?.id;
  const isKnown = funnels?.some((funnel) => funnel.id === chosen) === true;
  useEffect(() => {
    if (isKnown || first === undefined) return;
    show({ tabs: { ...view.value.tabs, funnel: first } }, true);
  }, [isKnown, first]);
  const answer = answerOf<FunnelAnswer>(
    usePart(data, (key) => key === 'funnel'),
    'funnel',
  );
  if (fault !== null) return <Fault error={fault} onRetry={load} />;
  if (funnels === null) return null;
  if (funnels.length === 0) {
    return <NoneYet domain={data.domain} text="noFunnels" next="addFunnel" />;
  }
  return (
    <>
      <select
        class="input pick"
        aria-label={word('funnel')}
        value={chosen}
        onChange={(event) =>
          show({ tabs: { ...view.value.tabs, funnel: event.currentTarget.value } })
        }
      >
        {funnels.map(({ id: key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
      {answer !== null && answer.definition.id === chosen && <Drawn answer={answer} />}
    </>
  );
}

function Drawn({ answer }: { answer: FunnelAnswer }) {
  const { definition, data } = answer;
  return (
    <ol class="funnel">
      {data.map((step, at) => (
        <li key={step.step}>
          {at > 0 && (
            <span class="funnel-loss">
              <span aria-hidden="true">↓ </span>
              {word('lost', { count: step.dropped, percent: rate(step.drop_off) })}
            </span>
          )}
          <span class="funnel-step">
            <bdi>{definition.steps[at]?.name || word('step', { number: String(step.step) })}</bdi>
            <span class="number">
              {count(step.visitors)} <small>{rate(step.relative_visitors)}</small>
            </span>
          </span>
          <span class="funnel-bar" aria-hidden="true">
            <span style={{ inlineSize: `${100 * step.relative_visitors}%` }} />
          </span>
        </li>
      ))}
    </ol>
  );
}
