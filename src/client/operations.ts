/**
 * Every endpoint: its parameters, its body, its answer.
 *
 * Made by `npm run generate:client` from the OpenAPI document; a test holds it to that.
 */
import type { CollectOperations } from './operations/collect.ts';
import type { StatisticsOperations } from './operations/statistics.ts';
import type { SiteOperations } from './operations/site.ts';
import type { RecordsOperations } from './operations/records.ts';
import type { PeopleOperations } from './operations/people.ts';
import type { OtherOperations } from './operations/other.ts';

/** By method and path. */
export interface Operations
  extends CollectOperations,
    StatisticsOperations,
    SiteOperations,
    RecordsOperations,
    PeopleOperations,
    OtherOperations {}
