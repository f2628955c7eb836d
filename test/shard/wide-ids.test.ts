/**
 * Goal: no text is lost where its id is the first that needs a wider column.
 * Method: as many distinct values as cross one and two bytes, in every column that holds texts, as hits
 * bring them and as a deletion copies them; each row must give back what was sent.
 */
import { expect, test } from 'vitest';
import { TEXT_DIMENSIONS } from '../../src/model/dimensions.ts';
import type { Hit } from '../../src/model/hit.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import { KIND } from '../../src/segment/memory/dictionary.ts';
import type { Segment } from '../../src/segment/memory/segment.ts';
import { DomainState, type StateReader } from '../../src/shard/state/domain-state.ts';
import { eraseNextDay, expectErasure } from '../../src/shard/state/erasure.ts';
import { Sessionizer } from '../../src/shard/state/sessionizer.ts';
import { applyHits, event, hit, MONDAY_MS } from './hit-builder.ts';

const NOTHING_STORED: StateReader = {
  segment: () => null,
  segmentMaxMs: () => Number.NEGATIVE_INFINITY,
  idempotencyReceivedMs: () => undefined,
};
const DAY = MONDAY_MS / DAY_MS;
const NOON = MONDAY_MS + DAY_MS / 2;
/** Ids of one byte, and a few beyond. */
const COUNT = 260;

function fieldsOf(number: number): Partial<Hit> {
  const dimensions = Object.fromEntries(TEXT_DIMENSIONS.map((name) => [name, `${name} ${number}`]));
  const pairs = [`key ${number}`, `value ${number}`];
  return { ...dimensions, path: `/${number}`, title: `title ${number}`, pairs };
}

/** Every text of the session, its view and its event, by column. */
function textsOf(segment: Segment, row: number): Record<string, string | undefined> {
  const { sessions, views, events, tagPairs, metaPairs, dictionary } = segment;
  const text = (kind: number, id: number | undefined) => dictionary.texts(kind)[id ?? -1];
  const found: Record<string, string | undefined> = {
    viewPath: text(KIND.path, views.columns.path[row * 2]),
    viewTitle: text(KIND.title, views.columns.title[row * 2]),
    tagKey: text(KIND.tagKey, tagPairs.columns.key[row]),
    tagValue: text(KIND.tagValue, tagPairs.columns.value[row]),
    eventName: text(KIND.eventName, events.columns.name[row]),
    eventPath: text(KIND.path, events.columns.path[row]),
    metaKey: text(KIND.metaKey, metaPairs.columns.key[row]),
    metaValue: text(KIND.metaValue, metaPairs.columns.value[row]),
    entryPath: text(KIND.path, sessions.columns.entryPath[row * 2]),
    exitPath: text(KIND.path, sessions.columns.exitPath[row * 2]),
    entryTitle: text(KIND.title, sessions.columns.entryTitle[row * 2]),
    exitTitle: text(KIND.title, sessions.columns.exitTitle[row * 2]),
  };
  for (const name of TEXT_DIMENSIONS) {
    found[name] = text(KIND[name], sessions.columns[name][row * 2]);
  }
  return found;
}

function expectedOf(number: number): Record<string, string> {
  const dimensions = Object.fromEntries(TEXT_DIMENSIONS.map((name) => [name, `${name} ${number}`]));
  return {
    ...{ viewPath: `/${number}`, viewTitle: `title ${number}`, eventPath: `/e${number}` },
    ...{ tagKey: `key ${number}`, tagValue: `value ${number}`, eventName: `event ${number}` },
    ...{ metaKey: `key ${number}`, metaValue: `value ${number}` },
    ...{ entryPath: `/${number}`, exitPath: `/${number}` },
    ...{ entryTitle: `title ${number}`, exitTitle: `title ${number}` },
    ...dimensions,
  };
}

/** One visitor with a tagged view, and one whose event opens a session, for every number. */
function crowd(): Hit[] {
  return Array.from({ length: COUNT }, (_, number) => [
    hit(number * 2 + 1, NOON, fieldsOf(number)),
    event(number * 2 + 2, NOON, {
      ...{ eventName: `event ${number}`, path: `/e${number}`, title: '' },
      pairs: [`key ${number}`, `value ${number}`],
    }),
  ]).flat();
}

function expectAll(segment: Segment): void {
  for (let number = 0; number < COUNT; number++) {
    expect(textsOf(segment, number)).toEqual(expectedOf(number));
  }
}

test('the value of every text is kept where ids begin to need two bytes (S-30, I-7)', () => {
  const domain = new DomainState(NOTHING_STORED, 'domain', null);
  applyHits(new Sessionizer(), domain, crowd());
  expectAll(domain.segmentOf(DAY).segment);
});

test('a deletion keeps the texts of what stays where ids begin to need two bytes (A-81)', () => {
  const domain = new DomainState(NOTHING_STORED, 'domain', null);
  applyHits(new Sessionizer(), domain, [...crowd(), hit(9_999, NOON + 60_000)]);
  const { segment } = domain.segmentOf(DAY);
  const erasure = {
    domainId: 'domain',
    kind: 'all',
    startMs: NOON + 1,
    endMs: NOON + DAY_MS,
  } as const;
  expectErasure(domain, erasure, [segment]);
  eraseNextDay(domain);
  expect(domain.segmentOf(DAY).segment.views.rowCount).toBe(COUNT * 2);
  expectAll(domain.segmentOf(DAY).segment);
});

test('65,536 distinct campaigns of a day are told apart', () => {
  const domain = new DomainState(NOTHING_STORED, 'domain', null);
  const sessionizer = new Sessionizer();
  const lot = 4_096;
  for (let first = 0; first < 65_536 + lot; first += lot) {
    const hits = Array.from({ length: lot }, (_, at) =>
      hit(first + at + 1, NOON, { utmCampaign: `campaign ${first + at}` }),
    );
    applyHits(sessionizer, domain, hits);
  }
  const { sessions, dictionary } = domain.segmentOf(DAY).segment;
  const campaigns = dictionary.texts(KIND.utmCampaign);
  for (let row = 0; row < sessions.rowCount; row++) {
    const campaign = campaigns[sessions.columns.utmCampaign[row]!];
    if (campaign !== `campaign ${row}`) expect.fail(`session ${row}`);
  }
});
