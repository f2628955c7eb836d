/**
 * What jobs that look again and again have in common: the few records of many that a look is about,
 * and that a fault of one domain keeps no other from being looked at.
 *
 * Control plane.
 */

/** Some records of a table, found anew when any of the table has changed. */
export class Watched<Of> {
  readonly #find: () => readonly Of[];
  #revision = -1;
  #found: readonly Of[] = [];

  constructor(find: () => readonly Of[]) {
    this.#find = find;
  }

  /** @param revision of the table, as the registry has it. */
  at(revision: number): readonly Of[] {
    if (revision !== this.#revision) this.#found = this.#find();
    this.#revision = revision;
    return this.#found;
  }
}

/**
 * Looks at all of them, one after the other. Rejects with the first fault once all were looked at.
 */
export async function forEach<Of>(
  all: Iterable<Of>,
  look: (one: Of) => Promise<void>,
): Promise<void> {
  const faults: unknown[] = [];
  for (const one of all) {
    await look(one).catch((error: unknown) => {
      faults.push(error);
    });
  }
  if (faults.length > 0) throw faults[0];
}
