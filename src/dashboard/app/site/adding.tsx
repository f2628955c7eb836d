/** The dialog that adds a filter, loaded once somebody opens it. */
import { useEffect, useState } from 'preact/hooks';
import type { AddFilter } from './add-filter.tsx';

export function Adding(given: Parameters<typeof AddFilter>[0]) {
  const [View, setView] = useState<typeof AddFilter | null>(null);
  useEffect(() => {
    void import('./add-filter.tsx').then((part) => setView(() => part.AddFilter));
  }, []);
  return View === null ? null : <View {...given} />;
}
