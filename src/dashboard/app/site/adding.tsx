/** The dialog that adds a filter, loaded once somebody opens it. */
import { loaded } from '../parts/loaded.tsx';

export const Adding = loaded(async () => (await import('./add-filter.tsx')).AddFilter);
