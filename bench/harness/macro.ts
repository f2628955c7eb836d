/**
 * Macro benchmarks: whole processes over loopback. Each is a file `bench/macro/*.bench.ts` that
 * registers itself here when `main.ts` imports it.
 *
 * Control plane. A smoke run does everything once in small, to prove that it works.
 */
import { isChosen } from './chosen.ts';
import type { Figure } from './report/figures.ts';

/** What a macro benchmark is told. */
export interface MacroContext {
  seed: number;
  isSmoke: boolean;
  /** May take its time, and fetch what only benchmarks need. */
  isFull: boolean;
  /** Seconds of each stretch of load. */
  seconds: number;
  /** Stretches of load per side, so that there is a median and a spread. */
  rounds: number;
  /** Says what is going on, on standard error. */
  tell(text: string): void;
}

type Macro = (context: MacroContext) => Promise<Figure[]>;

const registered: { name: string; run: Macro }[] = [];

/** Registers a macro benchmark under the name that filters go by. */
export function macro(name: string, run: Macro): void {
  registered.push({ name, run });
}

/** The registered macro benchmarks that are chosen, in order of name. */
export function chosenMacros(parts: readonly string[]): readonly { name: string; run: Macro }[] {
  return registered
    .filter(({ name }) => isChosen(name, parts))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
