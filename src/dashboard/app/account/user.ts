/** Who is signed in, as the service tells the page. */
import type { AnswerOf } from '../data/api.ts';

/** As `GET user` answers it, to itself. */
export type User = AnswerOf<'GET /api/v1/user'>;
