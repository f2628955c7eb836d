// Goal: the service runs on the best HTTP engine that this Node on this system can load, and one that
// can load none is told in one line what to use instead.
// Method: the real engines; loaders that fail as the engines do on an old C library.
import { expect, test } from 'vitest';
import { type EngineSource, loadHttpEngine } from '../../../src/edge/http/http-engine.ts';
import { QUERY_STRING_BYTES_MAX, REQUEST_HEAD_BYTES_MAX } from '../../../src/model/limits.ts';

const OLD_SYSTEM =
  'This version supports only some platforms.\n\n' +
  "Error: libc.so.6: version `GLIBC_2.38' not found\nRequire stack:\n- /srv/uws.js";

function source(packageName: string, module: unknown): EngineSource {
  return {
    packageName,
    load: () => (module instanceof Error ? Promise.reject(module) : Promise.resolve(module)),
  };
}

test('this Node loads an HTTP engine', async () => {
  const { engine } = await loadHttpEngine();
  expect(engine.App).toBeTypeOf('function');
  expect(engine.us_socket_local_port).toBeTypeOf('function');
});

test('the better engine is taken where it loads', async () => {
  const better = { App: 1 };
  const loaded = await loadHttpEngine([source('better', better), source('older', { App: 2 })]);
  expect(loaded).toEqual({ packageName: 'better', engine: better });
});

test('the older one is taken where the better one does not load', async () => {
  const older = { App: 2 };
  const sources = [source('better', new Error(OLD_SYSTEM)), source('older', { default: older })];
  expect(await loadHttpEngine(sources)).toEqual({ packageName: 'older', engine: older });
});

test('a Node that loads none says what the system said and what to use, in one line', async () => {
  const sources = [source('better', new Error(OLD_SYSTEM)), source('older', new Error('none'))];
  const error: Error = await loadHttpEngine(sources).then(
    () => new Error('it was loaded'),
    (fault: Error) => fault,
  );
  expect(error).toMatchObject({ code: 'HTTP_ENGINE_UNUSABLE' });
  expect(error.message).toContain("version `GLIBC_2.38' not found");
  expect(error.message).toContain('use Node 22');
  expect(error.message).not.toContain('\n');
});

test('a head has room for the longest query', () => {
  expect(REQUEST_HEAD_BYTES_MAX).toBeGreaterThan(QUERY_STRING_BYTES_MAX);
});
