/** The products that can be put under load, by the name that `--target` has for them. Control plane. */
import { footfall } from './footfall.ts';
import { goatcounter } from './goatcounter.ts';
import { matomo } from './matomo.ts';
import { plausible } from './plausible.ts';
import type { Product } from './product.ts';
import { umami } from './umami.ts';

export const PRODUCTS: readonly Product[] = [footfall, umami, plausible, goatcounter, matomo];
