/**
 * Everything that can be set of a site, an organization or an account (D-17): a list of parts, each with an address of
 * its own, and the one that is open. A part that its reader may not read is not there (M-3).
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, call, faultOf } from '../data/api.ts';
import { AppearanceMenu } from '../parts/appearance-menu.tsx';
import { Fault } from '../parts/fault.tsx';
import { More } from '../parts/more.tsx';
import type { Domain } from '../site/site-data.ts';
import { place as page } from '../view/view.ts';
import { type SayKey, say } from '../words/settings.ts';
import { word } from '../words/words.ts';
import { follow } from './lists/record-kinds.tsx';
import { ACCOUNT_PARTS, type Part, partsOf, partsOfOrganization } from './parts.tsx';
import type { Organization, Place } from './place.ts';

interface Given {
  /** Null: the settings of the account, or of an organization. */
  readonly domain: Domain | null;
  readonly organization?: Organization;
  readonly me: Place['me'];
  readonly part: string;
  readonly onChanged: () => Promise<void>;
  readonly children?: ComponentChildren;
}

export function SettingsPage({ domain, organization, me, part, onChanged, children }: Given) {
  const { path } = page.value;
  const place: Place = { domain, organization: organization ?? null, me, onChanged };
  const parts = partsFor(place);
  const open = parts.find(({ key }) => key === part) ?? parts[0];
  const { name, back } = headOf(place, path);
  useEffect(() => {
    const title = open === undefined ? '' : `${say(open.title)} · `;
    document.title = `${title}${name} · ${word('settings')} · ${word('appName')}`;
  }, [name, open?.key]);
  return (
    <>
      <header class="top">
        <h1 dir="auto">
          <a href={back} onClick={(event) => follow(event, ...addressOf(back))}>
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
        <PartList
          parts={parts}
          open={open}
          within={organization === undefined ? '' : `&organization=${organization.id}`}
        />
        <div class="card">{open?.show(place)}</div>
      </main>
    </>
  );
}

/** Settings of an organization, found among those of whoever is signed in. */
export function OrganizationPage({ id, ...given }: Omit<Given, 'domain'> & { id: string }) {
  const [found, setFound] = useState<Organization | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const load = async () => {
    try {
      const all = await call('GET /api/v1/organization', {});
      const one = all.find((each) => each.id === id) ?? null;
      setFound(one);
      setFault(one === null ? new ApiError(404, say('organizationGone')) : null);
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  useEffect(() => {
    setFound(null);
    void load();
  }, [id]);
  if (fault !== null) {
    return (
      <main class="sign-in">
        <Fault error={fault} onRetry={() => void load()} />
        <a class="button" href={ORGANIZATIONS}>
          {say('organizations')}
        </a>
      </main>
    );
  }
  if (found === null) return null;
  return <SettingsPage {...given} domain={null} organization={found} onChanged={load} />;
}

const ORGANIZATIONS = '/?settings=organizations';

function partsFor({ domain, organization, me }: Place): readonly Part[] {
  if (domain !== null) return partsOf(domain, me.email);
  return organization === null ? ACCOUNT_PARTS : partsOfOrganization(organization);
}

/** What the page is about, and where that is. */
function headOf({ domain, organization }: Place, path: string): { name: string; back: string } {
  if (domain !== null) return { name: domain.display_name || domain.hostname, back: path };
  if (organization === null) return { name: word('sites'), back: '/' };
  return { name: organization.name, back: ORGANIZATIONS };
}

function addressOf(address: string): [path: string, search: string] {
  const [path = '', search = ''] = address.split(/(?=\?)/);
  return [path, search];
}

const GROUPS: readonly SayKey[] = [
  'groupSite',
  'groupCounting',
  'groupPeople',
  'groupGoals',
  'groupOut',
  'groupData',
  'groupEnd',
];

interface ListGiven {
  readonly parts: readonly Part[];
  readonly open: Part | undefined;
  /** What follows in each address. */
  readonly within: string;
}

function PartList({ parts, open, within }: ListGiven) {
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
                href={`${path}?settings=${key}${within}`}
                aria-current={key === open?.key ? 'page' : undefined}
                onClick={(event) => follow(event, path, `?settings=${key}${within}`)}
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
