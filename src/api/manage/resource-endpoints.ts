/**
 * The endpoints of a resource, from its descriptor: list, create, change, remove, and its actions.
 *
 * Control plane. Whoever asks has been let in by the scopes of the row; the role is asked for here,
 * on the owner that the body, the parameter or the record names.
 */
import { assert } from '../../base/assert.ts';
import { exactly, listOf } from '../../base/schema.ts';
import { compileValidator, type Validator } from '../../base/validate.ts';
import { sentSchema } from '../../control/descriptor/draft.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import {
  type Action,
  type Base,
  ownerAmong,
  type Resource,
  type Surface,
} from '../../control/descriptor/resource.ts';
import { revealedSchema, toWire, wireSchema } from '../../control/descriptor/wire.ts';
import type { RecordRequest } from '../../control/records.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { AnswerRule, Auth, Call, Endpoint } from '../endpoint.ts';
import { aliasAt, authOf, json, jsonBody, NOTHING, optional, READS, required } from '../presets.ts';
import { Problems } from '../problems.ts';
import { describedSent, ownerSent } from './described.ts';
import {
  type Asked,
  changeableRecord,
  checkChange,
  checkRole,
  permittedRecord,
  requiredValue,
  stampOf,
  viewingOf,
} from './permitted.ts';

const PREFIX = '/api/v1/';
const NOTHING_SAID = '{}';
type Said = Action['answers'];
type Asking = Pick<Asked, 'call' | 'ports'>;

/** Every endpoint that a descriptor asks for. */
export function endpointsOf(resource: Resource): readonly Endpoint[] {
  const { surface, actions = [] } = resource;
  if (surface === undefined) return [];
  const { listBy, listAlsoAt, creates, changes, removes } = surface;
  const list = listBy === undefined ? null : listEndpoint(resource, surface, listBy);
  return [
    ...(list === null ? [] : [list]),
    ...(list === null || listAlsoAt === undefined ? [] : [aliasAt(listAlsoAt, list)]),
    ...(creates === undefined ? [] : [creation(resource, surface, creates)]),
    ...(changes?.by === 'PUT' ? [replacement(resource, surface, changes.answers)] : []),
    ...(removes === undefined ? [] : [removal(resource, surface)]),
    ...actions.map((action) => actionEndpoint(resource, surface, action)),
  ];
}

function listEndpoint(
  resource: Resource,
  { path, read }: Surface,
  listBy: Readonly<Record<string, string>>,
): Endpoint {
  const names = Object.entries(listBy);
  const one = names.length === 1 ? required : optional;
  return {
    ...{ ...READS, path: PREFIX + path, auth: authOf(read) },
    summary: `Lists ${resource.table}, oldest first.`,
    parameters: names.map(([name, field]) =>
      one(name, `The id of the ${ownerKind(resource, field)}.`),
    ),
    answer: json(listOf(wireSchema(resource))),
    handle: (call, ports) => listed(resource, names, { call, ports, role: read.role }),
  };
}

function listed(resource: Resource, names: readonly [string, string][], asked: Asked): string {
  const parameters = parseQueryString(asked.call.query);
  const given = names.find(([name]) => firstValue(parameters, name) !== undefined) ?? names[0];
  assert(given !== undefined, 'a list names its owner');
  const [name, field] = given;
  const kind = ownerKind(resource, field);
  const id = requiredValue(parameters, name, `the id of a ${kind}`);
  checkRole(asked, { kind, id }, { kind, id });
  const records = asked.ports.records.list(resource, field as 'id', id);
  const viewing = viewingOf(asked);
  return JSON.stringify(records.map((record) => toWire(resource, record, viewing)));
}

/** POST: makes a record; where the descriptor says so, it changes the one whose id it carries. */
function creation(resource: Resource, surface: Surface, answers: Said): Endpoint {
  const { changes, path } = surface;
  const revealed = revealedSchema(resource);
  const isBoth = changes?.by === 'POST';
  const validators = {
    create: compileValidator(sentSchema(resource, 'create')),
    change: compileValidator(sentSchema(resource, 'change')),
  };
  const body = jsonBody(sentSchema(resource, 'create'), describedSent(resource, 'create', isBoth));
  const shown = { ...wireSchema(resource, revealed) };
  if (isBoth) shown.required = wireSchema(resource).required;
  return {
    ...{ method: 'POST', path: PREFIX + path, needsReady: true, auth: changeAuth(surface) },
    summary: `Makes a ${resource.name}${isBoth ? ', or changes the one of an id' : ''}.`,
    parameters: [],
    body: isBoth ? { ...body, validate: null } : body,
    answer: answers === 'nothing' ? json(NOTHING) : { ...json(shown), ...secretMark(revealed) },
    handle: (call, ports) => {
      const asking = { call, ports };
      const isChange = isBoth && hasId(call.body);
      if (isBoth) check(validators[isChange ? 'change' : 'create'], call.body);
      return (isChange ? changed : created)(resource, surface, answers, asking);
    },
  };
}

