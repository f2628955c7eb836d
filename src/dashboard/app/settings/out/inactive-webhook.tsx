/** Below a webhook that was set inactive: why, and a button that saves it, which sends what waits. */
import { useEffect, useState } from 'preact/hooks';
import { faultText } from '../../account/fault-text.ts';
import { call } from '../../data/api.ts';
import { say } from '../../words/settings.ts';
import type { Rec } from '../lists/records.ts';
import type { Place } from '../place.ts';
import { outcomeText } from './outcome.ts';

interface Given {
  readonly record: Rec;
  readonly place: Place;
  /** It is active again. */
  readonly onDone: () => void;
}

export function InactiveWebhook({ record, place, onDone }: Given) {
  const { id, description, event, endpoint } = record;
  const [last, setLast] = useState('');
  const [fault, setFault] = useState('');
  useEffect(() => {
    // Beside the point where it cannot be had: the list of deliveries says so itself.
    call('GET /api/v1/webhook/delivery', { id }).then(
      (attempts) => {
        const failed = attempts.find(({ error }) => error !== '');
        if (failed !== undefined) setLast(outcomeText(failed));
      },
      () => undefined,
    );
  }, [id]);
  const save = async () => {
    const body = { domain_id: place.domain?.id, id, description, event, endpoint };
    try {
      await call('POST /api/v1/webhook', {}, body);
      onDone();
    } catch (error) {
      setFault(faultText(error));
    }
  };
  return (
    <div class="record-notice" role="note">
      <p>{say('webhookInactive')}</p>
      {last !== '' && <p dir="auto">{say('webhookLast', { outcome: last })}</p>}
      <div>
        <button type="button" class="button" onClick={() => void save()}>
          {say('webhookActivate')}
        </button>
      </div>
      <p class="fault-text" role="alert">
        {fault}
      </p>
    </div>
  );
}
