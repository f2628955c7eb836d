/**
 * Writes the types of the client (`src/client/operations.ts` and the files below `operations/`, one an
 * area) from the OpenAPI document of the built service: `npm run generate:client`, and with `--check` it
 * only looks. A test holds them equal.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { endpoints } from '../../dist/src/api/endpoints.js';
import { openApiDocument } from '../../dist/src/api/openapi/document.js';

const FOLDER = new URL('../../src/client/', import.meta.url);
const METHODS = ['get', 'post', 'put', 'delete'];

const api = openApiDocument(endpoints);

function resolved(given) {
  if (given.$ref === undefined) return given;
  const keys = given.$ref.slice('#/'.length).split('/');
  return keys.reduce((at, key) => at[key], api);
}

const nameOf = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`);
const quoted = (value) => (typeof value === 'string' ? `'${value}'` : String(value));

/** How a question was answered (`explain`) is for operators at a terminal: not of the client. */
const isAnswer = ({ properties }) => properties?.plan === undefined;

/** The type of a JSON Schema, in one line. */
function typeOf(schema) {
  if (schema.anyOf !== undefined) return union(schema.anyOf.filter(isAnswer).map(typeOf));
  if (schema.enum !== undefined) return union(schema.enum.map(quoted));
  return union([schema.type ?? 'unknown'].flat().map((type) => plainType(type, schema)));
}

function plainType(type, schema) {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const items = schema.items === undefined ? 'unknown' : typeOf(schema.items);
      return `readonly ${/[ |]/.test(items) && !items.startsWith('{') ? `(${items})` : items}[]`;
    }
    case 'object':
      return objectType(schema);
    default:
      return type;
  }
}

function objectType({ properties, required = [], additionalProperties }) {
  if (properties === undefined || Object.keys(properties).length === 0) {
    if (additionalProperties === false) return 'Record<string, never>';
    const members =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${members}>>`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name);
    return `readonly ${nameOf(name)}${isOptional ? '?' : ''}: ${typeOf(schema)}`;
  });
  // Members of any other name, where the document says what they are.
  const isOpen = typeof additionalProperties === 'object';
  const others = isOpen ? ['readonly [name: string]: unknown'] : [];
  return `{ ${[...members, ...others].join('; ')} }`;
}

function union(types) {
  return [...new Set(types)].join(' | ');
}

/** What a type of the compiler calls any text within a text. */
const ANY_TEXT = ['$', '{string}'].join('');
/** Parameters that at least so many endpoints have are written once. */
const COMMON_COUNT_MIN = 20;
const used = new Map();
const allOperations = Object.entries(api.paths).flatMap(([path, methods]) =>
  METHODS.filter((method) => methods[method] !== undefined).map((method) => [
    `${method.toUpperCase()} ${path}`,
    methods[method],
  ]),
);
const askedOf = ({ parameters = [] }) =>
  parameters.map(resolved).filter(({ in: place, name }) => place === 'query' && name !== 'explain');
for (const [, operation] of allOperations) {
  for (const one of askedOf(operation)) used.set(one, (used.get(one) ?? 0) + 1);
}
const isCommon = (one) => used.get(one) >= COMMON_COUNT_MIN;
const common = [...used.keys()].filter(isCommon);

function queryMember({ name, required, schema, description }) {
  const comment = `/** ${description} */`;
  if (name.includes('<')) {
    return [comment, `readonly [key: \`${name.replace(/<.*>/, ANY_TEXT)}\`]: unknown;`];
  }
  const one =
    schema.type === 'array' ? `${typeOf(schema.items)} | ${typeOf(schema)}` : typeOf(schema);
  const type = required ? one : `${one} | undefined`;
  return [comment, `readonly ${nameOf(name)}${required ? '' : '?'}: ${type};`];
}

function queryType(operation) {
  const asked = askedOf(operation);
  if (asked.length === 0) return 'Record<string, never>';
  const own = asked.filter((one) => !isCommon(one));
  const members = own.flatMap((one) => queryMember(one).slice(1)).join(' ');
  const parts = [
    ...(own.length < asked.length ? ['Filter'] : []),
    ...(own.length > 0 ? [`{ ${members} }`] : []),
  ];
  return parts.join(' & ');
}

/** Objects that stand in several places get a name, from where they stand first. */
const NAMED_LENGTH_MIN = 120;
const shapes = new Map();

function shapeOf(schema, path) {
  const type = typeOf(schema);
  for (const object of type.match(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g) ?? []) {
    if (object.length < NAMED_LENGTH_MIN) continue;
    const known = shapes.get(object) ?? { name: nameFor(path), count: 0 };
    shapes.set(object, { ...known, count: known.count + 1 });
  }
  return type;
}

const names = new Set();

function nameFor(path) {
  const words = path
    .replace('/api/v1/', '')
    .replace('statistics/', '')
    .split(/[^a-z0-9]+/i);
  const stem = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  let name = stem;
  for (let number = 2; names.has(name) || name === 'Filter' || name === 'Operations'; number++) {
    name = `${stem}${number}`;
  }
  names.add(name);
  return name;
}

