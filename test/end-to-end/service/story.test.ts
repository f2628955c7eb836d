// Goal: what people do with the service from its first start to the end of a site holds together, and
// every answer outlives the process that gave it (M-5, M-11, M-15, M-30, M-40, M-80, M-81).
// Method: one story over HTTP against the built service; SIGKILL at random moments between its chapters.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEED } from '../../support/runs.ts';
import { playStory } from '../../support/story/chapters.ts';
import { Stage } from '../../support/story/stage.ts';
import { Stream } from '../../torture/random.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open(1, new Stream('story', SEED));
}, 60_000);

afterAll(() => stage?.dispose());

test(`a site lives and ends on a node that is killed all the time (seed ${SEED})`, {
  timeout: 240_000,
}, async () => {
  await playStory(stage, () => stage.strike());
  expect(stage.killCount).toBeGreaterThan(5);
});
