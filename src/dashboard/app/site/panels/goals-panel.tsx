/** Goals with their progress, and funnels with what is lost on the way (D-12). */
import type { StatisticOf } from '../../data/batch.ts';
import { Fault } from '../../parts/fault.tsx';
import { RowName } from '../../parts/row-name.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { exactFilter, type Filter, withFilters } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import { count, rate, shortCount } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import {
  answerOf,
  type Domain,
  daysOf,
  type Shown,
  type SiteData,
  sharedOf,
} from '../site-data.ts';
import { usePart } from '../use-part.ts';
import { ApiLink } from './api-link.tsx';
import { Funnels } from './funnels.tsx';
import { NoneYet } from './none-yet.tsx';
import { panelQuestions } from './questions.ts';
import { picked } from './tab.ts';

type GoalRow = StatisticOf<'goals'>[number];

export function GoalsPanel({ data }: { data: SiteData }) {
  const isFunnels = picked(view.value, 'goals') === 'funnels';
  const key = isFunnels ? 'funnel' : 'goals';
  const shown = usePart(data, (one) => one === 'goals' || one === 'funnel');
  const result = shown?.results.get(key);
  const query = shown === null ? undefined : panelQuestions(shown.view).get(key);
  return (
    <section class="card panel" aria-labelledby="goals-title">
      <header class="panel-head">
        <h2 id="goals-title">{word('goals')}</h2>
        <Tabs
          label={word('goals')}
          tabs={[
            { key: '', label: word('goals') },
            { key: 'funnels', label: word('funnels') },
          ]}
          chosen={isFunnels ? 'funnels' : ''}
          controls="goals-body"
          onChoose={(tab) => show({ tabs: { ...view.value.tabs, goals: tab } }, true)}
        />
      </header>
      <div id="goals-body" role="tabpanel" class="panel-body">
        {result !== undefined && 'error' in result && (
          <Fault error={result.error} onRetry={() => data.again()} />
        )}
        {isFunnels ? <Funnels data={data} /> : <Goals shown={shown} domain={data.domain} />}
      </div>
      <footer class="panel-foot">
        <span />
        {query !== undefined && shown !== null && (
          <ApiLink
            shared={{
              ...sharedOf(data.domain.id, shown.view),
              ...daysOf(shown.span),
            }}
            query={query}
            label={word('goals')}
          />
        )}
      </footer>
    </section>
  );
}

function Goals({ shown, domain }: { shown: Shown | null; domain: Domain }) {
  const rows = answerOf<readonly GoalRow[]>(shown, 'goals');
  if (rows === null) return null;
  if (rows.length === 0) return <NoneYet domain={domain} text="noGoals" next="addGoal" />;
  return (
    <ul class="goals">
      {rows.map(({ page_goal: goal, stats }) => {
        const filters = filtersOf(goal);
        return (
          <li key={goal.id}>
            <span class="goal-name">
              <RowName
                text={goal.name}
                note={goal.path_pattern ?? goal.pattern ?? goal.event_name ?? ''}
                onChoose={filters.length === 0 ? null : (isNot) => choose(filters, isNot)}
              />
            </span>
            <span class="number">
              {shortCount(stats.visitors)} <small>{rate(stats.cr)}</small>
            </span>
            <Progress value={stats.visitors} share={stats.cr} target={goal.visitor_goal} />
          </li>
        );
      })}
    </ul>
  );
}

/** What reaches a goal, as filters. */
function filtersOf(goal: GoalRow['page_goal']): readonly Filter[] {
  const { pattern, event_name: event, event_meta_key: key, event_meta_value: value } = goal;
  const filters: Filter[] = [];
  if (event) filters.push(exactFilter('event', event, ''));
  if (event && key && value) filters.push(exactFilter(`meta_${key}`, value, ''));
  else if (event && key) filters.push(exactFilter('event_meta_key', key, ''));
  if (pattern) filters.push({ name: 'pattern', operator: '', value: pattern });
  return filters;
}

function choose(filters: readonly Filter[], isExcluded: boolean): void {
  const added = isExcluded
    ? filters.slice(0, 1).map((one): Filter => ({ ...one, operator: '!' }))
    : filters;
  show({ filters: withFilters(view.value.filters, added) });
}

/** Towards the number that was set; without one the part of all visitors. */
function Progress(given: { value: number; share: number; target: number | null }) {
  const { value, share, target } = given;
  const hasTarget = target !== null && target > 0;
  const part = hasTarget ? value / target : share;
  return (
    <>
      <span class={part >= 1 && hasTarget ? 'goal-bar is-reached' : 'goal-bar'} aria-hidden="true">
        <span style={{ inlineSize: `${100 * Math.min(1, part)}%` }} />
      </span>
      {hasTarget && (
        <small class="goal-target">
          {word('ofTarget', { percent: rate(part), target: count(target) })}
        </small>
      )}
    </>
  );
}
