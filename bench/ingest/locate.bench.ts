/** From an address to a place: known ones, and the new ones that every new visitor brings. */
import { openLocator } from '../../src/ingest/locate.ts';
import { visitAddress } from '../harness/pool.ts';
import { benchmark } from '../harness/suite.ts';

benchmark('ingest/locate: an address', ({ size }) => {
  const known = size({ smoke: 50, full: 5_000 });
  // More than the cache holds: by the time an address comes round again it has been forgotten.
  const fresh = size({ smoke: 200, full: 200_000 });
  const addresses = Array.from({ length: fresh }, (_, ordinal) => visitAddress(ordinal));
  const locate = openLocator(null);
  const locateFirst = (count: number) => {
    let length = 0;
    for (let index = 0; index < count; index++) length += locate(addresses[index]!).country.length;
    return length;
  };
  return {
    known: { elements: known, run: () => locateFirst(known) },
    new: { elements: fresh, run: () => locateFirst(fresh) },
  };
});
