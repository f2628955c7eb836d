/**
 * Loaded into a service by NODE_OPTIONS=--import: its wall clock, in all of its threads, is as many
 * milliseconds ahead as the file that SHIFTED_CLOCK names says; the clock of durations runs on.
 */
import { readFileSync } from 'node:fs';

const LOOK_MS = 20;
const path = process.env.SHIFTED_CLOCK ?? '';
const now = Date.now;
let shiftMs = 0;
let lookedMs = Number.NEGATIVE_INFINITY;

Date.now = () => {
  const elapsedMs = performance.now();
  if (elapsedMs - lookedMs > LOOK_MS) {
    lookedMs = elapsedMs;
    shiftMs = Number(readFileSync(path, 'utf8'));
  }
  return now() + shiftMs;
};
