/**
 * Which mails about a site its reader gets (O-21): ended by the link of a mail or here, and wanted again
 * here, whether or not that mail is still to be found.
 */
import { useEffect, useState } from 'preact/hooks';
import { faultText } from '../../account/fault-text.ts';
import { type AnswerOf, ApiError, call } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { type SayKey, say } from '../../words/settings.ts';
import { SwitchRow } from '../forms/switch-row.tsx';

type Muted = AnswerOf<'GET /api/v1/user/notification'>[number];
type Kind = Muted['muted'][number];

/** In the order of the page. */
const KINDS: readonly (readonly [kind: Kind, label: SayKey])[] = [
  ['spike', 'mailsOnSpikes'],
  ['warning', 'mailsOnSilence'],
  ['goal', 'mailsOnGoals'],
  ['webhook', 'mailsOnWebhooks'],
];

/** Switches of one site, for whoever is signed in: a site's Owner and Admins are told. */
export function OwnMails({ domainId }: { domainId: string }) {
  const { ended, fault, load } = useEnded();
  const muted = ended?.find(({ domain_id: id }) => id === domainId)?.muted ?? [];
  return (
    <section class="settings-part">
      <h3>{say('ownMails')}</h3>
      <p class="hint">{say('ownMailsHint')}</p>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {ended !== null && (
        <div class="settings-forms">
          {KINDS.map(([kind, label]) => (
            <SwitchRow
              key={kind}
              label={label}
              isOn={!muted.includes(kind)}
              onTurn={async () => {
                await setMuted(domainId, kind, !muted.includes(kind));
                await load();
              }}
            />
          ))}
        </div>
      )}
    </section>
  );
}

/** Everything that a person has ended, of all sites; nothing is shown where that is nothing. */
export function EndedMails() {
  const { ended, fault, load } = useEnded();
  const [failed, setFailed] = useState('');
  const resume = (domainId: string, kind: Kind) =>
    setMuted(domainId, kind, false)
      .then(() => setFailed(''))
      .catch((error: unknown) => setFailed(faultText(error)))
      .finally(load);
  if (fault === null && (ended === null || ended.length === 0)) return null;
  return (
    <section class="card settings-part">
      <h2>{say('endedMails')}</h2>
      <p class="hint">{say('endedMailsHint')}</p>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      <ul class="records">
        {ended?.flatMap(({ domain_id: id, display_name: name, muted }) =>
          KINDS.filter(([kind]) => muted.includes(kind)).map(([kind, label]) => (
            <li key={`${id} ${kind}`}>
              <div>
                <strong dir="auto">{name}</strong>
                <small>{say(label)}</small>
              </div>
              <button
                type="button"
                class="button"
                aria-label={`${say('getAgain')}: ${say(label)}, ${name}`}
                onClick={() => void resume(id, kind)}
              >
                {say('getAgain')}
              </button>
            </li>
          )),
        )}
      </ul>
      <p class="fault-text" role="alert">
        {failed}
      </p>
    </section>
  );
}

function setMuted(id: string, kind: Kind, muted: boolean): Promise<unknown> {
  return call('POST /api/v1/user/notification', {}, { id, kind, muted });
}

function useEnded() {
  const [ended, setEnded] = useState<readonly Muted[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const load = async () => {
    try {
      setEnded(await call('GET /api/v1/user/notification', {}));
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
    }
  };
  useEffect(() => void load(), []);
  return { ended, fault, load };
}
