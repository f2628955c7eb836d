// Goal: what the benchmark of a view asks is what the page asks (D-14).
// Method: the questions of the page itself, of the view that is opened first.
import { expect, test, vi } from 'vitest';
import { viewQuestions } from '../../bench/harness/data/dashboard-view.ts';
import { dayOf } from '../../src/dashboard/app/view/days.ts';
import { wholeDays } from '../../src/dashboard/app/view/frame.ts';
import type { View } from '../../src/dashboard/app/view/view.ts';

// The page's words are in the language of its reader.
vi.stubGlobal('navigator', { language: 'en' });
const { chartQuestions } = await import('../../src/dashboard/app/site/chart/questions.ts');
const { panelQuestions } = await import('../../src/dashboard/app/site/panels/questions.ts');

const RANGE = { from: '2026-08-25', to: '2026-11-22' };
const BEFORE = { from: '2026-05-27', to: '2026-08-24' };

const frameOf = ({ from, to }: typeof RANGE) => wholeDays({ from: dayOf(from), to: dayOf(to) });

test.each([false, true])('a view with a comparison: %s', (isCompared) => {
  const view = { metric: 'visitors', filters: [], tabs: {} } as unknown as View;
  const frame = frameOf(RANGE);
  const before = frameOf(BEFORE);
  const frames = {
    ...{ frame, focus: frame, before, compared: isCompared ? before : null },
    ...{ scale: 'day' as const, now: { day: dayOf('2026-11-22'), minute: 700 } },
  };
  const asked = new Map([...chartQuestions(view, frames as never, null), ...panelQuestions(view)]);
  const told = (questions: Iterable<object>) =>
    [...questions]
      // An empty parameter is none (F-7).
      .map((question) => Object.entries(question).filter(([, value]) => value !== ''))
      .map((entries) => JSON.stringify(entries.sort()))
      .sort();
  expect(told(viewQuestions(RANGE, BEFORE, isCompared))).toEqual(told(asked.values()));
});
