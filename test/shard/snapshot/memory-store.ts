/** A store of snapshots in memory. */

import type { SnapshotStore } from '../../../src/shard/snapshot/snapshot.ts';

/** What was put can be counted. */
export class MemoryStore implements SnapshotStore {
  readonly objects = new Map<string, Uint8Array>();
  manifest: { value: unknown; revision: number } | null = null;
  puts = 0;

  async readManifest<Found>(): Promise<{ value: Found; revision: number } | null> {
    return structuredClone(this.manifest) as { value: Found; revision: number } | null;
  }

  async writeManifest(_: number, value: unknown, revision: number): Promise<boolean> {
    if ((this.manifest?.revision ?? 0) !== revision) return false;
    this.manifest = { value: structuredClone(value), revision: revision + 1 };
    return true;
  }

  async putObject(name: string, bytes: Uint8Array): Promise<void> {
    this.puts++;
    this.objects.set(name, bytes.slice());
  }

  async getObject(name: string): Promise<Uint8Array> {
    const bytes = this.objects.get(name);
    if (bytes === undefined) throw new Error(`${name} is missing`);
    return bytes;
  }

  async deleteObject(name: string): Promise<void> {
    this.objects.delete(name);
  }
}
