/** POST /api/v1/goal/regex: whether an expression, or a path of a goal, matches a path (A-53, M-60). */
import { boolean, exactly, string } from '../../base/schema.ts';
import { TEXT } from '../../control/descriptor/fields.ts';
import { expressionOf } from '../../control/resources/goal.ts';
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
      required: ['sample'],
      fields: {
        regex: TEXT,
        path_pattern: TEXT,
        // As long as paths are kept: a longer one is no path that it could meet.
        sample: { type: 'string', textLengthMax: PATH_LENGTH_MAX },
      },
    }),
    answer: json({ ...exactly({ match: boolean, pattern: string }), required: ['match'] }),
    handle: tryExpression,
  },
];

/** @returns with what became of a path_pattern: statistics can be asked by it (D-19). */
function tryExpression(call: Call): string {
  const sent = call.body as { regex?: string | null; path_pattern?: string | null; sample: string };
  const { sample } = sent;
  const [regex, pathPattern] = [sent.regex ?? '', (sent.path_pattern ?? '').trim()];
  const isPath = regex.trim() === '' && pathPattern !== '';
  const pattern = isPath ? expressionOf(pathPattern) : regex;
  const fault = pattern.trim() === '' ? 'is required' : patternFault(pattern);
  if (fault !== '') {
    throw errors.VALIDATION_FAILED({ validation: { [isPath ? 'path_pattern' : 'regex']: fault } });
  }
  const match = matchesPattern(pattern, sample);
  if (match === null) {
    throw errors.VALIDATION_FAILED({
      validation: { sample: 'is too long for so large an expression' },
    });
  }
  return JSON.stringify({ match, ...(isPath ? { pattern } : {}) });
}
