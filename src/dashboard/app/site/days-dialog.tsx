/** The two days of a range, of a single one also its times; loaded once somebody opens it. */
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { dayOf, dayText } from '../view/days.ts';
import type { Frame, Span } from '../view/range.ts';
import { word } from '../words/words.ts';

interface Given {
  readonly title: string;
  readonly frame: Frame;
  readonly hasTimes: boolean;
  readonly onClose: () => void;
  readonly onChoose: (span: Span, fromTime: string, toTime: string) => void;
}

export function DaysDialog({ title, frame, hasTimes, onClose, onChoose }: Given) {
  const [from, setFrom] = useState(dayText(frame.from));
  const [to, setTo] = useState(dayText(frame.to));
  const [fromTime, setFromTime] = useState(frame.fromTime);
  const [toTime, setToTime] = useState(frame.toTime);
  const isOneDay = from === to;
  const isRight = !Number.isNaN(dayOf(from)) && !Number.isNaN(dayOf(to));
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const [first, last] = [dayOf(from), dayOf(to)].sort((left, right) => left - right);
          const times = isOneDay && hasTimes ? [fromTime, toTime] : ['', ''];
          if (isRight)
            onChoose({ from: first ?? 0, to: last ?? 0 }, times[0] ?? '', times[1] ?? '');
        }}
      >
        <label>
          {word('from')}
          <input
            class="input"
            type="date"
            required
            value={from}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        </label>
        <label>
          {word('to')}
          <input
            class="input"
            type="date"
            required
            value={to}
            onInput={(event) => setTo(event.currentTarget.value)}
          />
        </label>
        {isOneDay && hasTimes && (
          <>
            <label>
              {word('fromTime')}
              <input
                class="input"
                type="time"
                value={fromTime}
                onInput={(event) => setFromTime(event.currentTarget.value)}
              />
            </label>
            <label>
              {word('toTime')}
              <input
                class="input"
                type="time"
                value={toTime}
                onInput={(event) => setToTime(event.currentTarget.value)}
              />
            </label>
          </>
        )}
        <button type="submit" class="button is-main" disabled={!isRight}>
          {word('apply')}
        </button>
      </form>
    </Dialog>
  );
}
