/** A part of the page that is loaded once it is shown, with a way to try again where that fails. */
import { type ComponentType, h, type RenderableProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../data/api.ts';
import { Fault } from './fault.tsx';

/** @returns the part; `load` begins before it is shown, and resolves also where that fails. */
export function loaded<Given extends object>(load: () => Promise<ComponentType<Given>>) {
  let asked: Promise<ComponentType<Given>> | null = null;
  let found: ComponentType<Given> | null = null;
  const ask = () => {
    asked ??= load();
    return asked.then((part) => {
      found = part;
    });
  };
  function Loaded(given: RenderableProps<Given>) {
    const [state, setState] = useState(found === null ? 'waits' : 'is there');
    const tryIt = () => {
      setState('waits');
      ask().then(
        () => setState('is there'),
        () => {
          asked = null;
          setState('failed');
        },
      );
    };
    useEffect(() => {
      if (found === null) tryIt();
    }, []);
    if (state === 'failed') return <Fault error={new ApiError(0, '')} onRetry={tryIt} />;
    return found === null ? null : h(found, given as Given);
  }
  // A failure is told by whoever shows it.
  return Object.assign(Loaded, { load: () => ask().catch(() => undefined) });
}
