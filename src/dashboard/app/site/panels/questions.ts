/** What the panels of a view ask in its batch. */
import type { Query } from '../../data/batch.ts';
import type { View } from '../../view/view.ts';
import { PANELS } from './panels.ts';
import { LIST_ROWS_MAX, picked, type Tab, tabOf } from './tab.ts';

/** Rows of a panel. */
export const PANEL_ROWS = 10;
const SESSION_ROWS = 10;

/** What all questions about a tab have in common; null: something has to be picked first. */
export function questionOf(tab: Tab, of: View): Query | null {
  const parameters = tab.parametersOf(of);
  return parameters === null ? null : { name: tab.statistic, ...parameters };
}

/** The questions of all panels, by their key among the results. */
export function panelQuestions(of: View): ReadonlyMap<string, Query> {
  const questions = new Map<string, Query>();
  for (const panel of PANELS) {
    const tab = tabOf(panel, of);
    const question = questionOf(tab, of);
    // One more where one may be left out.
    const limit = tab.leavesOutNone === true ? PANEL_ROWS + 1 : PANEL_ROWS;
    if (question !== null) questions.set(panel.key, { ...question, limit });
    // What can be picked has to be known.
    if (tab.pick !== undefined) {
      const name = tab.pick === 'tag' ? 'tags' : 'events';
      questions.set(`${panel.key} picks`, { name, limit: LIST_ROWS_MAX });
    }
    if (panel.key === 'places' && tab.key === 'map')
      questions.set('map', { name: 'country', limit: LIST_ROWS_MAX });
    if (panel.key === 'places' && tab.key === 'map')
      questions.set('map rest', { name: 'country', limit: LIST_ROWS_MAX, offset: LIST_ROWS_MAX });
  }
  if (picked(of, 'goals') === 'funnels') {
    const funnel = picked(of, 'funnel');
    if (funnel !== '') questions.set('funnel', { name: 'funnel', funnel_id: funnel });
  } else questions.set('goals', { name: 'goals' });
  if (picked(of, 'sessions') === 'hours') questions.set('hours', { name: 'hours/week' });
  else {
    questions.set('sessions', {
      ...{ name: 'session/list', limit: SESSION_ROWS },
      ...{ sort: 'start', direction: 'desc' },
    });
  }
  return questions;
}
