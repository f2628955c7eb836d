/**
 * What a webhook was told (O-13): its last attempts with what the receiver answered, a sample to try it
 * with, and a way to send one again.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { faultText } from '../../account/fault-text.ts';
import { type AnswerOf, ApiError, call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { language } from '../../words/language.ts';
import { say } from '../../words/settings.ts';
import { type Outcome, outcomeText } from './outcome.ts';

type Attempt = AnswerOf<'GET /api/v1/webhook/delivery'>[number];

/** So many are shown at first: what people look for is nearly always among them. */
const FIRST_COUNT = 20;
/** What is sent again is looked for so often, and so long apart: a receiver has ten seconds. */
const LOOK_COUNT = 12;
const LOOK_MS = 1_000;

export function Deliveries({ id }: { id: string }) {
  const { attempts, fault, load } = useAttempts(id);
  const [shownCount, setShownCount] = useState(FIRST_COUNT);
  const [told, setTold] = useState('');
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  const trying = useRef(false);
  /** One at a time, and what becomes of it is said aloud. */
  const tell = async (work: () => Promise<string>) => {
    if (trying.current) return;
    trying.current = true;
    setTold(say('deliverySending'));
    const text = await work().catch((error: unknown) => faultText(error));
    trying.current = false;
    if (isHere.current) setTold(text);
  };
  const again = async ({ id: attemptId, entry_id: entryId }: Attempt) => {
    const newest = attempts?.find((one) => one.entry_id === entryId)?.id;
    await call('POST /api/v1/webhook/delivery', {}, { id: attemptId });
    for (let look = 0; look < LOOK_COUNT && isHere.current; look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const found = (await load())?.find((one) => one.entry_id === entryId);
      if (found !== undefined && found.id !== newest) return outcomeText(found);
    }
    return say('deliveryWaits');
  };
  return (
    <div class="deliveries">
      <div class="form-end">
        <button
          type="button"
          class="button is-main"
          onClick={() =>
            void tell(async () => outcomeText(await call('POST /api/v1/webhook/test', {}, { id })))
          }
        >
          {say('webhookTest')}
        </button>
        <button type="button" class="button" onClick={() => void load()}>
          {say('refresh')}
        </button>
      </div>
      <p role="status" dir="auto">
        {told}
      </p>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {attempts?.length === 0 && <p class="empty">{say('deliveriesNone')}</p>}
      <ul class="records">
        {attempts?.slice(0, shownCount).map((attempt) => (
          <AttemptRow
            key={attempt.id}
            attempt={attempt}
            onAgain={() => void tell(() => again(attempt))}
          />
        ))}
      </ul>
      {attempts !== null && attempts.length > shownCount && (
        <button type="button" class="button" onClick={() => setShownCount(attempts.length)}>
          {say('deliveriesAll', { count: String(attempts.length) })}
        </button>
      )}
    </div>
  );
}

function useAttempts(id: string) {
  const [attempts, setAttempts] = useState<readonly Attempt[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const load = async (): Promise<readonly Attempt[] | null> => {
    try {
      const found = await call('GET /api/v1/webhook/delivery', { id });
      setAttempts(found);
      setFault(null);
      return found;
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
      return null;
    }
  };
  useEffect(() => void load(), [id]);
  return { attempts, fault, load };
}

function AttemptRow({ attempt, onAgain }: { attempt: Attempt; onAgain: () => void }) {
  const { time, event_name: event, attempt: number, entry_id: entryId, response } = attempt;
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const shownTime = moment.format(Date.parse(time));
  return (
    <li>
      <div>
        <span>
          <Badge of={attempt} /> <strong dir="auto">{event}</strong>
        </span>
        <small>
          <time dateTime={time}>{shownTime}</time>
          {` · ${say('attemptNumber', { number: String(number) })}`}
        </small>
        <small dir="auto">{outcomeText(attempt)}</small>
        <details>
          <summary>{say('deliveryMore')}</summary>
          <p class="hint">webhook-id: {entryId}</p>
          <p class="hint">{say('deliveryResponse')}</p>
          <pre dir="auto">{response || say('deliveryNoResponse')}</pre>
        </details>
      </div>
      <button
        type="button"
        class="button is-plain"
        aria-label={`${say('sendAgain')}: ${event}, ${shownTime}`}
        onClick={onAgain}
      >
        {say('sendAgain')}
      </button>
    </li>
  );
}

/** Its status, or that there was none; said in words, too, for those who see no colours. */
function Badge({ of: { status, error } }: { of: Outcome }) {
  return (
    <span class={error === '' ? 'status is-good' : 'status is-bad'}>
      {status ?? say('deliveryNoAnswer')}
    </span>
  );
}
