/**
 * Two-factor sign-in (M-80): begun, confirmed, asked for, ended. Pure: what is to happen comes back.
 *
 * Control plane. Each code counts once, also on two nodes at the same moment: that it was used is part
 * of the record of the registry that it led to.
 */
import { errors } from '../../model/errors.ts';
import { changed, created, deleted, draftNew } from '../descriptor/draft.ts';
import type { Change, Look } from '../descriptor/resource.ts';
import { type SecondFactor, secondFactor } from '../resources/second-factor.ts';
import { newRecoveryCodes, newTotpSecret, recoveryHash, stepOfCode } from './totp.ts';

/** Whose second factor, and where and when it is looked at. */
export interface FactorOf {
  readonly userId: string;
  readonly view: Look;
  readonly nowMs: number;
}

/** Whether a user signs in with a code as well. */
export function asksForCode(userId: string, view: Look): boolean {
  return find(userId, view)?.isConfirmed === true;
}

/** A secret for the app, instead of one that was never confirmed. @throws SECOND_FACTOR_ON. */
export function begunFactor({ userId, view, nowMs }: FactorOf) {
  const before = find(userId, view);
  if (before?.isConfirmed === true) throw errors.SECOND_FACTOR_ON({});
  const secret = newTotpSecret();
  const { record } = draftNew(secondFactor, { sent: { secret }, userId, nowMs, view });
  const gone = before === null ? [] : [deleted(secondFactor, before.id)];
  return { changes: [...gone, created(secondFactor, record)], result: secret };
}

/**
 * The app has shown that it makes the right codes: from now on they are asked for.
 *
 * @returns with the recovery codes, which are nowhere else.
 * @throws SECOND_FACTOR_ON, SECOND_FACTOR_OFF when none was begun, VALIDATION_FAILED for `code`.
 */
export function confirmedFactor({ userId, view, nowMs }: FactorOf, code: string) {
  const before = find(userId, view);
  if (before === null) throw errors.SECOND_FACTOR_OFF({});
  if (before.isConfirmed) throw errors.SECOND_FACTOR_ON({});
  const lastStep = stepOfCode(code, before, nowMs);
  if (lastStep === null) throw wrongCode('is not the code that the app shows now');
  const codes = newRecoveryCodes();
  const recoveryHashes = codes.map(recoveryHash);
  const after = { ...before, isConfirmed: true, lastStep, recoveryHashes, modifiedMs: nowMs };
  return { changes: [changed(secondFactor, after)], result: codes };
}

/** Codes are no longer asked for. @throws SECOND_FACTOR_OFF, VALIDATION_FAILED for `code`. */
export function endedFactor({ userId, view, nowMs }: FactorOf, code: string): Change[] {
  const before = find(userId, view);
  if (before?.isConfirmed !== true) throw errors.SECOND_FACTOR_OFF({});
  if (afterCode(before, code, nowMs) === null) {
    throw wrongCode('is neither the code that the app shows now nor a recovery code that is left');
  }
  return [deleted(secondFactor, before.id)];
}

/**
 * What a sign-in with a code changes; nothing for who needs none.
 *
 * @throws SIGN_IN_CODE_MISSING, SIGN_IN_CODE_WRONG.
 */
export function factorUsed({ userId, view, nowMs }: FactorOf, code: string): Change[] {
  const before = find(userId, view);
  if (before?.isConfirmed !== true) return [];
  if (code.trim() === '') throw errors.SIGN_IN_CODE_MISSING({});
  const after = afterCode(before, code, nowMs);
  if (after === null) throw errors.SIGN_IN_CODE_WRONG({});
  return [changed(secondFactor, { ...after, modifiedMs: nowMs })];
}

/** The factor when a code was used; null when the code is wrong, or was used before. */
function afterCode(before: SecondFactor, code: string, nowMs: number): SecondFactor | null {
  const lastStep = stepOfCode(code, before, nowMs);
  if (lastStep !== null) return { ...before, lastStep };
  const used = recoveryHash(code);
  const recoveryHashes = before.recoveryHashes.filter((hash) => hash !== used);
  if (recoveryHashes.length === before.recoveryHashes.length) return null;
  return { ...before, recoveryHashes };
}

function find(userId: string, view: Look): SecondFactor | null {
  return view.by(secondFactor, 'userId', userId);
}

function wrongCode(code: string) {
  return errors.VALIDATION_FAILED({ validation: { code } });
}
