/** The map, loaded once somebody looks at one; of panels and of what is live it is the same. */
import { loaded } from '../../parts/loaded.tsx';

export const LaterMap = loaded(async () => (await import('./world-map.tsx')).WorldMap);
