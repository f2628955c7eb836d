/** Annotations as marks above the points of the chart, and the way to a new one (D-19). */
import { useState } from 'preact/hooks';
import { loaded } from '../../parts/loaded.tsx';
import { useFollowing } from '../../parts/use-following.ts';
import { holds } from '../../view/buckets.ts';
import { localOf } from '../../view/zone.ts';
import { shortCount } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { mayChange } from '../may-change.ts';
import type { SiteData } from '../site-data.ts';
import type { Note, NotesAsked } from './note-list.ts';
import { across, type Drawn, placeOf } from './plot.ts';

/** Loaded once somebody opens one. */
const NotesDialog = loaded(async () => (await import('./notes-dialog.tsx')).NotesDialog);

export function NoteButton({ data }: { data: SiteData }) {
  const [isOpen, setOpen] = useState(false);
  if (!mayChange(data.domain)) return null;
  return (
    <>
      <button type="button" class="button is-plain" onClick={() => setOpen(true)}>
        <span aria-hidden="true">+</span> {word('note')}
      </button>
      {isOpen && (
        <NotesDialog
          data={data}
          asked={{ notes: [], label: word('newNote') }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

export function Notes({ data, drawn }: { data: SiteData; drawn: Drawn }) {
  const [asked, ask] = useState<NotesAsked | null>(null);
  useFollowing(() => {
    if (data.shown.value !== null) void data.notes.load();
  });
  const marks = marksOf(data.notes.notes.value, drawn, data.domain.timezone);
  return (
    <>
      {marks.length > 0 && (
        <ul class="notes" aria-label={word('notes')}>
          {marks.map(({ index, notes }) => {
            const label = drawn.points[index]?.label ?? '';
            const texts = notes.map(({ text }) => text).join('; ');
            return (
              <li key={index} style={{ insetInlineStart: across(placeOf(index, drawn), false) }}>
                <button
                  type="button"
                  class="note"
                  title={`${label}\n${texts}`}
                  aria-label={`${label}: ${texts}`}
                  onClick={() => ask({ notes, label })}
                >
                  {notes.length > 1 ? shortCount(notes.length) : ''}
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {asked !== null && <NotesDialog data={data} asked={asked} onClose={() => ask(null)} />}
    </>
  );
}

/** Notes by the point in which they lie; those outside of the range are not shown. */
function marksOf(notes: readonly Note[], { points }: Drawn, zone: string) {
  const marks = new Map<number, Note[]>();
  for (const note of notes) {
    const local = localOf(Date.parse(note.time), zone);
    const index = points.findIndex(({ frame }) => holds(frame, local));
    if (index >= 0) marks.set(index, [...(marks.get(index) ?? []), note]);
  }
  const sorted = [...marks].toSorted(([left], [right]) => left - right);
  return sorted.map(([index, of]) => ({ index, notes: of }));
}
