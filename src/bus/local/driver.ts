/** The log on this machine, as a row of `bus/drivers.ts`: files in the data directory. Control plane. */

import { join } from 'node:path';
import type { Settings } from '../../settings/schema.ts';
import type { LogDriver, OpenLog } from '../log/driver.ts';
import type { LogWriterLink } from '../log/links.ts';
import type { LocalLogOptions } from './log-files.ts';
import { LocalLogReader } from './log-reader.ts';

const IDENTITY = { kind: 'local' } as const;

export const localDriver = {
  kind: 'local',
  isShared: false,
  isAsked: () => true,
  options(settings: Settings): LocalLogOptions {
    const { dataDir, durability } = settings;
    return { dir: directoryOf(dataDir), durability };
  },
  async open(options: LocalLogOptions, link: LogWriterLink): Promise<OpenLog> {
    const { LocalLogWriter } = await import('./log-writer.ts');
    const writer = new LocalLogWriter(options, link);
    return {
      identity: IDENTITY,
      answer: () => undefined,
      // Blocks its thread, which has no event loop to speak of.
      run: async () => writer.run(),
    };
  },
  reader: (dataDir) => new LocalLogReader(directoryOf(dataDir)),
  whereabouts: () => 'the log of this machine; unset FOOTFALL_NATS_SERVERS',
  replaced: () => null,
} as const satisfies LogDriver;

function directoryOf(dataDir: string): string {
  return join(dataDir, 'log');
}
