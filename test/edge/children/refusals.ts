/** What tests of all resources of a domain share: refusals by field that leave nothing behind. */
import { expect } from 'vitest';
import type { Reply } from '../edge.ts';
import type { RegistryEdge } from '../registry-edge.ts';

/** One second later, so that a change is seen by its `mod_time`. */
export const LATER = '2026-11-20T12:00:01.000Z';

/** Sends what has to be refused; nothing may have been written down. @param fields that are named. */
export async function expectRefused(
  edge: RegistryEdge,
  [method, path, body, bearer]: readonly [string, string, unknown, string?],
  fields: readonly string[],
): Promise<Reply> {
  const before = edge.registry.sequence;
  const reply = await edge.send(method, path, body, bearer);
  const sent = `${method} ${path} ${JSON.stringify(body)?.slice(0, 200)}`;
  expect(reply.status, sent).toBe(400);
  expect(Object.keys(reply.json.validation).toSorted(), sent).toEqual(fields.toSorted());
  edge.registry.refresh();
  expect(edge.registry.sequence).toBe(before);
  return reply;
}

/** Sends what names nothing that this caller may see. */
export async function expectUnseen(
  edge: RegistryEdge,
  [method, path, body, bearer]: readonly [string, string, unknown, string?],
): Promise<void> {
  const before = edge.registry.sequence;
  expect([(await edge.send(method, path, body, bearer)).status, method, path]).toEqual([
    404,
    method,
    path,
  ]);
  expect(edge.registry.sequence).toBe(before);
}