const operations = allOperations.map(([name, operation]) => {
  const path = name.split(' ')[1];
  const [media, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const sent = content === undefined ? 'undefined' : typeOf(content.schema);
  const good = Object.entries(operation.responses).find(([status]) => status < '400')?.[1];
  const [answerMedia, answer] = Object.entries(good?.content ?? {})[0] ?? [];
  return {
    ...{ name, summary: operation.summary, query: queryType(operation) },
    body: media === 'multipart/form-data' ? 'FormData' : sent,
    answer: answerMedia === 'application/json' ? shapeOf(answer.schema ?? {}, path) : 'unknown',
  };
});
const named = [...shapes].filter(([, { count }]) => count > 1);

const withNames = (type) =>
  named.reduce((text, [object, { name }]) => text.replaceAll(object, name), type);

const HEADER = [
  '/**',
  ' * %',
  ' *',
  ' * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.',
  ' */',
];
const headed = (what) => HEADER.map((line) => line.replace('%', what));

/** Files of endpoints: which paths each has, and what it is called; the last takes what is left. */
const AREAS = [
  ['collect', /^\/api\/v1\/(?:hit|event|session)\b/, 'What is counted: hits, events, keep-alives.'],
  ['statistics', /^\/api\/v1\/statistics\b/, 'What was counted: statistics, filters, erasing.'],
  [
    'site',
    /^\/api\/v1\/(?:domain|traffic|ledger|billing|audit)\b/,
    'A site: its settings, links, tag, ledger and history.',
  ],
  [
    'records',
    /^\/api\/v1\/(?:goal|funnel|view|annotation|report|webhook|theme|client|import)\b/,
    'What belongs to a site: goals, funnels, views, reports, webhooks, themes, clients.',
  ],
  [
    'people',
    /^\/api\/v1\/(?:user|member|invitation|organization|login|logout|password|token|access)\b/,
    'People: accounts, sign-in, members, organizations.',
  ],
  ['other', /^/, 'The service itself: pages, scripts, health, this document.'],
];
const areaOf = ({ name }) => AREAS.find(([, paths]) => paths.test(name.split(' ')[1]))[0];
const typeOfArea = (area) => `${area.charAt(0).toUpperCase()}${area.slice(1)}Operations`;

const SHAPES = 'operations/shapes.ts';
const shapeNames = ['Filter', ...named.map(([, { name }]) => name)];
const files = new Map();
files.set('operations.ts', [
  ...headed('Every endpoint: its parameters, its body, its answer.'),
  ...AREAS.map(([area]) => `import type { ${typeOfArea(area)} } from './operations/${area}.ts';`),
  '',
  '/** By method and path. */',
  'export interface Operations',
  `  extends ${AREAS.map(([area]) => typeOfArea(area)).join(',\n    ')} {}`,
]);
files.set(SHAPES, [
  ...headed('What several endpoints take or answer.'),
  '',
  '/** Which visits a question is about: what most statistics take. */',
  'export interface Filter {',
  ...common.flatMap(queryMember).map((line) => `  ${line}`),
  '}',
  ...named.flatMap(([object, { name }]) => [
    '',
    `export interface ${name} {`,
    ...object
      .slice(2, -2)
      .split(/; (?=readonly )/)
      .map((member) => `  ${member};`),
    '}',
  ]),
]);
for (const [area, , what] of AREAS) {
  const members = operations
    .filter((operation) => areaOf(operation) === area)
    .flatMap(({ name, summary, query, body, answer }) => [
      `  /** ${summary} */`,
      `  readonly '${name}': {`,
      `    readonly query: ${query};`,
      `    readonly body: ${body};`,
      `    readonly answer: ${withNames(answer)};`,
      '  };',
    ]);
  const content = members.join('\n');
  const needed = shapeNames.filter((name) => new RegExp(`[ (]${name}\\b`).test(content)).toSorted();
  files.set(`operations/${area}.ts`, [
    ...headed(what),
    ...(needed.length === 0 ? [] : [`import type { ${needed.join(', ')} } from './shapes.ts';`]),
    '',
    '/** By method and path. */',
    `export interface ${typeOfArea(area)} {`,
    ...members,
    '}',
  ]);
}

const isCheck = process.argv.includes('--check');
if (!isCheck) mkdirSync(new URL('operations/', FOLDER), { recursive: true });
const foreign = readdirSync(new URL('operations/', FOLDER)).filter(
  (name) => !files.has(`operations/${name}`),
);
if (!isCheck) for (const name of foreign) rmSync(new URL(`operations/${name}`, FOLDER));
const different = foreign.map((name) => `operations/${name}`);
for (const [name, lines] of files) {
  const file = new URL(name, FOLDER);
  const text = `${lines.join('\n')}\n`;
  if (!isCheck) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) different.push(name);
}
if (isCheck && different.length > 0) {
  const named = different.map((name) => `src/client/${name}`).join(', ');
  process.stderr.write(`not what the document says, npm run generate:client: ${named}\n`);
  process.exitCode = 1;
}
