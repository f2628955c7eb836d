/** What a client may, area by area: as fields of its form, and in words (M-40). */
import { type SayKey, say } from '../../words/settings.ts';
import type { Field } from '../forms/fields.ts';

/** What clients of a site may have; those of an account have all areas. */
export const SCOPES = ['hit', 'event', 'session', 'statistics', 'domains'] as const;
const AREAS = [...SCOPES, 'organizations', 'themes', 'billing'] as const;
const COLLECTED: readonly string[] = ['hit', 'event', 'session'];
const isOauth = ({ type }: Readonly<Record<string, unknown>>) => type !== 'token';

/** The scope of an area; what only collects is never read (M-40). */
export function scopeField(area: (typeof AREAS)[number]): Field {
  const isCollected = COLLECTED.includes(area);
  return {
    ...{ name: `scope_${area}`, label: `scope_${area}`, kind: 'choice', isOnce: true },
    ...(isCollected ? {} : { isShown: isOauth }),
    choices: [
      ['', 'none'],
      ...(isCollected ? [] : [['r', 'mayRead'] as const]),
      ['w', isCollected ? 'maySend' : 'mayWrite'],
    ],
  };
}

/** What a client may, in the words of the form. */
export function scopesOf(client: Readonly<Record<string, unknown>>): string[] {
  return AREAS.flatMap((area) => {
    const right = String(client[`scope_${area}`] ?? '');
    return right === '' ? [] : `${say(`scope_${area}`)}: ${say(rightWord(area, right))}`;
  });
}

/** What a right in an area allows. @param right `r` or `w`. */
export function rightWord(area: string, right: string): SayKey {
  if (right === 'r') return 'mayRead';
  return COLLECTED.includes(area) ? 'maySend' : 'mayWrite';
}
