/** Texts to ids: what every text dimension of a new session and every path of a view costs. */
import { Dictionary, KIND } from '../../../src/segment/memory/dictionary.ts';
import { benchmark } from '../../harness/suite.ts';

benchmark('segment/dictionary: intern', ({ size }) => {
  const texts = size({ smoke: 200, full: 50_000 });
  const paths = Array.from(
    { length: texts },
    (_, index) => `/section-${index % 40}/article-${index}`,
  );
  // Texts come from the decoder of the log, each a string of its own that has no hash yet.
  const bytes = paths.map((path) => Buffer.from(path, 'latin1'));
  const known = new Dictionary(() => {});
  for (const path of paths) known.intern(KIND.path, path);
  const internAll = (dictionary: Dictionary, fresh: boolean) => {
    let sum = 0;
    for (let index = 0; index < texts; index++) {
      const text = fresh ? bytes[index]!.toString('latin1') : paths[index]!;
      sum += dictionary.intern(KIND.path, text);
    }
    return sum;
  };
  return {
    'known texts': { elements: texts, run: () => internAll(known, false) },
    'known texts, fresh from bytes': { elements: texts, run: () => internAll(known, true) },
    'new texts': { elements: texts, run: () => internAll(new Dictionary(() => {}), false) },
  };
});
