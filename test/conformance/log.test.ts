// Goal: every driver of the log keeps the promises of every log.
// Method: the suite of `log.conformance.ts` over all rows of `bus/drivers.ts`; a row without a place to
//   test it does not compile.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOG_DRIVERS, type LogKind } from '../../src/bus/drivers.ts';
import { steppedPlace, threadPlace } from '../bus/local/directory-place.ts';
import { natsPlace } from '../bus/nats/stream-place.ts';
import { NatsServer } from '../support/nats-server.ts';
import { type LogPlace, testLog } from './log.conformance.ts';

const server = new NatsServer();

beforeAll(() => server.start());
afterAll(() => server.dispose());

/** By driver: where it is tested, by what is special about it there. */
const PLACES: Record<LogKind, Record<string, LogPlace>> = {
  local: {
    'the local log with a thread of its own': threadPlace,
    'the local log stepped in one thread': steppedPlace,
  },
  nats: { 'the log on JetStream': natsPlace(server) },
};

test('every row is a kind of its own, and the settings of a new installation ask for one', () => {
  const kinds = LOG_DRIVERS.map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(kinds.toSorted()).toEqual(Object.keys(PLACES).toSorted());
});

for (const { kind } of LOG_DRIVERS) {
  for (const [name, place] of Object.entries(PLACES[kind])) testLog(name, place);
}
