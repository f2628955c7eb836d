/** Whose data and whose programs this page is made of, with the texts of their licences. */
import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, ApiError, call } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { word } from '../words/words.ts';
import type { OverGiven } from './panels/over-given.ts';

type Credits = AnswerOf<'GET /credits'>;

export function CreditsDialog({ onClose }: OverGiven) {
  const [credits, setCredits] = useState<Credits | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const load = () =>
    call('GET /credits', {}).then(
      (answer) => {
        setCredits(answer);
        setFault(null);
      },
      (error: unknown) => setFault(error instanceof ApiError ? error : new ApiError(0, '')),
    );
  useEffect(() => void load(), []);
  return (
    <Dialog title={word('credits')} onClose={onClose} isWide>
      {credits === null && fault === null && <p role="status">{word('loading')}</p>}
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {credits !== null && (
        <ul class="credits">
          {credits.places.map(({ text, url, licence }) => (
            <li key={text}>
              <Source href={url}>{text}</Source> <small>{licence}</small>
            </li>
          ))}
          {credits.packages.map(({ name, version, licence, url, text }) => (
            <li key={name}>
              <Source href={url}>{name}</Source>{' '}
              <small>
                {version} · {licence}
              </small>
              <details>
                <summary>
                  {word('licenceText')}
                  <span class="sr-only">: {name}</span>
                </summary>
                <pre>{text}</pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Source({ href, children }: { href: string; children: preact.ComponentChildren }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
