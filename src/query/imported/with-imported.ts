/**
 * Lists with what imports add to them (S-98): groups of both sides that have the same texts are one.
 *
 * Control plane. Without imported rows the groups are those that were counted, and nothing is looked at.
 */

type Reader<Value> = (group: number) => Value;

/** Groups with their texts and counts, before rates are taken. */
export interface CountedGroups<Text extends string, Count extends string> {
  /** Numbers of the groups that are rows of the list. */
  readonly present: Uint32Array;
  readonly texts: Readonly<Record<Text, Reader<string>>>;
  readonly counts: Readonly<Record<Count, Reader<number>>>;
}

/** What imports have of one group. */
export interface ImportedGroup<Text extends string, Count extends string> {
  /** Of a group of its own the texts that are missing are ''. */
  readonly texts: Readonly<Partial<Record<Text, string>>>;
  readonly counts: Readonly<Record<Count, number>>;
}

/**
 * Adds imported groups to those that were counted.
 *
 * @param keys the texts that a group is told apart by.
 */
export function withImported<Text extends string, Count extends string>(
  counted: CountedGroups<Text, Count>,
  imported: readonly ImportedGroup<Text, Count>[],
  keys: readonly Text[],
): CountedGroups<Text, Count> {
  if (imported.length === 0) return counted;
  const { present, texts, counts } = counted;
  // Numbers from here on are places in `imported`.
  let first = 0;
  const known = new Map<string, number>();
  for (const group of present) {
    first = Math.max(first, group + 1);
    known.set(keys.map((key) => texts[key](group)).join('\0'), group);
  }
  const added = new Map<number, ImportedGroup<Text, Count>>();
  const own: number[] = [];
  for (const [place, row] of imported.entries()) {
    const group = known.get(keys.map((key) => row.texts[key] ?? '').join('\0'));
    if (group === undefined) own.push(first + place);
    else added.set(group, row);
  }
  const all = new Uint32Array(present.length + own.length);
  all.set(present);
  all.set(own, present.length);
  return {
    present: all,
    texts: mapped(texts, (read, name) => (group) => {
      return group < first ? read(group) : (imported[group - first]?.texts[name] ?? '');
    }),
    counts: mapped(counts, (read, name) => (group) => {
      if (group >= first) return imported[group - first]?.counts[name] ?? 0;
      return read(group) + (added.get(group)?.counts[name] ?? 0);
    }),
  };
}

function mapped<Name extends string, Value>(
  readers: Readonly<Record<Name, Value>>,
  change: (value: Value, name: Name) => Value,
): Record<Name, Value> {
  const entries = Object.entries(readers) as [Name, Value][];
  return Object.fromEntries(entries.map(([name, read]) => [name, change(read, name)])) as Record<
    Name,
    Value
  >;
}
