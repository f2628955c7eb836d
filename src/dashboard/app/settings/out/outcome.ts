/** What came of an attempt to tell a webhook something, in words. */
import { language } from '../../words/language.ts';
import { say } from '../../words/settings.ts';

/** As the interface tells it. */
export interface Outcome {
  /** Null: nothing answered. */
  readonly status: number | null;
  /** '' when it was taken. */
  readonly error: string;
  readonly duration_ms: number;
}

const duration = new Intl.NumberFormat(language, {
  ...{ style: 'unit', unit: 'millisecond', unitDisplay: 'short' },
});

/** `Taken: 200 in 12 ms`, or what was wrong. */
export function outcomeText({ status, error, duration_ms: ms }: Outcome): string {
  const time = duration.format(ms);
  return error === ''
    ? say('deliveryTaken', { status: String(status), time })
    : say('deliveryFailed', { error, time });
}
