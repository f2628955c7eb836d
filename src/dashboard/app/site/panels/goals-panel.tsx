/** Goals with their progress, and funnels with what is lost on the way. */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, call } from '../../data/api.ts';
import type { StatisticOf } from '../../data/batch.ts';
import { Menu } from '../../parts/menu.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { withFilter } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import { rate, shortCount } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { answerOf, daysOf, type SiteData, sharedOf } from '../site-data.ts';

type GoalRow = StatisticOf<'goals'>[number];
type FunnelAnswer = StatisticOf<'funnel'>;
type Funnel = AnswerOf<'GET /api/v1/funnel'>[number];

export function GoalsPanel({ data }: { data: SiteData }) {
  const chosen = view.value.tabs['goals'] ?? 'goals';
  return (
    <section class="card panel" aria-labelledby="goals-title">
      <header class="panel-head">
        <h2 id="goals-title">{word('goals')}</h2>
        <Tabs
          label={word('goals')}
          tabs={[
            { key: 'goals', label: word('goals') },
            { key: 'funnels', label: word('funnels') },
          ]}
          chosen={chosen}
          controls="goals-body"
          onChoose={(key) => show({ tabs: { ...view.value.tabs, goals: key } }, true)}
        />
      </header>
      <div id="goals-body" role="tabpanel" class="panel-body">
        {chosen === 'funnels' ? <Funnels data={data} /> : <Goals data={data} />}
      </div>
    </section>
  );
}

function Goals({ data }: { data: SiteData }) {
  const rows = answerOf<readonly GoalRow[]>(data.shown.value, 'goals');
  if (rows === null) return null;
  if (rows.length === 0) return <p class="empty">{word('noGoals')}</p>;
  return (
    <ul class="goals">
      {rows.map(({ page_goal: goal, stats }) => (
        <li key={goal.id}>
          <button type="button" class="bar-text" onClick={() => chooseGoal(goal)}>
            {goal.name}
          </button>
          <span class="number">
            {shortCount(stats.visitors)} <small>{rate(stats.cr)}</small>
          </span>
          <Progress value={stats.visitors} target={goal.visitor_goal} label={goal.name} />
        </li>
      ))}
    </ul>
  );
}

/** Filters by what reaches a goal. */
function chooseGoal({ pattern, event_name: event }: GoalRow['page_goal']): void {
  let { filters } = view.value;
  if (pattern !== null)
    filters = withFilter(filters, { name: 'pattern', operator: '', value: pattern });
  if (event !== null) filters = withFilter(filters, { name: 'event', operator: '', value: event });
  show({ filters });
}

function Progress({
  value,
  target,
  label,
}: {
  value: number;
  target: number | null;
  label: string;
}) {
  if (target === null || target === 0) return null;
  return <progress aria-label={label} max={target} value={Math.min(value, target)} />;
}

function Funnels({ data }: { data: SiteData }) {
  const [funnels, setFunnels] = useState<readonly Funnel[] | null>(null);
  const [chosen, choose] = useState('');
  const [answer, setAnswer] = useState<FunnelAnswer | null>(null);
  const { id } = data.domain;
  useEffect(() => {
    call('GET /api/v1/funnel', { id }).then(setFunnels, () => setFunnels([]));
  }, [id]);
  const funnel = funnels?.find((one) => one.id === chosen) ?? funnels?.[0];
  const shown = data.shown.value;
  useEffect(() => {
    if (funnel === undefined || shown === null) return;
    const query = { ...sharedOf(id, shown.view), ...daysOf(shown.span), funnel_id: funnel.id };
    call('GET /api/v1/statistics/funnel', query).then(setAnswer, () => setAnswer(null));
  }, [funnel?.id, shown]);
  if (funnels === null) return null;
  if (funnel === undefined) return <p class="empty">{word('noFunnels')}</p>;
  return (
    <>
      <Menu
        label={word('funnels')}
        choices={funnels.map(({ id: key, name }) => ({
          key,
          label: name,
          isChosen: key === funnel.id,
        }))}
        onChoose={choose}
      >
        {funnel.name}
      </Menu>
      <ol class="funnel">
        {(answer?.data ?? []).map((step) => (
          <li key={step.step}>
            <span>{word('step', { number: String(step.step) })}</span>
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
    </>
  );
}
