/**
 * From an address to a place: known ones, and the new ones that every new visitor brings.
 *
 * The rejected way is maxmind's reader behind a cache of addresses: quick for what it remembers,
 * but a new address is parsed, walked and decoded anew although its leaf has been seen.
 */
import { readFileSync } from 'node:fs';
import { Reader, type Response } from 'maxmind';
import { BoundedCache } from '../../../src/base/bounded-cache.ts';
import { bundledDatabase, type Locate, openLocator } from '../../../src/ingest/place/locate.ts';
import { type Place, placeOf } from '../../../src/ingest/place/place.ts';
import { visitAddress } from '../../../src/load/hits/placeholders.ts';
import { PLACE_CACHE_ENTRY_COUNT_MAX } from '../../../src/model/limits.ts';
import { benchmark } from '../../harness/suite.ts';

benchmark('ingest/locate: an address', ({ size }) => {
  const known = size({ smoke: 50, full: 5_000 });
  // More than the cache holds: by the time an address comes round again it has been forgotten.
  const fresh = size({ smoke: 200, full: 200_000 });
  const ipv4 = Array.from({ length: fresh }, (_, ordinal) => visitAddress(ordinal));
  const ipv6 = Array.from({ length: fresh }, (_, ordinal) => {
    const site = (ordinal * 7_919) % 65_536;
    return `2a0${ordinal % 10}:${site.toString(16)}:${ordinal.toString(16).padStart(8, '0').slice(4)}::1`;
  });
  const walk = openLocator([]);
  const cached = openReaderLocator();
  const locateAll = (locate: Locate, addresses: readonly string[], count: number) => {
    let length = 0;
    for (let index = 0; index < count; index++) length += locate(addresses[index]!).country.length;
    return length;
  };
  return {
    'known, tree walked': { elements: known, run: () => locateAll(walk, ipv4, known) },
    'known, maxmind and a cache': { elements: known, run: () => locateAll(cached, ipv4, known) },
    'new, tree walked': { elements: fresh, run: () => locateAll(walk, ipv4, fresh) },
    'new, maxmind and a cache': { elements: fresh, run: () => locateAll(cached, ipv4, fresh) },
    'new IPv6, tree walked': { elements: fresh, run: () => locateAll(walk, ipv6, fresh) },
    'new IPv6, maxmind and a cache': {
      elements: fresh,
      run: () => locateAll(cached, ipv6, fresh),
    },
  };
});

/** The rejected way. */
function openReaderLocator(): Locate {
  const reader = new Reader<Response>(readFileSync(bundledDatabase()));
  const places = new BoundedCache<string, Place>(PLACE_CACHE_ENTRY_COUNT_MAX);
  return (ip) => {
    const remembered = places.get(ip);
    if (remembered !== undefined) return remembered;
    const place = placeOf(reader.get(ip));
    places.set(ip, place);
    return place;
  };
}
