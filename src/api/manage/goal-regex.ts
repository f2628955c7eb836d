/** POST /api/v1/goal/regex: whether an expression matches a path (A-53, M-60). */
import { boolean, exactly } from '../../base/schema.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import { errors } from '../../model/errors.ts';
import { PATH_LENGTH_MAX } from '../../model/limits.ts';
import { MANAGERS } from '../../model/rights.ts';
import { matchesPattern, patternFault } from '../../query/question/path-pattern.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { json, jsonBody } from '../presets.ts';

/** In the syntax of the parameter `pattern`, which takes time in proportion to the path (F-17). */
export const goalRegexEndpoints: readonly Endpoint[] = [
  {
    ...{ method: 'POST', path: '/api/v1/goal/regex', needsReady: true, parameters: [] },
    summary: 'Tries a regular expression, in the syntax of `pattern`, on a sample path.',
    auth: {
      callers: MANAGERS,
      scopes: [
        { area: 'domains', right: 'r' },
        { area: 'statistics', right: 'r' },
      ],
      role: null,
    },
    body: jsonBody({
      required: ['regex', 'sample'],
      fields: {
        regex: REQUIRED_TEXT,
        // As long as paths are kept: a longer one is no path that it could meet.
        sample: { type: 'string', textLengthMax: PATH_LENGTH_MAX },
      },
    }),
    answer: json(exactly({ match: boolean })),
    handle: tryExpression,
  },
];

function tryExpression(call: Call): string {
  const { regex, sample } = call.body as { regex: string; sample: string };
  const fault = patternFault(regex);
  if (fault !== '') throw errors.VALIDATION_FAILED({ validation: { regex: fault } });
  return JSON.stringify({ match: matchesPattern(regex, sample) });
}
