/** Which benchmarks are run. Control plane. */

/** Whether a name contains one of the parts that were asked for; every name where none were. */
export function isChosen(name: string, parts: readonly string[]): boolean {
  return parts.length === 0 || parts.some((part) => name.includes(part));
}
