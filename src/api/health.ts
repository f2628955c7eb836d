/** Endpoints for whoever watches the process. */

import { exactly, listOf, string } from '../base/schema.ts';
import { errors } from '../model/errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { Ports } from './ports.ts';
import { json, PUBLIC, READS } from './presets.ts';

const OK = '{"status":"ok"}';

const STATUS = { type: 'string', enum: ['ok'] };
const BRIEF = { ...READS, ...PUBLIC, needsReady: false } as const;

/**
 * `/livez` while the process works; `/readyz` is refused like everything else until it is ready, and
 * says what is missing: in the error while it is not ready, beside the status when it is.
 */
export const healthEndpoints: readonly Endpoint[] = [
  {
    ...BRIEF,
    path: '/livez',
    summary: 'Whether the process works.',
    answer: json(exactly({ status: STATUS })),
    handle: () => OK,
  },
  {
    ...BRIEF,
    path: '/readyz',
    summary: 'Whether the node takes hits and answers statistics, and what it misses.',
    needsReady: true,
    answer: json({
      ...exactly({ status: STATUS, missing: listOf(string) }),
      required: ['status'],
    }),
    handle: (_, ports) => readiness(ports),
  },
];

function readiness({ cluster }: Ports): string {
  const reason = cluster.unreadyReason();
  if (reason !== null) throw errors.NOT_READY({ reason });
  const missing = cluster.missing();
  return missing.length === 0 ? OK : JSON.stringify({ status: 'ok', missing });
}
