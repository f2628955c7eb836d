/** What lies over the page, by the address; loaded once somebody opens it. */
import { loaded } from '../../parts/loaded.tsx';
import { CLOSED, show, view } from '../../view/view.ts';
import type { SiteData } from '../site-data.ts';
import { PANELS } from './panels.ts';
import { tabOf } from './tab.ts';

const Credits = loaded(async () => (await import('../credits.tsx')).CreditsDialog);
const Changed = loaded(async () => (await import('../changed/what-changed.tsx')).WhatChanged);
const Sessions = loaded(async () => (await import('./all-sessions.tsx')).AllSessions);
const Course = loaded(async () => (await import('./course.tsx')).Course);
const Rows = loaded(async () => (await import('./all-rows.tsx')).AllRows);

/** By what stands before the colon; the rest are panels. */
const DIALOGS: ReadonlyMap<string, typeof Credits> = new Map([
  ['credits', Credits],
  ['changed', Changed],
  ['sessions', Sessions],
  ['session', Course],
]);

export function Over({ data }: { data: SiteData }) {
  const { open } = view.value;
  const [kind = '', ...rest] = open.split(':');
  const panel = PANELS.find(({ key }) => key === kind);
  const Dialog = panel === undefined ? DIALOGS.get(kind) : Rows;
  if (Dialog === undefined) return null;
  // Another list is another dialog.
  const key = panel === undefined ? open : `${kind} ${tabOf(panel, view.value).key}`;
  const what = panel === undefined ? rest.join(':') : kind;
  return <Dialog key={key} data={data} what={what} onClose={() => show(CLOSED)} />;
}
