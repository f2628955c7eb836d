// Goal: the same story as on one node (`service/story.test.ts`) on three, whichever node is asked.
// Method: three built services on a real NATS server; requests go to the nodes in turn, and between the
// chapters a node is killed that is away for the next one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEED } from '../../support/runs.ts';
import { playStory } from '../../support/story/chapters.ts';
import { Stage } from '../../support/story/stage.ts';
import { Stream } from '../../torture/random.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open(3, new Stream('story of three', SEED));
}, 120_000);

afterAll(() => stage?.dispose());

test(`a site lives and ends on three nodes of which one is always killed (M-5, M-11, seed ${SEED})`, {
  timeout: 420_000,
}, async () => {
  await playStory(stage, () => stage.strike());
  expect(stage.killCount).toBeGreaterThan(5);
});
