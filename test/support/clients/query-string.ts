/** Query strings for whoever asks the service something. */

/** A query parameter: a value, or several values of a repeated parameter. */
export type ParameterValue = string | number | boolean | readonly (string | number)[];
export type Parameters = Readonly<Record<string, ParameterValue | undefined>>;

/** `?a=1&b=2&b=3`, '' without parameters; undefined values are left out. */
export function queryString(parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
