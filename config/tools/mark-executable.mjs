// The compiler writes plain files; `npx footfall` needs the command's file to be executable.
import { chmodSync } from 'node:fs';

chmodSync(new URL('../../dist/src/main.js', import.meta.url), 0o755);
