/**
 * The worked examples of the semantics, once, for the oracle and for the service.
 *
 * Each opens as many domains as it needs, sends hits in the notation of the page and checks what
 * the example says.
 */
import { CITIES } from './cities.ts';
import { COLLECTION } from './collection.ts';
import { CONVERSIONS } from './conversions.ts';
import { COUNTRIES } from './countries.ts';
import { GROWTH } from './growth.ts';
import { PAGES } from './pages.ts';
import { SESSIONS } from './sessions.ts';
import type { WorkedExample } from './steps.ts';
import { TOTALS } from './totals.ts';

/** Those whose inputs the notation can say; W-39, W-42 and the error of W-51 need raw requests. */
export const WORKED_EXAMPLES: readonly WorkedExample[] = [
  ...SESSIONS,
  ...TOTALS,
  ...PAGES,
  ...GROWTH,
  ...COLLECTION,
];

/** Examples of ours, by the ids of rules for which the semantics have none. */
export const RULE_EXAMPLES: readonly WorkedExample[] = CONVERSIONS;

/** Those whose persons live in cities: a service needs the database of `placesDatabase`. */
export const WORKED_EXAMPLES_OF_CITIES: readonly WorkedExample[] = CITIES;

/** Those whose persons live in countries: a service needs the bundled database. */
export const WORKED_EXAMPLES_OF_COUNTRIES: readonly WorkedExample[] = COUNTRIES;
