/** What follows signals beside what is drawn of them. */
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Runs at first and with every change of the signals that it reads, in the frame of that change:
 * `useSignalEffect` runs after it, and what it changes would take a frame of its own.
 */
export function useFollowing(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => effect(() => latest.current()), []);
}
