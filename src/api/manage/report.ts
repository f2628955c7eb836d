/** POST /api/v1/report: email reports of a domain for several addresses at once (M-50). */
import { listOf } from '../../base/schema.ts';
import { REQUIRED_TEXT, TEXT } from '../../control/descriptor/fields.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { reportsFor } from '../../control/reports.ts';
import { domain } from '../../control/resources/domain.ts';
import { WRITE_DOMAINS } from '../../control/resources/permissions.ts';
import { report } from '../../control/resources/report.ts';
import {
  EMAIL_LENGTH_MAX,
  REPORT_INTERVAL_COUNT_MAX,
  REPORTED_EMAIL_COUNT_MAX,
} from '../../model/limits.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, jsonBody } from '../presets.ts';
import { checkRole, viewingOf } from './permitted.ts';
import { requestOf } from './resource-endpoints.ts';

const BODY = jsonBody({
  required: ['domain_id', 'emails', 'interval'],
  fields: {
    domain_id: REQUIRED_TEXT,
    emails: { type: 'array' },
    interval: { type: 'integer', minimum: 0, maximum: REPORT_INTERVAL_COUNT_MAX },
    link_to: { type: ['string', 'null'], textLengthMax: EMAIL_LENGTH_MAX },
    language: TEXT,
  },
});

/** The other endpoints of reports come from their descriptor. */
export const reportEndpoints: readonly Endpoint[] = [
  {
    ...{ method: 'POST', path: '/api/v1/report', needsReady: true, parameters: [] },
    summary: 'Sends email reports to addresses; one that has a report gets this one instead.',
    auth: authOf(WRITE_DOMAINS),
    body: {
      ...BODY,
      schema: {
        ...BODY.schema,
        properties: {
          ...(BODY.schema['properties'] as object),
          emails: {
            ...{ type: 'array', minItems: 1, maxItems: REPORTED_EMAIL_COUNT_MAX },
            items: { type: 'string', maxLength: EMAIL_LENGTH_MAX },
          },
        },
      },
    },
    answer: json(listOf(wireSchema(report))),
    handle: makeReports,
  },
];

async function makeReports(call: Call, ports: Ports): Promise<string> {
  const request = requestOf(call);
  const place = { kind: domain.name, id: String(request.sent['domain_id']) };
  const asked = { call, ports, role: WRITE_DOMAINS.role };
  checkRole(asked, place, place);
  const reports = await ports.records.decide(request, (view, atMs) =>
    reportsFor(request, view, atMs),
  );
  const viewing = viewingOf(asked);
  return JSON.stringify(reports.map((one) => toWire(report, one, viewing)));
}
