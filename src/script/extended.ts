/**
 * What `/js/footfall-extended.js` notices by itself (D-30, A-44): links that lead away, downloads, pages
 * that are not there, elements that say which event they are, and how far people scroll.
 *
 * Listeners on the window hear of a click before the page does, also of one that the page swallows or
 * that is inside of a shadow tree. They look and send; the click goes its way.
 */
import type { Footfall, Settings } from './settings.ts';

/** Endings of what people download rather than look at. */
const FILES =
  /\.(7z|apk|avi|csv|deb|dmg|docx?|epub|exe|gz|iso|jar|mov|mp[34g]|msi|od[pst]|pdf|pkg|pptx?|rar|tar|txt|wav|wmv|xlsx?|zip)$/i;

/** Watches a page. @param pathNow tells pages of one document apart. */
export const watchPage = (footfall: Footfall, data: Settings, pathNow: () => string) => {
  'click auxclick submit'.split(' ').map((type) =>
    addEventListener(
      type,
      (event) =>
        // The right button opens a menu; the middle one opens the link.
        (event as MouseEvent).button > 1 ||
        event.composedPath().map((node) => {
          const isSubmit = type == 'submit';
          const element = node as HTMLAnchorElement;
          if ((element.tagName == 'FORM') == isSubmit) sendTagged(footfall, element);
          if (/^http/.test(element.protocol) && !isSubmit) reportLink(footfall, data, element);
        }),
      true,
    ),
  );
  if ('scroll' in data) watchScroll(footfall, pathNow);
};

/** The event of a page that is not there: it was answered with 404, or its tag says so. */
export const notFound = (data: Settings): Parameters<Footfall>[] => {
  const [answer = 0 as never] = performance.getEntriesByType('navigation') as {
    responseStatus?: number;
  }[];
  const meta = { url: location.origin + location.pathname };
  return '404' in data || answer.responseStatus == 404
    ? [['404 Page Not Found', { meta, non_interactive: true }]]
    : [];
};

const sendTagged = (footfall: Footfall, { dataset, attributes }: HTMLElement) => {
  if (!dataset || !dataset.footfallEvent) return;
  const meta: Record<string, string> = {};
  for (let { name, value } of attributes) {
    if ((name = name.split('data-footfall-meta-')[1] as string)) {
      meta[name.replace(/-/g, ' ')] = value;
    }
  }
  footfall(dataset.footfallEvent, { meta, non_interactive: 'footfallNonInteractive' in dataset });
};

const reportLink = (footfall: Footfall, data: Settings, link: HTMLAnchorElement) => {
  const isFile = FILES.test(link.pathname) || link.hasAttribute('download');
  // No longer than a value may be (I-56).
  const options = { meta: { url: link.href.slice(0, 2_000) }, non_interactive: true };
  if (isFile && !('disableDownloads' in data)) footfall('File Download', options);
  else if (
    link.host.replace('www.', '') != location.host.replace('www.', '') &&
    !('disableOutbound' in data)
  ) {
    footfall('Outbound Link Click', options);
  }
};

/** Each quarter of a page once. */
const watchScroll = (footfall: Footfall, pathNow: () => string) => {
  let path: string;
  let percent = 0;
  addEventListener('scroll', () => {
    if (path != (path = pathNow())) percent = 0;
    const seen = ((scrollY + innerHeight + 1) / document.documentElement.scrollHeight) * 100;
    while (percent < 100 && seen >= percent + 25) {
      footfall('Scroll Depth', { meta: { percent: (percent += 25) }, non_interactive: true });
    }
  });
};
