/** Everything that `footfall doctor` looks at, in the order in which it tells. Control plane. */

import { accessSync, constants } from 'node:fs';
import type { Settings } from '../../settings/schema.ts';
import { examineClock } from './clock.ts';
import { examineDisk } from './disk.ts';
import type { Finding } from './finding.ts';
import { examineInstallation, existingDirectory } from './installation.ts';
import { examineMachine } from './machine.ts';

/** Looks at the installation, its disk and the machine; what it writes it removes again. */
export async function examine(settings: Settings): Promise<Finding[]> {
  const installation = await examineInstallation(settings);
  const place = existingDirectory(settings.dataDir);
  const disk = mayWrite(place) ? examineDisk(place) : [];
  const clock = await examineClock(settings.dataDir);
  return [...installation, ...disk, ...clock, ...examineMachine(settings)];
}

/** If not, the data directory has its line already. */
function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
