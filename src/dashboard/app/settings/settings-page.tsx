/** Everything that can be set of a site (D-17): a list of parts, and the one that is open. */
import { useEffect } from 'preact/hooks';
import { OptOut } from '../account/opt-out.tsx';
import type { Domain } from '../site/site-data.ts';
import { go, place } from '../view/view.ts';
import { type WordKey, word } from '../words/words.ts';
import { Audit } from './audit.tsx';
import { Deletion, General } from './general.tsx';
import { RecordList } from './record-list.tsx';
import { RECORD_KINDS } from './records.ts';
import { Snippet } from './snippet.tsx';

const PARTS: readonly (readonly [string, WordKey])[] = [
  ['general', 'general'],
  ['snippet', 'snippet'],
  ...RECORD_KINDS.map(({ key, title }) => [key, title] as const),
  ['audit', 'audit'],
  ['deletion', 'deletion'],
];

interface Given {
  readonly domain: Domain;
  readonly part: string;
  readonly onChanged: () => void;
}

export function SettingsPage({ domain, part, onChanged }: Given) {
  const { path } = place.value;
  useEffect(() => {
    document.title = `${word('settings')} · ${domain.hostname} · ${word('appName')}`;
  }, [domain.hostname]);
  const kind = RECORD_KINDS.find(({ key }) => key === part);
  return (
    <>
      <header class="top">
        <h1 dir="auto">
          <a href={path} onClick={(event) => follow(event, path, '')}>
            {domain.display_name || domain.hostname}
          </a>{' '}
          <span class="quiet">{word('settings')}</span>
        </h1>
      </header>
      <main class="settings">
        <nav aria-label={word('settings')}>
          {PARTS.map(([key, title]) => (
            <a
              key={key}
              href={`${path}?settings=${key}`}
              aria-current={key === part ? 'page' : undefined}
              onClick={(event) => follow(event, path, `?settings=${key}`)}
            >
              {word(title)}
            </a>
          ))}
        </nav>
        <div class="card">
          {kind !== undefined && <RecordList kind={kind} domain={domain} />}
          {part === 'snippet' && (
            <section class="settings-part">
              <header class="settings-head">
                <div>
                  <h2>{word('snippet')}</h2>
                  <p class="hint">{word('waitingHint')}</p>
                </div>
              </header>
              <Snippet domain={domain} />
              <OptOut domain={domain} />
            </section>
          )}
          {part === 'audit' && <Audit domain={domain} />}
          {part === 'deletion' && <Deletion domain={domain} onGone={() => go('/')} />}
          {kind === undefined && !['snippet', 'audit', 'deletion'].includes(part) && (
            <General domain={domain} onChanged={onChanged} />
          )}
        </div>
      </main>
    </>
  );
}

/** A link of this page, unless a window of its own is asked for. */
function follow(event: MouseEvent, path: string, search: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(path, search);
}
