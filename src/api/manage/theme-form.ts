/** The form that themes are sent in: files, and beside them `data`, a JSON object (M-70). */
import type { Schema } from '../../base/schema.ts';
import { compileValidator, describedObject, type ObjectSchema } from '../../base/validate.ts';
import { type FileContent, fileContent } from '../../control/files.ts';
import { IMAGE_NAMES, imageTypeOf } from '../../control/image-type.ts';
import { THEME_FILE_NAMES, type ThemeFile } from '../../control/resources/theme.ts';
import { FILE_BYTES_MAX, FORM_BYTES_MAX } from '../../model/limits.ts';
import type { BodyRule, Part } from '../endpoint.ts';
import { Problems } from '../problems.ts';

/** What a form carries. */
export interface ThemeForm {
  readonly data: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<ThemeFile, FileContent>;
}

/** A form whose `data` has some fields. */
export interface ThemeFormRule {
  readonly body: BodyRule;
  /** @throws VALIDATION_FAILED by part, and by field of `data`. */
  read(parts: readonly Part[]): ThemeForm;
}

const DATA = 'data';
const IMAGE: Schema = { type: 'string', format: 'binary' };

/** The form of `data` with these fields. */
export function themeForm(data: ObjectSchema): ThemeFormRule {
  const validate = compileValidator(data);
  const images = Object.fromEntries(THEME_FILE_NAMES.map((name) => [name, IMAGE]));
  const schema: Schema = {
    type: 'object',
    properties: { [DATA]: describedObject(data), ...images },
    required: [DATA],
  };
  return {
    body: { kind: 'multipart', bytesMax: FORM_BYTES_MAX, validate: null, schema },
    read: (parts) => {
      const problems = new Problems();
      const named = byName(parts, problems);
      const sent = dataIn(named.get(DATA), problems);
      const files = filesIn(named, problems);
      if (!problems.isEmpty) throw problems.error();
      const found = validate(sent);
      if (found !== null) throw Problems.of(found).error();
      return { data: sent as ThemeForm['data'], files };
    },
  };
}

function byName(parts: readonly Part[], problems: Problems): ReadonlyMap<string, Part> {
  const named = new Map<string, Part>();
  for (const part of parts) {
    const { name } = part;
    const isKnown = name === DATA || THEME_FILE_NAMES.some((one) => one === name);
    if (!isKnown) {
      problems.add(name || 'body', `a part may be ${[DATA, ...THEME_FILE_NAMES].join(', ')}`);
    } else if (named.has(name)) problems.add(name, 'is there twice');
    else named.set(name, part);
  }
  return named;
}

function dataIn(part: Part | undefined, problems: Problems): unknown {
  if (part === undefined) {
    problems.add(DATA, 'is required: a JSON object');
    return null;
  }
  try {
    const sent: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(part.bytes));
    if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) return sent;
  } catch {
    // Said below, like of what is JSON and no object.
  }
  problems.add(DATA, 'must be a JSON object');
  return null;
}

function filesIn(named: ReadonlyMap<string, Part>, problems: Problems): ThemeForm['files'] {
  const files = new Map<ThemeFile, FileContent>();
  for (const name of THEME_FILE_NAMES) {
    const part = named.get(name);
    // A browser sends a field in which no file was chosen as an empty one without a name.
    if (part === undefined || (part.filename === '' && part.bytes.length === 0)) continue;
    const type = part.bytes.length > FILE_BYTES_MAX ? null : imageTypeOf(part.bytes);
    if (type !== null) files.set(name, fileContent(type, part.bytes));
    else if (part.bytes.length <= FILE_BYTES_MAX) problems.add(name, `must be ${IMAGE_NAMES}`);
    else problems.add(name, `must have at most ${FILE_BYTES_MAX} bytes`);
  }
  return files;
}
