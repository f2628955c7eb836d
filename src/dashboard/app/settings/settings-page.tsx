/**
 * Everything that can be set of a site, or of an account (D-17): a list of parts, each with an address of
 * its own, and the one that is open. A part that its reader may not read is not there (M-3).
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AppearanceMenu } from '../parts/appearance-menu.tsx';
import { More } from '../parts/more.tsx';
import type { Domain } from '../site/site-data.ts';
import { place as page } from '../view/view.ts';
import { type SayKey, say } from '../words/settings.ts';
import { word } from '../words/words.ts';
import { follow } from './lists/record-kinds.tsx';
import { ACCOUNT_PARTS, type Part, partsOf } from './parts.tsx';
import type { Place } from './place.ts';

interface Given {
  /** Null: the settings of the account. */
  readonly domain: Domain | null;
  readonly me: Place['me'];
  readonly part: string;
  readonly onChanged: () => Promise<void>;
  readonly children?: ComponentChildren;
}

export function SettingsPage({ domain, me, part, onChanged, children }: Given) {
  const { path } = page.value;
  const place: Place = { domain, me, onChanged };
  const parts = domain === null ? ACCOUNT_PARTS : partsOf(domain, me.email);
  const open = parts.find(({ key }) => key === part) ?? parts[0];
  const name = domain === null ? word('sites') : domain.display_name || domain.hostname;
  const back = domain === null ? '/' : path;
  useEffect(() => {
    const title = open === undefined ? '' : `${say(open.title)} · `;
    document.title = `${title}${name} · ${word('settings')} · ${word('appName')}`;
  }, [name, open?.key]);
  return (
    <>
      <header class="top">
        <h1 dir="auto">
          <a href={back} onClick={(event) => follow(event, back, '')}>
            {name}
          </a>{' '}
          <span class="quiet">{word('settings')}</span>
        </h1>
        <More>
          <AppearanceMenu />
          {children}
        </More>
      </header>
      <main class="settings">
        <PartList parts={parts} open={open} />
        <div class="card">{open?.show(place)}</div>
      </main>
    </>
  );
}

const GROUPS: readonly SayKey[] = [
  'groupSite',
  'groupCounting',
  'groupPeople',
  'groupGoals',
  'groupOut',
  'groupEnd',
];

function PartList({ parts, open }: { parts: readonly Part[]; open: Part | undefined }) {
  const { path } = page.value;
  const root = useRef<HTMLElement>(null);
  // On a phone the list is a row: what is open is to be seen in it.
  useEffect(() => {
    const list = root.current;
    const current = list?.querySelector<HTMLElement>('[aria-current]');
    if (list && current && list.scrollWidth > list.clientWidth) {
      list.scrollLeft = current.offsetLeft - list.offsetLeft - 16;
    }
  }, [open?.key]);
  return (
    <nav aria-label={word('settings')} ref={root}>
      {GROUPS.map((group) => {
        const shown = parts.filter((part) => part.group === group);
        if (shown.length === 0) return null;
        return (
          <div key={group} class="settings-group">
            <p>{say(group)}</p>
            {shown.map(({ key, title }) => (
              <a
                key={key}
                href={`${path}?settings=${key}`}
                aria-current={key === open?.key ? 'page' : undefined}
                onClick={(event) => follow(event, path, `?settings=${key}`)}
              >
                {say(title)}
              </a>
            ))}
          </div>
        );
      })}
    </nav>
  );
}
