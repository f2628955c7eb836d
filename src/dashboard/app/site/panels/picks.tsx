/** What has to be chosen before a list has rows: an event, a key of its metadata, a tag. */
import { useEffect } from 'preact/hooks';
import { show, view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { picked, type Row, type Tab } from './tab.ts';

/** One choice: what it is called, and what it sets in the address. */
interface Choice {
  readonly label: string;
  readonly values: Readonly<Record<string, string>>;
}

/** @param rows the events, or tags, that there are; null: they are not known yet. */
export function Picks({ tab, rows }: { tab: Tab; rows: readonly Row[] | null }) {
  const of = view.value;
  const choices = choicesOf(tab, rows ?? []);
  const isChosen = ({ values }: Choice) =>
    Object.entries(values).every(([name, value]) => picked(of, name) === value);
  const chosen = choices.findIndex(isChosen);
  const first = choices[0];
  // Nothing is chosen, or what is not there any more: the first is, and the address says so.
  useEffect(() => {
    if (rows === null || chosen >= 0 || first === undefined) return;
    show({ tabs: { ...view.value.tabs, ...first.values } }, true);
  }, [rows, chosen, first?.label]);
  if (choices.length === 0) return null;
  return (
    <select
      class="input pick"
      aria-label={word(tab.pick === 'tag' ? 'tag' : 'event')}
      value={String(chosen)}
      onChange={(event) => {
        const choice = choices[Number(event.currentTarget.value)];
        if (choice !== undefined) show({ tabs: { ...view.value.tabs, ...choice.values } });
      }}
    >
      {choices.map(({ label }, at) => (
        <option key={label} value={String(at)}>
          {label}
        </option>
      ))}
    </select>
  );
}

function choicesOf(tab: Tab, rows: readonly Row[]): readonly Choice[] {
  const names = rows.map((row) => String(row[tab.pick === 'tag' ? 'key' : 'name'] ?? ''));
  switch (tab.pick) {
    case 'tag':
      return names.map((tag) => ({ label: tag, values: { tag } }));
    case 'event': {
      const all = { label: word('allEvents'), values: { event: '' } };
      return [all, ...names.map((event) => ({ label: event, values: { event } }))];
    }
    default:
      return rows.flatMap((row) => {
        const event = String(row['name'] ?? '');
        const keys = (row['meta_keys'] as readonly string[] | undefined) ?? [];
        return keys.map((key) => ({
          label: `${event} › ${key}`,
          values: { event, 'event-key': key },
        }));
      });
  }
}
