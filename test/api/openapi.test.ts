// Goal: the OpenAPI document is one, describes every endpoint, and a wrong field of an answer is found.
// Method: a maintained validator reads it; good answers are broken in one place and compared again.
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import { openApiDocument, refusalsOf } from '../../src/api/openapi/document.ts';
import { errors } from '../../src/model/errors.ts';
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import { answerFault } from '../support/clients/answer-check.ts';

const openApi = openApiDocument(endpoints);
const documented = endpoints.filter(({ isAlias }) => isAlias !== true);

/** What stands under a key anywhere in the document. */
function valuesOf(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) =>
    name === key ? [value, ...valuesOf(key, value)] : valuesOf(key, value),
  );
}

test('it is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(JSON.stringify(openApi)));
  expect(result).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the validator would have noticed', async () => {
  const broken = { ...structuredClone(openApi), paths: { '/x': { get: { responses: 5 } } } };
  expect((await new Validator().validate(JSON.parse(JSON.stringify(broken)))).valid).toBe(false);
});

test('every schema in it is a JSON Schema, strictly', () => {
  const schemas = valuesOf('schema', openApi);
  expect(schemas.length).toBeGreaterThan(120);
  const formats = { date: true, 'date-time': true } as const;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats });
  ajv.addSchema(openApi.components.schemas.Error, '#/components/schemas/Error');
  for (const schema of schemas) expect(ajv.validateSchema(schema as object)).toBe(true);
});

test('it describes every endpoint once, each with a sentence and a name of its own', () => {
  const operations = Object.values(openApi.paths).flatMap((path) => Object.values(path));
  expect(operations).toHaveLength(documented.length);
  const names = operations.map((operation) => (operation as { operationId: string }).operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { summary } of documented) expect(summary).toMatch(/^[A-Z].*\.$/);
});

test('every parameter is described as its own endpoint has it, shared or not', () => {
  const { parameters: shared } = openApi.components;
  for (const { method, path, parameters } of documented) {
    const operation = openApi.paths[path]?.[method.toLowerCase()] as {
      parameters?: readonly { readonly $ref?: string }[];
    };
    const described = (operation.parameters ?? []).map((one) =>
      one.$ref === undefined ? one : shared[one.$ref.slice('#/components/parameters/'.length)],
    );
    const own = parameters.map(({ name, in: place, description, isRequired }) => {
      return { name, in: place, description, required: isRequired === true };
    });
    expect(described, `${method} ${path}`).toMatchObject(own);
  }
});

const WAYS = { key: 'bearer', domain: 'bearer', user: 'bearer', person: 'session', code: 'link' };

test('whoever is public says so, and everybody else what it needs', () => {
  for (const { method, path, auth } of documented) {
    const operation = openApi.paths[path]?.[method.toLowerCase()];
    const ways = new Set(auth?.callers.map((kind) => WAYS[kind]));
    expect(operation).toHaveProperty(
      'security',
      [...ways].map((way) => ({ [way]: [] })),
    );
  }
});

test.each(documented.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s is said to answer errors of every status that it may have, in their shape',
  (_, endpoint) => {
    const error = { validation: {}, error: ['x'], context: {} };
    for (const status of refusalsOf(endpoint)) {
      expect(answerFault(endpoint.method, endpoint.path, status, error)).toBe('');
      expect(answerFault(endpoint.method, endpoint.path, status, { error: ['x'] })).not.toBe('');
    }
    expect(answerFault(endpoint.method, endpoint.path, 418, error)).toContain('not said to answer');
  },
);

test('an error of the table has a reason in the document when a client can be told it', () => {
  const told = Object.values(errors).map((make) => (make as (detail: object) => Error)({}));
  const statuses = new Set(told.map((error) => (error as unknown as { status: number }).status));
  const known = new Set(documented.flatMap(refusalsOf));
  // 405 is of no endpoint: it is what other methods are answered.
  expect([...statuses].filter((status) => !known.has(status))).toEqual([405]);
});

describe('a wrong answer is found', () => {
  const PATH = '/api/v1/statistics/page';
  const ROW = {
    ...{ path: '/', title: '', visitors: 1, views: 2, sessions: 1, bounces: 0 },
    ...{ relative_visitors: 1, relative_views: 0.5, bounce_rate: 0 },
    average_time_spent_seconds: 3,
  };
  const fault = (row: object) => answerFault('GET', `${PATH}?id=x`, 200, [ROW, row]);

  test('and a right one is not', () => {
    expect(fault(ROW)).toBe('');
    expect(answerFault('GET', PATH, 200, [])).toBe('');
  });

  test.each([
    ['a missing column', (({ views: _, ...row }) => row)(ROW), 'views'],
    ['another name', { ...ROW, view: 2 }, 'additional'],
    ['a text for a number', { ...ROW, visitors: '1' }, 'visitors must be integer'],
    ['a number for a text', { ...ROW, path: 5 }, 'path must be string'],
    ['a fraction of a visitor', { ...ROW, visitors: 0.5 }, 'visitors must be integer'],
    ['less than nothing', { ...ROW, views: -1 }, 'views must be >= 0'],
    ['more than all', { ...ROW, bounce_rate: 1.5 }, 'bounce_rate must be <= 1'],
    ['null', { ...ROW, title: null }, 'title must be string'],
  ])('%s', (_, row, told) => {
    expect(fault(row)).toContain(told);
  });

  test('no statistic takes just any object', () => {
    for (const { name } of STATISTICS) {
      for (const answer of [[{ nonsense: 1 }], { nonsense: 1 }]) {
        expect(answerFault('GET', `/api/v1/statistics/${name}`, 200, answer)).not.toBe('');
      }
    }
  });

  test('what is in no document must be an error', () => {
    const error = { validation: {}, error: ['x'], context: {} };
    expect(answerFault('GET', '/nowhere', 404, error)).toBe('');
    expect(answerFault('GET', '/nowhere', 200, {})).toContain('in no document');
  });
});
