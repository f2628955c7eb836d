/** What a hit costs between the edge's checks and the log: the whole pipeline, and the URL alone. */
import { parsePageUrl } from '../../src/ingest/page/page-url.ts';
import { hitInputs, openPipeline } from '../harness/data/workload.ts';
import { benchmark } from '../harness/suite.ts';

benchmark('ingest/pipeline: a page view', ({ seed, size }) => {
  const hits = size({ smoke: 300, full: 30_000 });
  const inputs = hitInputs({ seed, hits });
  const warm = openPipeline();
  const runAll = (pipeline: ReturnType<typeof openPipeline>) => {
    let length = 0;
    for (const input of inputs) {
      const hit = pipeline.run(input);
      length += typeof hit === 'number' ? hit : hit.path.length + hit.visitorLow;
    }
    return length;
  };
  return {
    'caches warm': { elements: hits, run: () => runAll(warm) },
    'caches empty at first': { elements: hits, run: () => runAll(openPipeline()) },
  };
});

benchmark('ingest/page-url: parse', ({ seed, size }) => {
  const hits = size({ smoke: 300, full: 10_000 });
  const urls = hitInputs({ seed, hits }).map(({ raw }) => String(raw.url));
  return {
    parsePageUrl: {
      elements: hits,
      run: () => {
        let length = 0;
        for (const url of urls) length += parsePageUrl(url)?.path.length ?? 0;
        return length;
      },
    },
    // The platform's parser, which also checks and normalises more.
    'new URL': {
      elements: hits,
      run: () => {
        let length = 0;
        for (const url of urls) length += new URL(url).pathname.length;
        return length;
      },
    },
  };
});
