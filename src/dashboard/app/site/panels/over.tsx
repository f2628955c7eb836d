/** What lies over the page, by the address; loaded once somebody opens it. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CLOSED, show, view } from '../../view/view.ts';
import type { SiteData } from '../site-data.ts';
import type { OverGiven } from './over-given.ts';
import { PANELS } from './panels.ts';
import { tabOf } from './tab.ts';

type View = ComponentType<OverGiven>;

/** By what stands before the colon; the rest are panels. */
const LOADERS: ReadonlyMap<string, () => Promise<View>> = new Map([
  ['credits', () => import('../credits.tsx').then(({ CreditsDialog }) => CreditsDialog)],
  ['changed', () => import('../changed/what-changed.tsx').then(({ WhatChanged }) => WhatChanged)],
  ['sessions', () => import('./all-sessions.tsx').then(({ AllSessions }) => AllSessions)],
  ['session', () => import('./course.tsx').then(({ Course }) => Course)],
]);

async function loadRows(): Promise<View> {
  const { AllRows } = await import('./all-rows.tsx');
  return AllRows;
}

export function Over({ data }: { data: SiteData }) {
  const { open } = view.value;
  const [kind = '', ...rest] = open.split(':');
  const [loaded, setLoaded] = useState<{ kind: string; View: View } | null>(null);
  const isPanel = PANELS.some(({ key }) => key === kind);
  useEffect(() => {
    const load = LOADERS.get(kind) ?? (isPanel ? loadRows : undefined);
    void load?.().then((View) => setLoaded({ kind, View }));
  }, [kind]);
  if (kind === '' || loaded?.kind !== kind) return null;
  const panel = PANELS.find(({ key }) => key === kind);
  // Another list is another dialog.
  const key = panel === undefined ? open : `${kind} ${tabOf(panel, view.value).key}`;
  const what = panel === undefined ? rest.join(':') : kind;
  return <loaded.View key={key} data={data} what={what} onClose={() => show(CLOSED)} />;
}
