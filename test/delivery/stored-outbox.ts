/** The outbox of one shard as its actor has it, for tests of who sends: on disk, asked alike. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errors } from '../../src/model/errors.ts';
import { asDomainId, asSequence, asShardId } from '../../src/model/ids.ts';
import type { EventNote, OutboxCall, OutboxHead } from '../../src/model/outbox.ts';
import { answerOutbox } from '../../src/shard/actor/outbox-answers.ts';
import { type NotedEvent, notesOf } from '../../src/shard/outbox/noted-event.ts';
import { outboxHeads, saveNotes } from '../../src/shard/outbox/outbox-store.ts';
import type { Shard } from '../../src/shard/state/shard.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';

export const SHARD = asShardId(3);
export const DOMAIN = asDomainId('shop');

/** An outbox in a directory of its own. */
export class StoredOutbox {
  readonly environment: StateEnvironment;
  readonly #directory = mkdtempSync(join(tmpdir(), 'footfall-outbox-'));
  /** The shard is somebody else's. */
  isMoved = false;
  /** The disk refuses writes. */
  isBroken = false;
  /** Nothing is answered. */
  isMute = false;
  #sequence = 0;

  constructor() {
    this.environment = new StateEnvironment(this.#directory);
  }

  /** Notes of events, one after the other. @returns their ids. */
  note(webhookId: string, count: number, notedMs: number, domainId = DOMAIN): string[] {
    const events = Array.from({ length: count }, (): NotedEvent => {
      this.#sequence++;
      const place = { sequence: asSequence(this.#sequence), step: 1 };
      const words = { webhooks: webhookId, head: '{"id":', tail: '}' };
      return { shard: SHARD, ...place, eventName: 'sold', notedMs, ...words };
    });
    this.environment.write(() => saveNotes(this.environment, domainId, events));
    return events.flatMap((event) => [...notesOf(event)].map(({ id }) => id));
  }

  /** Notes an event that several webhooks are told of. @returns its notes. */
  noteFor(webhookIds: readonly string[], text = ''): EventNote[] {
    this.#sequence++;
    const event: NotedEvent = {
      ...{ shard: SHARD, sequence: asSequence(this.#sequence), step: 1, eventName: 'sold' },
      ...{ notedMs: 1, webhooks: webhookIds.join(','), head: '{"id":' },
      tail: `,${JSON.stringify({ number: this.#sequence, text }).slice(1)}`,
    };
    this.environment.write(() => saveNotes(this.environment, DOMAIN, [event]));
    return [...notesOf(event)];
  }

  /** As `ActorClient.ask`. */
  ask = async (_: number, call: OutboxCall): Promise<unknown> => {
    if (this.isMoved) throw errors.SHARD_MOVED({});
    const isRead = call.kind === 'outbox-heads' || call.kind === 'outbox-due';
    if (this.isMute) throw errors.STATE_WRITE_FAILED({ reason: 'a test' });
    if (this.isBroken && !isRead) throw errors.STATE_WRITE_FAILED({ reason: 'no space' });
    const { environment } = this;
    const shard = { hasEnvironment: true, environment: () => environment };
    return structuredClone(answerOutbox(shard as unknown as Shard, structuredClone(call)));
  };

  heads(): OutboxHead[] {
    this.environment.refresh();
    return [...outboxHeads(this.environment)];
  }

  async close(): Promise<void> {
    await this.environment.close();
    rmSync(this.#directory, { recursive: true });
  }
}
