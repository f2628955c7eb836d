/** Jobs of the service that go on while their list is looked at. */
import { useEffect, useRef } from 'preact/hooks';
import { useLoaded } from '../../parts/use-loaded.ts';

/** How often they are looked at while one of them goes on. */
const LOOK_MS = 1_000;

interface Jobs<Job> {
  readonly ask: (signal: AbortSignal) => Promise<readonly Job[]>;
  /** Whether something of it will be different soon. */
  readonly isMoving: (job: Job) => boolean;
  /** One that was moving is not any more. */
  readonly onSettled: () => void;
}

/** @param of what the jobs are of. */
export function useJobs<Job>({ ask, isMoving, onSettled }: Jobs<Job>, of: readonly unknown[]) {
  const loaded = useLoaded(ask, of);
  const moving = loaded.found?.filter(isMoving).length ?? 0;
  const before = useRef(0);
  const { load } = loaded;
  useEffect(() => {
    if (moving < before.current) onSettled();
    before.current = moving;
  }, [moving]);
  useEffect(() => {
    if (moving === 0) return;
    let isEnded = false;
    let timer = 0;
    // One look after the other: a slow answer is waited for.
    const look = async () => {
      if (!document.hidden) await load();
      if (!isEnded) timer = window.setTimeout(look, LOOK_MS);
    };
    timer = window.setTimeout(look, LOOK_MS);
    return () => {
      isEnded = true;
      clearTimeout(timer);
    };
  }, [moving > 0, ...of]);
  return loaded;
}
