/**
 * What waits for this person: invitations to a site or an organization, accepted or turned down (M-31),
 * and sites that their owners offer (M-15).
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import { go } from '../view/view.ts';
import { type SayKey, say } from '../words/settings.ts';
import { faultText } from './fault-text.ts';

/** One that waits, and what may become of it. */
interface Waiting {
  readonly id: string;
  readonly name: string;
  readonly choices: readonly {
    readonly label: SayKey;
    readonly isMain?: true;
    readonly choose: () => Promise<unknown>;
  }[];
}

export function Invitations() {
  const find = async (): Promise<readonly Waiting[]> =>
    (await call('GET /api/v1/invitation', {})).map(({ id, domain, organization }) => ({
      id,
      name: domain?.hostname ?? organization?.name ?? '',
      choices: [
        {
          label: 'accept',
          isMain: true,
          choose: () => call('POST /api/v1/invitation', {}, { id }),
        },
        { label: 'turnDown', choose: () => call('DELETE /api/v1/invitation', { id }) },
      ],
    }));
  return <WaitingList title="invitations" find={find} />;
}

export function Offers() {
  const find = async (): Promise<readonly Waiting[]> =>
    (await call('GET /api/v1/domain/transfer', {})).map(({ id, hostname, subdomain }) => ({
      id,
      name: hostname,
      choices: [
        {
          ...{ label: 'transferTake', isMain: true },
          choose: async () => {
            await call('PUT /api/v1/domain/transfer', {}, { domain_id: id });
            go(`/${subdomain}`);
          },
        },
      ],
    }));
  return <WaitingList title="offers" hint="offersHint" find={find} />;
}

interface ListGiven {
  readonly title: SayKey;
  readonly hint?: SayKey;
  readonly find: () => Promise<readonly Waiting[]>;
}

function WaitingList({ title, hint, find }: ListGiven) {
  const [open, setOpen] = useState<readonly Waiting[]>([]);
  const [fault, setFault] = useState('');
  const isOnItsWay = useRef(false);
  const act = async (work: () => Promise<unknown>) => {
    // The second click of a double click decides nothing.
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    setFault('');
    try {
      await work();
    } catch (error) {
      setFault(faultText(error));
    }
    await find().then(setOpen, (error: unknown) => setFault(faultText(error)));
    isOnItsWay.current = false;
  };
  useEffect(() => {
    void act(async () => undefined);
  }, []);
  if (open.length === 0 && fault === '') return null;
  return (
    <section class="card settings-part">
      <h2>{say(title)}</h2>
      {hint !== undefined && <p class="hint">{say(hint)}</p>}
      <ul class="records">
        {open.map(({ id, name, choices }) => (
          <li key={id}>
            <div>
              <b dir="auto">{name}</b>
            </div>
            {choices.map(({ label, isMain, choose }) => (
              <button
                key={label}
                type="button"
                class={isMain === true ? 'button is-main' : 'button'}
                aria-label={`${say(label)}: ${name}`}
                onClick={() => void act(choose)}
              >
                {say(label)}
              </button>
            ))}
          </li>
        ))}
      </ul>
      <p class="fault-text" role="alert">
        {fault}
      </p>
    </section>
  );
}
