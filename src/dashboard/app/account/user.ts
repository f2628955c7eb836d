/** Whoever is signed in. */
import type { AnswerOf } from '../data/api.ts';

/** As `GET user` answers it, to itself. */
export type User = AnswerOf<'GET /api/v1/user'>;
