/** The endpoints of an OpenAPI document, as the page shows them. */

/** A JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly contentMediaType?: string;
}

/** A parameter of the query, or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** What goes over the wire under one media type. */
export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** One endpoint. */
export interface Operation {
  /** Of the address of its place on the page. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly mediaType: string; readonly content: Content } | null;
  readonly answers: readonly Answer[];
  readonly access: Access | null;
}

/** What is answered under one status. */
export interface Answer {
  readonly status: string;
  readonly description: string;
  readonly schema: Schema | null;
}

/** Who may call, as the document says it beside its security. */
export interface Access {
  readonly scopes: readonly string[];
  readonly callers: readonly string[];
  readonly role: string | null;
}

interface RawOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, RawAnswer | Reference>>;
  readonly 'x-footfall-access'?: Access;
}

interface RawAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Reference {
  readonly $ref: string;
}

/** The document, as far as it is read. */
export interface OpenApi {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
}

/** Every endpoint, in the order of the document. */
export function operationsOf(api: OpenApi): Operation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]): Operation => {
      const [sent] = Object.entries(raw.requestBody?.content ?? {});
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        group: raw.tags[0] ?? '',
        summary: raw.summary,
        parameters: (raw.parameters ?? []).map((one) => resolved<Parameter>(api, one)),
        body: sent === undefined ? null : { mediaType: sent[0], content: sent[1] },
        answers: Object.entries(raw.responses).map(([status, answer]) => {
          const { description, content } = resolved<RawAnswer>(api, answer);
          const schema = Object.values(content ?? {})[0]?.schema ?? null;
          return { status, description, schema };
        }),
        access: raw['x-footfall-access'] ?? null,
      };
    }),
  );
}

/** Whether all words of a search stand in what is said of an endpoint. */
export function isFound(operation: Operation, search: string): boolean {
  const { method, path, summary, parameters, body } = operation;
  const names = [
    ...parameters.map(({ name }) => name),
    ...Object.keys(body?.content.schema?.properties ?? {}),
  ];
  const text = [method, path, summary, ...names].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function resolved<Found>(api: OpenApi, given: Found | Reference): Found {
  const reference = (given as Reference).$ref;
  if (reference === undefined) return given as Found;
  const keys = reference.slice('#/'.length).split('/');
  return keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], api) as Found;
}
