/** What has to be reached by keys because it may be wider, or higher, than its place. */

/** @param label what it shows. */
export function scrolled(label: string) {
  return { tabIndex: 0, role: 'group', 'aria-label': label } as const;
}
