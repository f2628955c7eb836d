/**
 * Regular expressions on paths (F-17): the only user of re2js, whose matching takes linear time.
 *
 * An expression is tested once per distinct path of the domain, never per row: verdicts are kept by the
 * path's number in the domain's text space, so that a path that occurs on ninety days is tested once.
 * Programs and verdicts stay for the next questions, of which a page asks twenty under one expression.
 * Linear is not free, so the size of a program and the time of all tests of a query are bounded.
 */

import { RE2JS, RE2JSSyntaxException } from 're2js';
import { BoundedCache } from '../../base/bounded-cache.ts';
import { monotonicMs } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import {
  PATTERN_INSTRUCTION_COUNT_MAX,
  PATTERN_LENGTH_MAX,
  PATTERN_TIME_MS_MAX,
} from '../../model/limits.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { openTextSpace, spaceIds, type TextSpace } from '../text/text-space.ts';

/** Expressions of which a path must match one, and none (F-21); plain data. */
export interface PatternFilter {
  readonly any: readonly string[];
  readonly none: readonly string[];
  /** What it may take where others wait for the thread; absent: what a query may. */
  readonly bounds?: PatternBounds;
}

/** How much of a thread an expression may take. */
export interface PatternBounds {
  /** Instruction × character steps of one path: one that takes more is not kept. */
  readonly stepsMax: number;
  /** Of all tests together. */
  readonly timeMsMax: number;
}

/** Instruction × character steps between two looks at the clock; some 0.3 s at the slowest. */
const STEPS_PER_LOOK = 1_000_000;
const QUERY_BOUNDS: PatternBounds = { stepsMax: Infinity, timeMsMax: PATTERN_TIME_MS_MAX };

const UNKNOWN = 0;
const KEPT = 1;
const REFUSED = 2;

/** Expressions on the paths of one space. */
interface Compiled {
  readonly any: readonly RE2JS[];
  readonly none: readonly RE2JS[];
  readonly size: number;
  /** By number in the space: what is found out once stays so. */
  verdicts: Uint8Array;
}

/** Those asked last; a program takes some hundred kilobytes at the most, a verdict a byte a path. */
const COMPILED_COUNT_MAX = 32;
const compiledOnes = new BoundedCache<string, Compiled>(COMPILED_COUNT_MAX);

interface Evaluation {
  readonly space: TextSpace;
  readonly compiled: Compiled;
  readonly bounds: PatternBounds;
  spentMs: number;
}

/** Per query, as long as it runs: filters are made anew for every query. */
const evaluations = new WeakMap<PatternFilter, Evaluation>();

/**
 * Reads the values of `pattern`; `!` in front is its only operator (F-20).
 *
 * @param problems out: what is wrong with an expression, and where.
 * @returns null when no value says anything.
 */
export function parsePatterns(
  values: readonly string[],
  problems: Map<string, string>,
): PatternFilter | null {
  const any: string[] = [];
  const none: string[] = [];
  for (const value of values) {
    const isNegated = value.startsWith('!');
    const pattern = isNegated ? value.slice(1) : value;
    if (pattern === '') continue;
    const fault = patternFault(pattern);
    if (fault === '') (isNegated ? none : any).push(pattern);
    else problems.set('pattern', fault);
  }
  return any.length + none.length === 0 ? null : { any, none };
}

/**
 * Which paths of a segment the expressions keep.
 *
 * @returns one byte per dictionary id of a path: 1 is kept.
 * @throws QUERY_BUDGET_EXCEEDED when the tests of the query take too long in all.
 */
export function passingPaths(filter: PatternFilter, segment: Segment): Uint8Array {
  let evaluation = evaluations.get(filter);
  if (evaluation === undefined) {
    evaluation = openEvaluation(filter, segment.domainId);
    evaluations.set(filter, evaluation);
  }
  const texts = segment.dictionary.texts(KIND.path);
  const map = spaceIds(evaluation.space, segment, KIND.path);
  const { compiled } = evaluation;
  const verdicts = verdictsFor(compiled, evaluation.space.texts(KIND.path).length);
  const kept = new Uint8Array(texts.length);
  const { stepsMax } = evaluation.bounds;
  const stepsPerLook = Math.min(STEPS_PER_LOOK, stepsMax);
  let startMs = monotonicMs();
  let steps = 0;
  for (let id = 0; id < texts.length; id++) {
    const path = map[id]!;
    if (verdicts[path] === UNKNOWN) {
      const text = texts[id] as string;
      const stepsOfText = (text.length + 1) * compiled.size;
      const isKept = stepsOfText <= stepsMax && keeps(compiled, text);
      verdicts[path] = isKept ? KEPT : REFUSED;
      steps += stepsOfText;
      if (steps > stepsPerLook) {
        startMs = spend(evaluation, startMs);
        steps = 0;
      }
    }
    if (verdicts[path] === KEPT) kept[id] = 1;
  }
  spend(evaluation, startMs);
  return kept;
}

