// Goal: what is known of user agents is read fast: all profiles are of one hidden class.
// Method: profiles of many agents, compared by the engine itself.

import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { AgentProfiles } from '../../../src/ingest/agent/agent-profile.ts';
import { VisitorIds } from '../../../src/ingest/visitor/visitor.ts';

test('profiles have one shape, whatever the agent', () => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameShape = new Function('a', 'b', 'return %HaveSameMap(a, b)');
  const profiles = new AgentProfiles(new VisitorIds(new Uint8Array(32)));
  const systems = [
    'Windows NT 10.0; Win64; x64',
    'X11; Linux x86_64',
    'Linux; Android 14; Pixel 8',
  ];
  const made = Array.from({ length: 60 }, (_, index) => {
    const engine = `AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${90 + index}.0.0.0 Safari/537.36`;
    return profiles.of(`Mozilla/5.0 (${systems[index % systems.length]}) ${engine}`);
  });
  // The first ones: the engine has not seen yet how large a digest can be.
  const [first, ...others] = made.slice(20);
  for (const other of others) expect(haveSameShape(first, other)).toBe(true);
});
