// Goal: the typed client knows every endpoint as the service is today.
// Method: the tool that writes its types looks whether it would write anything else.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the types of the client are those of the OpenAPI document', () => {
  const tool = ['config/tools/generate-client.mjs', '--check'];
  expect(execFileSync('node', tool, { encoding: 'utf8' })).toBe('');
});
