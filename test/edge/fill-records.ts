/** Many records at once, straight into a registry: each over HTTP would be a commit of its own. */
import { created, draftNew } from '../../src/control/descriptor/draft.ts';
import type { Base, Resource } from '../../src/control/descriptor/resource.ts';
import type { RegistryEdge } from './registry-edge.ts';

/** Makes records of one request, as a client of the account would. */
export async function fillRecords<Rec extends Base>(
  edge: RegistryEdge,
  resource: Resource<Rec>,
  sent: Readonly<Record<string, unknown>>,
  count: number,
): Promise<void> {
  const { nowMs, registry } = edge;
  await registry.change({ nowMs, by: { kind: 'cli', id: '' } }, (view) =>
    Array.from({ length: count }, () =>
      created(resource, draftNew(resource, { sent, userId: '', nowMs, view }).record),
    ),
  );
}
