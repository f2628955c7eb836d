/**
 * Loaded into a service by NODE_OPTIONS=--import: while the file that FAILING_SYNC names is there, the
 * disk refuses to sync (EIO), as it does when it breaks.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const marker = process.env.FAILING_SYNC ?? '';
const sync = fs.fdatasyncSync;

fs.fdatasyncSync = (fd) => {
  if (fs.existsSync(marker)) {
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), {
      code: 'EIO',
      syscall: 'fdatasync',
    });
  }
  sync(fd);
};
syncBuiltinESMExports();
