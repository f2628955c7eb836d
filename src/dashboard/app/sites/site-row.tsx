/** One site of the list: its name, visitors today, the last day as a line, and how its week compares. */
import { useEffect, useRef } from 'preact/hooks';
import { SiteMark } from '../parts/site-mark.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import type { Domain } from '../site/site-data.ts';
import { go } from '../view/view.ts';
import { change, direction, shortCount } from '../words/format.ts';
import { word } from '../words/words.ts';
import { tasteOf } from './site-order.ts';
import type { Traffic } from './site-traffic.ts';

const CHANGES = ['is-worse', '', 'is-better'];

interface Given {
  readonly site: Domain;
  readonly traffic: Traffic | undefined;
  readonly top: number;
  /** Its number in the list, and how many there are: not all of them are in the page. */
  readonly place: number;
  readonly count: number;
  readonly onTaste: (taste: 'pin' | 'favorite') => void;
}

export function SiteRow({ site, traffic, top, place, count, onTaste }: Given) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (row.current !== null) row.current.style.transform = `translateY(${top}px)`;
  }, [top]);
  const path = `/${site.subdomain}`;
  const name = site.display_name || site.hostname;
  const { pinned, favorite } = tasteOf(site);
  return (
    <li class="site card" ref={row} aria-setsize={count} aria-posinset={place}>
      <a
        href={path}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          go(path);
        }}
      >
        <span class="site-name">
          <SiteMark name={name} />
          <b dir="auto">{name}</b>
        </span>
        <span class="number is-active">
          {traffic === undefined || traffic.active === 0
            ? ''
            : word('activeNow', { count: shortCount(traffic.active) })}
        </span>
        <Sparkline values={traffic?.hours ?? []} label={word('last24')} />
        <span class="number">
          {traffic === undefined ? '' : shortCount(traffic.visitors)} <small>{word('today')}</small>
        </span>
        <span class="number site-week">
          {traffic === undefined ? '' : shortCount(traffic.week)} <small>{word('7d')}</small>{' '}
          {traffic !== undefined && (
            <small class={CHANGES[direction(traffic.change) + 1] ?? ''}>
              {change(traffic.change)}
            </small>
          )}
        </span>
      </a>
      <Taste
        isOn={favorite}
        mark={favorite ? '★' : '☆'}
        label={word('favorite', { name })}
        onClick={() => onTaste('favorite')}
      />
      <Taste isOn={pinned} mark="⤒" label={word('pin', { name })} onClick={() => onTaste('pin')} />
    </li>
  );
}

interface TasteGiven {
  readonly isOn: boolean;
  readonly mark: string;
  readonly label: string;
  readonly onClick: () => void;
}

function Taste({ isOn, mark, label, onClick }: TasteGiven) {
  return (
    <button
      type="button"
      class="button is-plain"
      aria-pressed={isOn}
      aria-label={label}
      onClick={onClick}
    >
      <span aria-hidden="true">{mark}</span>
    </button>
  );
}
