/**
 * Goal: the oracle agrees with the semantics before it is used to judge the service.
 * Method: every worked example whose inputs the notation can say, run on the oracle alone.
 */
import { test } from 'vitest';
import { oracleBench } from '../judge/bench.ts';
import {
  RULE_EXAMPLES,
  WORKED_EXAMPLES,
  WORKED_EXAMPLES_OF_CITIES,
  WORKED_EXAMPLES_OF_COUNTRIES,
} from '../worked-examples/all.ts';

test.each([
  ...WORKED_EXAMPLES,
  ...WORKED_EXAMPLES_OF_CITIES,
  ...WORKED_EXAMPLES_OF_COUNTRIES,
  ...RULE_EXAMPLES,
])('$id on the oracle: $title', async ({ run }) => {
  await run(async () => oracleBench());
});
