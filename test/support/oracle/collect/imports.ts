/** The oracle's imports (S-98): lists of sums, taken and shown at once. */
import type { ModelSum, World } from '../world.ts';

/** What is told of an import. */
export type ImportAction = { id: string } & (
  | { kind: 'add'; sums: readonly ModelSum[] }
  | { kind: 'show'; from: string; to: string }
  | { kind: 'take-back' }
);

/** Carries an action out. */
export function importSums(world: World, action: ImportAction): void {
  const { id } = action;
  if (action.kind === 'take-back') {
    world.imported = world.imported.filter((sum) => sum.id !== id);
    world.shown.delete(id);
    return;
  }
  if (action.kind === 'add') {
    for (const sum of action.sums) world.imported.push({ id, ...sum });
    return;
  }
  const { from, to } = action;
  // Its own days, and all others of other imports.
  world.imported = world.imported.filter(({ id: other, date }) => {
    const isWithin = date >= from && date <= to;
    return other === id ? isWithin : !isWithin;
  });
  if (world.imported.some((sum) => sum.id === id)) world.shown.add(id);
  forgetEmpty(world);
}

/** days of all imports go. */
export function eraseImported(world: World, { from, to }: { from: string; to: string }): void {
  world.imported = world.imported.filter(({ date }) => date < from || date > to);
  forgetEmpty(world);
}

/** One that was shown and has nothing left is none; the same id may come again. */
function forgetEmpty(world: World): void {
  const left = new Set(world.imported.map(({ id }) => id));
  for (const id of world.shown) if (!left.has(id)) world.shown.delete(id);
}
