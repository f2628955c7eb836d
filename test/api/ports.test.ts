// Goal: what the endpoints ask for is what the rest of the program offers.
// Method: the type checker compares the ports with the classes that stand behind them.
import { expectTypeOf, test } from 'vitest';
import type {
  AccessPort,
  FunnelsPort,
  GoalsPort,
  HitsPort,
  PipelinePort,
} from '../../src/api/ports.ts';
import type { HitWriter } from '../../src/bus/log/hit-writer.ts';
import type { Access } from '../../src/control/access.ts';
import type { Funnels } from '../../src/control/funnels.ts';
import type { Goals } from '../../src/control/goals.ts';
import type { Pipeline } from '../../src/ingest/pipeline.ts';

test('access, goals, funnels, hit writer and pipeline fit their ports', () => {
  expectTypeOf<Access>().toExtend<AccessPort>();
  expectTypeOf<Goals>().toExtend<GoalsPort>();
  expectTypeOf<Funnels>().toExtend<FunnelsPort>();
  expectTypeOf<HitWriter>().toExtend<HitsPort>();
  expectTypeOf<Pipeline>().toExtend<PipelinePort>();
});
