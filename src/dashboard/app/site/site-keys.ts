/** Keys of a site's page (D-18): single ones can be switched off, for those who speak to their computer. */
import { useLayoutEffect } from 'preact/hooks';
import { helpIsOpen, keysAreOn, searchIsOpen } from '../parts/keys.ts';
import type { RangeName } from '../view/range.ts';
import { show, showRange, view } from '../view/view.ts';
import { step } from './range-menu.tsx';
import type { SiteData } from './site-data.ts';

const RANGE_KEYS: Readonly<Record<string, RangeName>> = {
  t: 'today',
  y: 'yesterday',
  w: 'week',
  m: 'month',
};

/** Listens while the page is shown. */
export function useSiteKeys(data: SiteData): void {
  // At once: what is seen is what keys are meant for.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'Escape') clear();
      else if (keysAreOn.value) single(event, data);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [data]);
}

/** First what the scrubber shows, then the filters. */
function clear(): void {
  if (view.value.moment !== '') show({ moment: '' });
  else if (view.value.filters.length > 0) show({ filters: [] });
}

function single(event: KeyboardEvent, data: SiteData): void {
  const range = RANGE_KEYS[event.key.toLowerCase()];
  if (range !== undefined) showRange(range);
  else if (event.key === '?') helpIsOpen.value = true;
  else if (event.key === '/') searchIsOpen.value = true;
  else if (event.key === 'ArrowLeft') step(data, -1);
  else if (event.key === 'ArrowRight') step(data, 1);
  else return;
  event.preventDefault();
}

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return element !== null && /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
}
