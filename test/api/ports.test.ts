// Goal: what the endpoints ask for is what the rest of the program offers.
// Method: the type checker compares the ports with the classes that stand behind them.
import { expectTypeOf, test } from 'vitest';
import type { AccessPort, HitsPort, PipelinePort, RecordsPort } from '../../src/api/ports.ts';
import type { HitWriter } from '../../src/bus/log/hit-writer.ts';
import type { Access } from '../../src/control/access.ts';
import type { Records } from '../../src/control/records.ts';
import type { Pipeline } from '../../src/ingest/pipeline.ts';

test('access, records, hit writer and pipeline fit their ports', () => {
  expectTypeOf<Access>().toExtend<AccessPort>();
  expectTypeOf<Records>().toExtend<RecordsPort>();
  expectTypeOf<HitWriter>().toExtend<HitsPort>();
  expectTypeOf<Pipeline>().toExtend<PipelinePort>();
});
