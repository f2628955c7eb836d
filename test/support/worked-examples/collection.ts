/**
 * Worked examples: answers to batches, repeated requests.
 */
import { expect } from 'vitest';
import { agentNamed } from '../traffic/known.ts';
import { Cast, parseNotation } from '../traffic/notation.ts';
import { expectTotal, type WorkedExample } from './steps.ts';

/** W-51, W-52. */
export const COLLECTION: readonly WorkedExample[] = [
  {
    id: 'W-51',
    title: 'a batch tells foreign hostnames only, and drops bots in silence',
    run: async (open) => {
      const cast = new Cast();
      cast.add('c', 'de', agentNamed('curl'));
      const bench = await open();
      const text = 'a 10:00 pv / ; a 10:00 pv / host=other.test ; c 10:00 pv /';
      expect(await bench.send(parseNotation(text, cast))).toEqual([{ accepted: 2, rejected: [1] }]);
      await expectTotal(bench, { views: 1, visitors: 1 });
    },
  },
  {
    id: 'W-52',
    title: 'a request repeated with its Idempotency-Key counts once',
    run: async (open) => {
      const bench = await open();
      const cast = new Cast();
      for (const key of ['k1', 'k1', 'k1', 'k2', '', '']) {
        const answers = await bench.send(parseNotation('a 10:00 pv /', cast), key);
        expect(answers).toEqual([{ accepted: 1, rejected: [] }]);
      }
      await expectTotal(bench, { views: 4, sessions: 1, visitors: 1 });
      if (bench.dropped() !== null) expect(bench.dropped()).toEqual(['duplicate', 'duplicate']);
    },
  },
];
