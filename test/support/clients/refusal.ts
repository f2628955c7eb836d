/** What every refusal has to look like, and that its message says what would be right. */
import { expect } from 'vitest';
import type { Answer } from './client.ts';

/**
 * all three keys, and something that helps in one of the first two.
 *
 * @returns what the answer says about single fields.
 */
export function expectError(answer: Answer, status: number): Record<string, string> {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  const body = answer.body as {
    validation: Record<string, string>;
    error: string[];
    context: object;
  };
  expect(Object.keys(body).toSorted()).toEqual(['context', 'error', 'validation']);
  expect(typeof body.validation).toBe('object');
  expect(Array.isArray(body.error)).toBe(true);
  expect(body.context).toBeTypeOf('object');
  const messages = [...Object.values(body.validation), ...body.error];
  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages) expect(message).toMatch(/\w+ \w+/);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  return body.validation;
}

export const ADVICE =
  /\b(must|send|use|at most|needs?|only|required|expected|give|not allowed|between)\b/;

/** The field is named and the message says what would be right. */
export function expectAdvice(validation: Record<string, string>, field: string): void {
  expect(Object.keys(validation)).toContain(field);
  expect(validation[field]).toMatch(ADVICE);
}
