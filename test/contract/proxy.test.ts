// Goal: behind the example of a proxy nobody chooses the address that requests are counted under.
// Method: the file, read as nginx reads its lines.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADDRESS_HEADERS } from '../../src/edge/http/client-address.ts';

test('the example replaces or removes every header that says whose request it is (A-42, M-90)', () => {
  const lines = readFileSync('config/docker/nginx.conf', 'utf8').split('\n');
  const set = lines.flatMap((line) => /^\s*proxy_set_header\s+(\S+)\s+(.*);$/.exec(line) ?? []);
  const named = set.map((word) => word.toLowerCase());
  expect(ADDRESS_HEADERS.filter((name) => !named.includes(name))).toEqual([]);
});
