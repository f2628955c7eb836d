/**
 * Every answer against the OpenAPI document of the service: status, and each field's name and type.
 *
 * The tests' clients hand over what they receive. What the document does not promise is an error of
 * the document or of the service, and either way the test that received it fails.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { endpoints } from '../../../src/api/endpoints.ts';
import { openApiDocument } from '../../../src/api/openapi/document.ts';

interface Operation {
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

const openApi = openApiDocument(endpoints);
const paths = openApi.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { date: true } });
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
ajv.addSchema(openApi.components.schemas.Error, '#/components/schemas/Error');
const isError = ajv.compile(openApi.components.schemas.Error);

/** Compiled when an answer of the kind is first seen. */
const compiled = new Map<string, ValidateFunction>();

/**
 * What is wrong with an answer by the document; '' when nothing is, or its path is not described.
 *
 * @param url path with or without origin and query.
 * @param body parsed JSON.
 */
export function answerFault(method: string, url: string, status: number, body: unknown): string {
  // By hand: what a fuzzer sends is no URL of the standard.
  const [sent = ''] = url.replace(/^https?:\/\/[^/]+/, '').split('?');
  const path = sent.replace('/api/v1//api/v1/', '/api/v1/');
  const operation = paths[path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (operation === undefined) {
    return isError(body) ? '' : `${method} ${path} is in no document and answers no error`;
  }
  const said = operation.responses[status];
  const errors = openApi.components.responses as Readonly<Record<string, Response>>;
  // Refusals refer to what all of them share.
  const response = said?.$ref === undefined ? said : errors[status];
  if (response === undefined) return `${method} ${path} is not said to answer ${status}`;
  const key = `${method} ${path} ${status}`;
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) return `${key} is not said to be JSON`;
  const validate = compiled.get(key) ?? ajv.compile(schema);
  compiled.set(key, validate);
  if (validate(body)) return '';
  return `${key}: ${ajv.errorsText(validate.errors, { dataVar: 'answer' })}`;
}

/** @throws Error when an answer is not what the document says. */
export function checkAnswer(method: string, url: string, status: number, body: unknown): void {
  const fault = answerFault(method, url, status, body);
  if (fault !== '') throw new Error(`an answer and the OpenAPI document differ: ${fault}`);
}
