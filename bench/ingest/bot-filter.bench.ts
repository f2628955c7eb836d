/**
 * What bots cost: an address in a long list, and the name of a program that nobody has seen before.
 *
 * The rejected ways are the platform's list, which walks its ranges, and one pattern made of all names.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BlockList } from 'node:net';
import { AddressRangeList, AddressSet } from '../../src/base/address-set.ts';
import { IP_WORD_COUNT, readIpWords } from '../../src/base/ip-words.ts';
import { ProgramNames } from '../../src/ingest/agent/program-names.ts';
import { benchmark } from '../harness/suite.ts';

const ADDRESS_COUNT = 256;

benchmark('base/address-set: an address', ({ size }) => {
  const ranges = size({ smoke: 100, full: 1_000_000 });
  const list = new AddressRangeList();
  const platform = new BlockList();
  for (let index = 0; index < ranges; index++) {
    const range = `${11 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}.0`;
    list.add(`${range}/25`);
    // A thousandth of them is as much as it can be asked for.
    if (index < 1_000) platform.addSubnet(range, 25, 'ipv4');
  }
  const set = new AddressSet(list.ranges());
  const words = new Uint32Array(IP_WORD_COUNT);
  const addresses = Array.from({ length: ADDRESS_COUNT }, (_, n) => `${11 + (n & 15)}.${n}.7.200`);
  const countIn = (has: (address: string) => boolean) => {
    let count = 0;
    for (const address of addresses) if (has(address)) count++;
    return count;
  };
  return {
    'a million ranges, sorted': {
      elements: ADDRESS_COUNT,
      run: () => countIn((address) => set.has(readIpWords(address, words), words)),
    },
    'a thousand ranges, BlockList': {
      elements: ADDRESS_COUNT,
      run: () => countIn((address) => platform.check(address, 'ipv4')),
    },
  };
});

benchmark('ingest/program-names: a user agent', ({ size }) => {
  const path = createRequire(import.meta.url).resolve('crawler-user-agents');
  const listed = JSON.parse(readFileSync(path, 'utf8')) as {
    pattern: string;
    instances?: string[];
  }[];
  const agents = listed
    .flatMap(({ instances = [] }) => instances)
    .slice(0, size({ smoke: 50, full: 2_000 }));
  const names = new ProgramNames();
  const combined = new RegExp(listed.map(({ pattern }) => pattern).join('|'));
  const { length: elements } = agents;
  const lengthBy = (find: (agent: string) => string) => {
    let length = 0;
    for (const agent of agents) length += find(agent).length;
    return length;
  };
  return {
    'index of three characters': { elements, run: () => lengthBy((agent) => names.find(agent)) },
    'one pattern of all': {
      elements,
      run: () => lengthBy((agent) => combined.exec(agent)?.[0] ?? ''),
    },
  };
});
