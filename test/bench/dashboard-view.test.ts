// Goal: what the benchmark of a view asks is what the page asks (D-14).
// Method: the questions of the page itself, of the view that is opened first.
import { expect, test, vi } from 'vitest';
import { viewQuestions } from '../../bench/harness/data/dashboard-view.ts';

// The page's words are in the language of its reader.
vi.stubGlobal('navigator', { language: 'en' });

interface Part {
  dayOf(text: string): unknown;
  wholeDays(span: object): unknown;
  chartQuestions(...given: unknown[]): Iterable<[string, object]>;
  panelQuestions(view: object): Iterable<[string, object]>;
}

/** A part of the page. By a name that is known only here: it is typed with browsers' types, tests are not. */
const page = (name: string): Promise<Part> =>
  import(/* @vite-ignore */ new URL(`../../src/dashboard/app/${name}.ts`, import.meta.url).href);
const { dayOf } = await page('view/days');
const { wholeDays } = await page('view/frame');
const { chartQuestions } = await page('site/chart/questions');
const { panelQuestions } = await page('site/panels/questions');

const RANGE = { from: '2026-08-25', to: '2026-11-22' };
const BEFORE = { from: '2026-05-27', to: '2026-08-24' };

const frameOf = ({ from, to }: typeof RANGE) => wholeDays({ from: dayOf(from), to: dayOf(to) });

test.each([false, true])('a view with a comparison: %s', (isCompared) => {
  const view = { metric: 'visitors', filters: [], tabs: {} };
  const frame = frameOf(RANGE);
  const before = frameOf(BEFORE);
  const frames = {
    ...{ frame, focus: frame, before, compared: isCompared ? before : null },
    ...{ scale: 'day' as const, now: { day: dayOf('2026-11-22'), minute: 700 } },
  };
  const asked = new Map([...chartQuestions(view, frames, null), ...panelQuestions(view)]);
  const told = (questions: Iterable<object>) =>
    [...questions]
      // An empty parameter is none (F-7).
      .map((question) => Object.entries(question).filter(([, value]) => value !== ''))
      .map((entries) => JSON.stringify(entries.sort()))
      .sort();
  expect(told(viewQuestions(RANGE, BEFORE, isCompared))).toEqual(told(asked.values()));
});
