/** Where a backup goes. Control plane, synchronous: nothing else is to be done meanwhile. */

/** Takes objects, then the manifest. */
export interface BackupSink {
  /** What is told to people. */
  readonly path: string;
  /** Keeps bytes under their SHA-256. @returns it. */
  put(bytes: Uint8Array): string;
  /** Makes the backup one: everything is on disk then. @param manifest its text. */
  finish(manifest: string): void;
  /** What was put. */
  readonly counts: SinkCounts;
}

/** Bytes and objects. */
export interface SinkCounts {
  objects: number;
  bytes: number;
  /** Of those, what was not there before. */
  newObjects: number;
  newBytes: number;
}

/** Nothing yet. */
export function noCounts(): SinkCounts {
  return { objects: 0, bytes: 0, newObjects: 0, newBytes: 0 };
}
