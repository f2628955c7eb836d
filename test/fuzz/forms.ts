/** Odd multipart bodies: parts too many, too few, of other names, with files that are none. */
import type { FormPart } from '../support/clients/multipart.ts';
import type { Stream } from '../torture/random.ts';
import { jsonOf, oddText, oddValue } from './odd-values.ts';

const NAMES = ['data', 'logo_light', 'logo_dark', 'favicon', 'Data', 'logo', '', 'data[]'];

/** How files begin that are what they say. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const GIF = Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const FILES: readonly Uint8Array[] = [
  ...[PNG, GIF, SVG, Buffer.from('<?xml version="1.0"?><svg/>'), Buffer.from('<html></html>')],
  ...[Buffer.alloc(0), Buffer.from([0xff, 0xd8, 0xff]), Buffer.from([0, 0, 1, 0])],
  // At a limit of a mebibyte, and beyond it.
  ...[1_048_576, 1_048_577].map((size) => Buffer.concat([PNG, Buffer.alloc(size - PNG.length, 1)])),
];

/** Changes the parts of a form in one way. */
export function changeForm(form: FormPart[], random: Stream): void {
  const part = form[random.whole(0, Math.max(0, form.length - 1))];
  random.weighted<() => void>([
    [4, () => form.push(file(random))],
    [4, () => part && changeData(part, random)],
    [1, () => part && form.push({ ...part })],
    [1, () => void form.pop()],
    [1, () => part && renamed(part, random)],
    [1, () => manyParts(form, random)],
  ])();
}

function file(random: Stream): FormPart {
  return {
    name: random.pick(NAMES),
    filename: random.pick([
      'a.png',
      '',
      '../../etc/passwd',
      'a"b.svg',
      oddText(random).slice(0, 200),
    ]),
    content: random.pick(FILES),
  };
}

/** A value of the JSON is another one, or the whole of it. */
function changeData(part: FormPart, random: Stream): void {
  const data = typeof part.content === 'string' ? objectOf(part.content) : null;
  const keys = Object.keys(data ?? {});
  if (data === null || keys.length === 0 || random.chance(0.2)) {
    part.content = random.chance(0.5) ? jsonOf(oddValue(random)) : oddText(random);
    return;
  }
  data[random.pick(keys)] = oddValue(random);
  part.content = jsonOf(data);
}

/** Null where there is nothing to change, or too much: it may be nested without end. */
function objectOf(text: string): Record<string, unknown> | null {
  if (text.length > 10_000) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function renamed(part: FormPart, random: Stream): void {
  part.name = random.chance(0.5) ? random.pick(NAMES) : oddText(random).slice(0, 300);
}

function manyParts(form: FormPart[], random: Stream): void {
  const count = random.pick([5, 100, 1_000]);
  for (let index = 0; index < count; index++) {
    form.push({ name: random.chance(0.5) ? 'favicon' : `part${index}`, content: 'x' });
  }
}
