/**
 * Whether a caller is of a kind that may do something, and has a scope for it (M-3, A-17, A-18).
 *
 * The one place that compares scopes: asked by the edge for the row of an endpoint, and by handlers
 * where the request decides which right it takes (`manage/place-rights.ts`).
 */
import type { Credential } from '../model/credential.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import type { CallerKind, Scopes } from '../model/rights.ts';
import type { Auth, Scope } from './endpoint.ts';

/** @throws ACCESS_KEY_LIMITED, ROLE_MISSING, SCOPE_MISSING. */
export function checkGranted(
  { callers, scopes }: Pick<Auth, 'callers' | 'scopes'>,
  credential: Credential,
): void {
  if (!callers.includes(credential.kind)) throw refusalOf(credential.kind, callers);
  if (isGranted(credential.scopes, scopes)) return;
  const { area, right } = scopes[0] as Scope;
  throw errors.SCOPE_MISSING({ area, access: right });
}

function refusalOf(kind: CallerKind, callers: readonly CallerKind[]): OperatingError {
  if (kind === 'key') return errors.ACCESS_KEY_LIMITED({});
  if (callers.every((one) => one === 'person')) {
    return errors.ROLE_MISSING({ needed: 'a signed-in person' });
  }
  const needed =
    kind === 'code'
      ? 'a user or a client; an access code only shows a dashboard'
      : 'a client of the account; this one is of a single domain';
  return errors.ROLE_MISSING({ needed });
}

/** Any of the wanted scopes will do; `w` includes `r`. */
function isGranted(scopes: Scopes, wanted: readonly Scope[]): boolean {
  for (const { area, right } of wanted) {
    const held = scopes[area];
    if (held === 'w' || (held === 'r' && right === 'r')) return true;
  }
  return wanted.length === 0;
}
