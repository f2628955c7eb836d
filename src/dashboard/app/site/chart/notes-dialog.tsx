/** The annotations of one point, read by everybody, changed by who may; or a new one (D-19). */
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import type { Field, Values } from '../../settings/forms/fields.ts';
import { RecordForm } from '../../settings/forms/record-form.tsx';
import { mayLeave } from '../../settings/forms/unsaved.ts';
import { dayOf, dayText } from '../../view/days.ts';
import { clockText, instantOf, localOf, minuteOf } from '../../view/zone.ts';
import { instant } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { mayChange } from '../may-change.ts';
import type { SiteData } from '../site-data.ts';
import type { Note, NotesAsked } from './note-list.ts';

interface FormGiven {
  readonly data: SiteData;
  /** Null: a new one. */
  readonly note: Note | null;
  readonly onClose: () => void;
}

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
      <Dialog title={word(isNew ? 'newNote' : 'note')} onClose={onClose} mayClose={mayLeave}>
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

function NoteForm({ data, note, onClose }: FormGiven) {
  const zone = data.domain.timezone;
  const first = localOf(note === null ? Date.now() : Date.parse(note.time), zone);
  const save = async ({ time: date, clock, text }: Values) => {
    const [day, minute] = [dayOf(String(date)), minuteOf(String(clock))];
    const isMoment = !Number.isNaN(day) && minute !== null;
    // Seconds and the second of two equal hours stay where the time was left alone.
    const isSame = note !== null && day === first.day && minute === first.minute;
    const at = isMoment ? new Date(instantOf({ day, minute }, zone)).toISOString() : '';
    await data.notes.save(note?.id ?? null, isSame ? note.time : at, String(text));
    onClose();
  };
  const values = {
    ...{ time: dayText(first.day), clock: clockText(first.minute) },
    text: note?.text ?? '',
  };
  return (
    <>
      <RecordForm fields={fieldsIn(zone)} values={values} submitWord="save" onSubmit={save} />
      {note !== null && (
        <RecordForm
          fields={[]}
          values={{}}
          submitWord="remove"
          isDanger
          onSubmit={async () => {
            await data.notes.remove(note.id);
            onClose();
          }}
        />
      )}
    </>
  );
}

function fieldsIn(zone: string): readonly Field[] {
  return [
    // As the interface calls what is wrong with either of them.
    { name: 'time', label: 'day', kind: 'date', isRequired: true },
    { name: 'clock', label: 'timeIn', labelled: { zone }, kind: 'time', isRequired: true },
    { name: 'text', label: 'noteText', kind: 'long', isRequired: true },
  ];
}
