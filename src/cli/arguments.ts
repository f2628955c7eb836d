/** Values of flags that commands share: parsed, or refused with what they have to be. Control plane. */
import { InvalidArgumentError } from 'commander';

/** Parses a whole number between two bounds, or says what it must be. */
export function whole(min: number, max: number): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}`);
  };
}

/** Takes one of a few names, or lists them. */
export function oneOf<Name extends string>(names: readonly Name[]): (given: string) => Name {
  return (given) => {
    const found = names.find((name) => name === given);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`must be one of ${names.join(', ')}`);
  };
}
