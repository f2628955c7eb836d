/**
 * From an address to a place: known ones, and the new ones that every new visitor brings.
 *
 * The rejected way is maxmind's reader behind a cache of addresses: quick for what it remembers,
 * but a new address is parsed, walked and decoded anew although its leaf has been seen.
 */
import { type Locate, openLocator, openReaderLocator } from '../../../src/ingest/place/locate.ts';
import { visitAddress } from '../../harness/load/pool.ts';
import { benchmark } from '../../harness/suite.ts';

benchmark('ingest/locate: an address', ({ size }) => {
  const known = size({ smoke: 50, full: 5_000 });
  // More than the cache holds: by the time an address comes round again it has been forgotten.
  const fresh = size({ smoke: 200, full: 200_000 });
  const addresses = Array.from({ length: fresh }, (_, ordinal) => visitAddress(ordinal));
  const walk = openLocator(null);
  const cached = openReaderLocator(null);
  const locateFirst = (locate: Locate, count: number) => {
    let length = 0;
    for (let index = 0; index < count; index++) length += locate(addresses[index]!).country.length;
    return length;
  };
  return {
    'known, tree walked': { elements: known, run: () => locateFirst(walk, known) },
    'known, maxmind and a cache': { elements: known, run: () => locateFirst(cached, known) },
    'new, tree walked': { elements: fresh, run: () => locateFirst(walk, fresh) },
    'new, maxmind and a cache': { elements: fresh, run: () => locateFirst(cached, fresh) },
  };
});
