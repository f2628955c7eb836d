// Goal: a Node that cannot load the HTTP engine is told in one line what to use instead.
// Method: the real engine loads; a loader that fails as the engine's does on an old C library.
import { expect, test } from 'vitest';
import { checkHttpEngine } from '../../src/edge/http-engine.ts';

test('this Node loads the HTTP engine', async () => {
  await expect(checkHttpEngine()).resolves.toBeUndefined();
});

test('a Node that cannot says what the system said and what to use, in one line', async () => {
  const says =
    "This version supports only some platforms.\n\nError: libc.so.6: version `GLIBC_2.38' not found";
  const error: Error = await checkHttpEngine(() => Promise.reject(new Error(says))).then(
    () => new Error('it was loaded'),
    (fault: Error) => fault,
  );
  expect(error).toMatchObject({ code: 'HTTP_ENGINE_UNUSABLE' });
  expect(error.message).toContain("version `GLIBC_2.38' not found");
  expect(error.message).toContain('use Node 20');
  expect(error.message).not.toContain('\n');
});