/**
 * Tests paths that no segment has by the same expressions.
 *
 * @returns a test, which throws QUERY_BUDGET_EXCEEDED when the tests of the query take too long in all.
 */
export function patternTest(filter: PatternFilter, domainId: string): (path: string) => boolean {
  const evaluation = evaluations.get(filter) ?? openEvaluation(filter, domainId);
  evaluations.set(filter, evaluation);
  const { compiled, bounds } = evaluation;
  return (path) => {
    if ((path.length + 1) * compiled.size > bounds.stepsMax) return false;
    const startMs = monotonicMs();
    const isKept = keeps(compiled, path);
    spend(evaluation, startMs);
    return isKept;
  };
}

function openEvaluation(filter: PatternFilter, domainId: string): Evaluation {
  const space = openTextSpace(domainId);
  const bounds = filter.bounds ?? QUERY_BOUNDS;
  // A path that takes too many steps is passed over, so that verdicts depend on how many it may.
  const key = JSON.stringify([space.number, filter.any, filter.none, bounds.stepsMax]);
  let compiled = compiledOnes.get(key);
  if (compiled === undefined) {
    compiled = compile(filter);
    compiledOnes.set(key, compiled);
  }
  return { space, compiled, bounds, spentMs: 0 };
}

function compile(filter: PatternFilter): Compiled {
  const any = filter.any.map((pattern) => RE2JS.compile(pattern));
  const none = filter.none.map((pattern) => RE2JS.compile(pattern));
  let size = 0;
  for (const program of [...any, ...none]) size += program.programSize();
  return { any, none, size, verdicts: new Uint8Array(0) };
}

function verdictsFor(compiled: Compiled, count: number): Uint8Array {
  if (compiled.verdicts.length < count) {
    const grown = new Uint8Array(count * 2);
    grown.set(compiled.verdicts);
    compiled.verdicts = grown;
  }
  return compiled.verdicts;
}

function keeps({ any, none }: Compiled, text: string): boolean {
  if (any.length > 0 && !any.some((program) => program.test(text))) return false;
  return !none.some((program) => program.test(text));
}

/** Books the time since `startMs`. @returns the time now. */
function spend(evaluation: Evaluation, startMs: number): number {
  const nowMs = monotonicMs();
  const { timeMsMax } = evaluation.bounds;
  evaluation.spentMs += nowMs - startMs;
  if (evaluation.spentMs > timeMsMax) {
    throw errors.QUERY_BUDGET_EXCEEDED({ budget: `${timeMsMax} ms for 'pattern'` });
  }
  return nowMs;
}

/**
 * Whether an expression matches somewhere in a path (F-17), for who tries one out.
 *
 * @param pattern one in which `patternFault` finds nothing.
 * @cost at most 0.1 s for a path of the greatest length.
 */
export function matchesPattern(pattern: string, path: string): boolean {
  return RE2JS.compile(pattern).test(path);
}

/** Expressions whose faults are remembered: compiling a dear one takes ten milliseconds. */
const FAULT_COUNT_MAX = 1_024;
const faults = new BoundedCache<string, string>(FAULT_COUNT_MAX);

/** What is wrong with an expression and at which character, counted from 1; '' when nothing is. */
export function patternFault(pattern: string): string {
  if (pattern.length > 2 * PATTERN_LENGTH_MAX || Array.from(pattern).length > PATTERN_LENGTH_MAX) {
    return `must be at most ${PATTERN_LENGTH_MAX} characters long`;
  }
  let fault = faults.get(pattern);
  if (fault === undefined) {
    fault = faultOf(pattern);
    faults.set(pattern, fault);
  }
  return fault;
}

function faultOf(pattern: string): string {
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size > PATTERN_INSTRUCTION_COUNT_MAX ? 'is too large: it must repeat less' : '';
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const description = error.getDescription();
    const position = Array.from(pattern.slice(0, faultIndex(pattern, error))).length + 1;
    return `is no regular expression: ${description} at character ${position}`;
  }
}

/** Where the engine's complaint begins; of a parenthesis without its other half, that one. */
function faultIndex(pattern: string, error: RE2JSSyntaxException): number {
  if (error.getDescription().endsWith(')')) return loneParenthesis(pattern);
  const part: string | null = error.getPattern();
  return part === null ? pattern.length - 1 : Math.max(pattern.lastIndexOf(part), 0);
}

function loneParenthesis(pattern: string): number {
  const open: number[] = [];
  let classStart = -1;
  for (let index = 0; index < pattern.length; index++) {
    const unit = pattern[index];
    if (unit === '\\') index++;
    else if (classStart >= 0) {
      // A bracket that comes first in a class stands for itself.
      const isFirst = pattern.slice(classStart + 1, index).replace('^', '') === '';
      if (unit === ']' && !isFirst) classStart = -1;
    } else if (unit === '[') classStart = index;
    else if (unit === '(') open.push(index);
    else if (unit === ')' && open.pop() === undefined) return index;
  }
  return open.at(-1) ?? 0;
}
