/** What a part of the page asks for once it is shown, for its dependencies, and again. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiError, faultOf } from '../data/api.ts';
import { Latest } from '../data/latest.ts';

interface Loaded<Found> {
  /** What came last; null before the first. */
  readonly found: Found | null;
  /** Why the latest question was not answered; null: it was. */
  readonly fault: ApiError | null;
  readonly load: () => Promise<void>;
}

/** @param of what the question depends on: it is asked anew when one of them is another. */
export function useLoaded<Found>(
  ask: (signal: AbortSignal) => Promise<Found>,
  of: readonly unknown[],
): Loaded<Found> {
  const [found, setFound] = useState<Found | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const latest = useMemo(() => new Latest(), []);
  const load = async () => {
    try {
      const answer = await latest.ask(ask);
      if (answer === null) return;
      setFound(() => answer);
      setFault(null);
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  useEffect(() => {
    void load();
  }, of);
  useEffect(() => () => latest.cancel(), []);
  return { found, fault, load };
}
