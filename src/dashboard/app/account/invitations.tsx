/** Who wants this person on a site or in an organization: accepted or turned down here (M-31). */
import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/api.ts';
import { word } from '../words/words.ts';
import { faultText } from './fault-text.ts';

interface Invitation {
  readonly id: string;
  readonly domain: { readonly hostname: string; readonly subdomain: string } | null;
  readonly organization: { readonly name?: string } | null;
}

export function Invitations() {
  const [open, setOpen] = useState<readonly Invitation[]>([]);
  const [fault, setFault] = useState('');
  const load = async () => setOpen((await call('GET /api/v1/invitation', {})) as never);
  const tell = (error: unknown) => setFault(faultText(error));
  useEffect(() => {
    load().catch(tell);
  }, []);
  const decide = async (id: string, isWanted: boolean) => {
    setFault('');
    try {
      if (isWanted) await call('POST /api/v1/invitation', {}, { id });
      else await call('DELETE /api/v1/invitation', { id });
      await load();
    } catch (error) {
      tell(error);
    }
  };
  if (open.length === 0 && fault === '') return null;
  return (
    <section class="card settings-part">
      <h2>{word('invitations')}</h2>
      <ul class="records">
        {open.map(({ id, domain, organization }) => {
          const name = domain?.hostname ?? organization?.name ?? '';
          return (
            <li key={id}>
              <div>
                <b dir="auto">{name}</b>
              </div>
              <button
                type="button"
                class="button is-main"
                aria-label={`${word('accept')}: ${name}`}
                onClick={() => void decide(id, true)}
              >
                {word('accept')}
              </button>
              <button
                type="button"
                class="button"
                aria-label={`${word('turnDown')}: ${name}`}
                onClick={() => void decide(id, false)}
              >
                {word('turnDown')}
              </button>
            </li>
          );
        })}
      </ul>
      <p class="fault-text" role="alert">
        {fault}
      </p>
    </section>
  );
}
