/** The annotations of one point, read by everybody, changed by who may; or a new one (D-19). */
import { useState } from 'preact/hooks';
import { ApiError } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { faultText } from '../../parts/fault.tsx';
import { dayOf, dayText } from '../../view/days.ts';
import { clockText, instantOf, localOf, minuteOf } from '../../view/zone.ts';
import { instant } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { mayChange } from '../may-change.ts';
import type { SiteData } from '../site-data.ts';
import type { Note, NotesAsked } from './note-list.ts';

interface Given {
  readonly data: SiteData;
  readonly asked: NotesAsked;
  readonly onClose: () => void;
}

export function NotesDialog({ data, asked, onClose }: Given) {
  const [edited, edit] = useState<Note | null>(null);
  const { timezone } = data.domain;
  const isNew = asked.notes.length === 0;
  if (isNew || edited !== null) {
    return (
      <Dialog title={word(isNew ? 'newNote' : 'note')} onClose={onClose}>
        <NoteForm data={data} note={edited} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={asked.label} onClose={onClose}>
      <ul class="note-list">
        {asked.notes.map((note) => (
          <li key={note.id}>
            <time dateTime={note.time}>{instant(Date.parse(note.time), timezone)}</time>
            <p dir="auto">{note.text}</p>
            {mayChange(data.domain) && (
              <button type="button" class="button" onClick={() => edit(note)}>
                {word('change')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function NoteForm({
  data,
  note,
  onClose,
}: Pick<Given, 'data' | 'onClose'> & { note: Note | null }) {
  const zone = data.domain.timezone;
  const first = localOf(note === null ? Date.now() : Date.parse(note.time), zone);
  const [date, setDate] = useState(dayText(first.day));
  const [clock, setClock] = useState(clockText(first.minute));
  const [text, setText] = useState(note?.text ?? '');
  const [fault, setFault] = useState('');
  const act = async (run: () => Promise<void>) => {
    try {
      await run();
      onClose();
    } catch (error) {
      setFault(faultText(error instanceof ApiError ? error : new ApiError(0, '')));
    }
  };
  const save = () => {
    const [day, minute] = [dayOf(date), minuteOf(clock)];
    if (Number.isNaN(day) || minute === null) return;
    // Seconds and the second of two equal hours stay where the time was left alone.
    const isSame = note !== null && day === first.day && minute === first.minute;
    const time = isSame ? note.time : new Date(instantOf({ day, minute }, zone)).toISOString();
    void act(() => data.notes.save(note?.id ?? null, time, text));
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label>
        {word('day')}
        <input
          class="input"
          type="date"
          required
          value={date}
          onInput={(event) => setDate(event.currentTarget.value)}
        />
      </label>
      <label>
        {word('timeIn', { zone })}
        <input
          class="input"
          type="time"
          required
          value={clock}
          onInput={(event) => setClock(event.currentTarget.value)}
        />
      </label>
      <label>
        {word('noteText')}
        <textarea
          class="input"
          required
          rows={3}
          dir="auto"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {fault !== '' && (
        <p class="fault-text" role="alert">
          {fault}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button is-main">
          {word('save')}
        </button>
        {note !== null && (
          <button
            type="button"
            class="button"
            onClick={() => void act(() => data.notes.remove(note.id))}
          >
            {word('remove')}
          </button>
        )}
      </div>
    </form>
  );
}
