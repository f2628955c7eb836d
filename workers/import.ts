/** Entry of the process that reads an import; it ends with it. */
import { runReader } from '../src/runtime/threads/import-reader.ts';

await runReader(process);
