/** What the operating system refuses of a data directory, as an error that says what to do. */
import { errors, OperatingError } from '../model/errors.ts';

/** Uses files of a data directory. @throws DATA_DIR_UNUSABLE for what the system says. */
export function usingDataDir<Result>(dataDir: string, use: () => Result): Result {
  try {
    return use();
  } catch (cause) {
    if (cause instanceof OperatingError) throw cause;
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: (cause as Error).message }, cause);
  }
}
