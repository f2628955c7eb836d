/** The formats that can be imported, one adapter each. */

import type { Adapter } from './adapter.ts';
import { FOOTFALL } from './products/footfall/footfall.ts';

/** In the order in which they are asked whether files are theirs: narrow before wide. */
export const ADAPTERS: readonly Adapter[] = [FOOTFALL];
