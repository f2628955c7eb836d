/**
 * A registry without a disk, for models that change it a hundred thousand times: the view, the
 * checks and the effects are the real ones, and a change is made when its turn comes, as in a
 * registry that several nodes share.
 */
import type { Change } from '../../src/control/descriptor/resource.ts';
import { checkChange, effectOf, secretsCreated } from '../../src/control/registry/changes.ts';
import type { Decide, Registry, Stamp } from '../../src/control/registry/registry.ts';
import { RegistryView } from '../../src/control/registry/view.ts';

/** What of a registry jobs and queues use. */
export type MemoryRegistry = Pick<Registry, 'change' | 'keepUp' | 'sequence' | 'tokenKey' | 'view'>;

/** @param onChange told of every record that is appended. */
export function memoryRegistry(
  onChange: (changes: readonly Change[]) => void = () => {},
): Registry {
  const view = new RegistryView();
  const keys = { visitorKey: '00'.repeat(32), tokenKey: '11'.repeat(32) };
  view.apply(effectOf(secretsCreated({ id: 'secrets', ...keys })));
  let sequence = 1;
  let turn: Promise<unknown> = Promise.resolve();
  const carryOut = ({ nowMs }: Stamp, decide: Decide): readonly Change[] => {
    const changes = decide(view, nowMs);
    for (const change of changes) {
      checkChange(change, view);
      view.apply(effectOf(change));
    }
    if (changes.length > 0) sequence++;
    onChange(changes);
    return changes;
  };
  const registry: MemoryRegistry = {
    view,
    tokenKey: new Uint8Array(Buffer.from(keys.tokenKey, 'hex')),
    get sequence() {
      return sequence;
    },
    keepUp() {},
    change(stamp, decide) {
      const made = turn.then(() => carryOut(stamp, decide));
      turn = made.catch(() => {});
      return made;
    },
  };
  return registry as Registry;
}