async function created(
  resource: Resource,
  surface: Surface,
  answers: Said,
  asking: Asking,
): Promise<string> {
  const { call, ports } = asking;
  const request = requestOf(call);
  const place = ownerAmong(resource, (field) => ownerSent(resource, field, request));
  // What belongs to the installation is for no client.
  const named = place ?? { kind: resource.name, id: '' };
  checkChange(asking, surface, { place, named, makerId: request.userId });
  const { record, revealed } = await ports.records.create(resource, request);
  return answers === 'nothing'
    ? NOTHING_SAID
    : JSON.stringify({ ...toWire(resource, record, viewingOf(asking)), ...revealed });
}

/** PUT: changes a record. */
function replacement(resource: Resource, surface: Surface, answers: Said): Endpoint {
  const path = PREFIX + surface.path;
  return {
    ...{ method: 'PUT', path, needsReady: true, auth: changeAuth(surface) },
    summary: `Changes a ${resource.name}: what the body may carry takes the place of what is there.`,
    parameters: [],
    body: jsonBody(sentSchema(resource, 'change'), describedSent(resource, 'change', false)),
    answer: answerOf(resource, answers),
    handle: (call, ports) => changed(resource, surface, answers, { call, ports }),
  };
}

async function changed(
  resource: Resource,
  surface: Surface,
  answers: Said,
  asking: Asking,
): Promise<string> {
  const { call, ports } = asking;
  const request = requestOf(call);
  const { id } = changeableRecord(asking, resource, surface, String(request.sent['id']));
  return saidOf(resource, answers, await ports.records.change(resource, id, request), asking);
}

function removal(resource: Resource, surface: Surface): Endpoint {
  const path = PREFIX + surface.path;
  const { remove: change = surface.change } = surface;
  const rights = { ...surface, change };
  return {
    ...{ method: 'DELETE', path, needsReady: true, auth: changeAuth(rights), body: null },
    summary: `Removes a ${resource.name} and what belongs to it.`,
    parameters: [required('id', `The id of the ${resource.name}.`)],
    answer: json(NOTHING),
    handle: async (call, ports) => {
      const wanted = requiredValue(
        parseQueryString(call.query),
        'id',
        `the id of a ${resource.name}`,
      );
      const { id } = changeableRecord({ call, ports }, resource, rights, wanted);
      await ports.records.remove(resource, id, requestOf(call));
      return NOTHING_SAID;
    },
  };
}

function actionEndpoint(resource: Resource, surface: Surface, action: Action): Endpoint {
  const { permission = surface.change, idName, answers } = action;
  const needed = { [idName]: REQUIRED_TEXT, ...action.needs };
  return {
    ...{ method: action.method, path: PREFIX + action.path, needsReady: true },
    ...{ summary: action.summary, auth: authOf(permission), parameters: [] },
    body: jsonBody({ required: Object.keys(needed), fields: { ...needed, ...action.sent } }),
    answer: answerOf(resource, answers),
    handle: async (call, ports) => {
      const request = requestOf(call);
      const asked = { call, ports, role: permission.role };
      const { id } = permittedRecord(asked, resource, String(request.sent[idName]));
      const record = await ports.records.act(resource, action, id, request);
      return saidOf(resource, answers, record, asked);
    },
  };
}

function answerOf(resource: Resource, answers: Said): AnswerRule {
  if (answers === 'nothing') return json(NOTHING);
  const shown = wireSchema(resource);
  return json(answers === 'record' ? shown : exactly(picked(shown.properties, answers)));
}

/** Some members of an object. */
function picked<Value>(
  from: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

function saidOf(resource: Resource, answers: Said, record: Base, asking: Asking): string {
  if (answers === 'nothing') return NOTHING_SAID;
  const shown = toWire(resource, record, viewingOf(asking));
  return JSON.stringify(answers === 'record' ? shown : picked(shown, answers));
}

/** The row says the least that it takes; `checkChange` what the record at hand takes. */
function changeAuth({ change, own }: Surface): Auth {
  if (own === undefined) return authOf(change);
  const { callers } = authOf(change);
  return { callers, scopes: [...change.scopes, ...own.scopes], role: own.role };
}

function secretMark(revealed: object): Pick<AnswerRule, 'isSecret'> {
  return Object.keys(revealed).length > 0 ? { isSecret: true } : {};
}

/** A request to the registry, as its caller sent it. */
export function requestOf(call: Call): RecordRequest {
  const { body, credential } = call;
  assert(credential !== null, 'whoever changes something has a credential');
  return {
    sent: (body ?? {}) as RecordRequest['sent'],
    userId: credential.userId,
    ...stampOf(call),
  };
}

function hasId(body: unknown): boolean {
  const id = (body as { id?: unknown } | null)?.id;
  return id !== undefined && id !== null && id !== '';
}

function check(validate: Validator, body: unknown): void {
  const found = validate(body);
  if (found !== null) throw Problems.of(found).error();
}

function ownerKind({ fields }: Resource, name: string): string {
  const field = fields[name];
  return field !== undefined && 'refersTo' in field ? (field.refersTo?.to ?? '') : '';
}
