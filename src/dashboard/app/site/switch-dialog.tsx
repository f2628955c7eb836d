/** All other sites of whoever is signed in: pinned ones and favourites first, found by typing. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { SiteMark } from '../parts/site-mark.tsx';
import { ordered } from '../sites/site-order.ts';
import { go } from '../view/view.ts';
import { word } from '../words/words.ts';
import type { Domain } from './site-data.ts';

/** Who has more sites types. */
const SHOWN_MAX = 40;

interface Given {
  /** The id of the site that is shown. */
  readonly now: string;
  readonly onClose: () => void;
}

export function SwitchDialog({ now, onClose }: Given) {
  const [sites, setSites] = useState<readonly Domain[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [search, setSearch] = useState('');
  const load = () =>
    call('GET /api/v1/domain', {}).then(
      (answer) => {
        setSites(answer as readonly Domain[]);
        setFault(null);
      },
      (error: unknown) => setFault(error instanceof ApiError ? error : new ApiError(0, '')),
    );
  useEffect(() => void load(), []);
  const found = ordered(sites ?? [], { search, order: 'name' }, () => undefined)
    .filter(({ id }) => id !== now)
    .slice(0, SHOWN_MAX);
  const open = (path: string) => {
    onClose();
    go(path);
  };
  return (
    <Dialog title={word('switchSite')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) open(`/${found[0].subdomain}`);
        }}
      >
        <input
          type="search"
          class="input"
          aria-label={word('searchSites')}
          placeholder={word('searchSites')}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </form>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      <ul class="switch-list" aria-busy={sites === null && fault === null}>
        {found.map((site) => {
          const name = site.display_name || site.hostname;
          return (
            <li key={site.id}>
              <Way path={`/${site.subdomain}`} onOpen={open}>
                <SiteMark name={name} />
                <span dir="auto">{name}</span>
              </Way>
            </li>
          );
        })}
      </ul>
      {sites !== null && found.length === 0 && <p class="empty">{word('noSuchSite')}</p>}
      <Way path="/" onOpen={open}>
        {word('allSites')}
      </Way>
    </Dialog>
  );
}

interface WayGiven {
  readonly path: string;
  readonly onOpen: (path: string) => void;
  readonly children: preact.ComponentChildren;
}

function Way({ path, onOpen, children }: WayGiven) {
  return (
    <a
      class="switch-way"
      href={path}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onOpen(path);
      }}
    >
      {children}
    </a>
  );
}
