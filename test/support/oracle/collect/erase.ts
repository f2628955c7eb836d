/** The oracle's deletion of statistics: at once, row by row. */
import type { World } from '../world.ts';
import { localDate } from '../zone.ts';
import { eraseImported } from './imports.ts';

/** A deletion as it is sent; dates of the domain's time zone, both included. */
export interface Deletion {
  kind: '' | 'all' | 'events' | 'imported';
  from: string;
  to: string;
}

/** Deletes by the rows' own time; a session goes with its last row, and nothing is bound to it. */
export function erase(world: World, deletion: Deletion, zone: string): void {
  const { kind, from, to } = deletion;
  if (kind === 'imported' || kind === '') eraseImported(world, deletion);
  if (kind === 'imported') return;
  const stays = ({ timeMs }: { timeMs: number }): boolean => {
    const date = localDate(timeMs, zone);
    return date < from || date > to;
  };
  if (kind !== 'events') world.pageViews = world.pageViews.filter(stays);
  world.events = world.events.filter(stays);
  const alive = new Set([...world.pageViews, ...world.events].map(({ session }) => session));
  world.sessions = world.sessions.filter((session) => alive.has(session));
  for (const [visitor, session] of world.bound) {
    if (!alive.has(session)) world.bound.delete(visitor);
  }
}
