/** When what a form was filled from has become something else. */
import { useEffect, useRef } from 'preact/hooks';

/**
 * Does something once a value has become another one.
 *
 * Not at first: an effect comes after the picture, and would take back what was typed in between.
 */
export function useChanged(value: string, then: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    then();
  }, [value]);
}
