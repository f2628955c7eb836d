/** What users say of domains and pages for themselves (M-14): favorites, pins, how pages look. */
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import { type Taste, togglePreference, toggleTaste } from '../../control/domains.ts';
import { domain } from '../../control/resources/domain.ts';
import type { Preference } from '../../control/resources/preference.ts';
import type { Endpoint } from '../endpoint.ts';
import { json, jsonBody, NOTHING, self } from '../presets.ts';
import { permittedRecord } from './permitted.ts';
import { requestOf } from './resource-endpoints.ts';

const NOTHING_SAID = '{}';

/** Each sets something, and takes it away the next time. */
export const tasteEndpoints: readonly Endpoint[] = [
  ofDomain('favorite', 'favorite', 'Makes a domain a favorite of the user, or no favorite again.'),
  ofDomain('pin', 'pinned', 'Pins a domain in front of the others, or takes the pin away.'),
  ofPages('active', 'activeInTitle', 'Shows active visitors in the title of pages, or hides them.'),
  ofPages('fullwidth', 'fullWidth', 'Shows dashboards in full width, or not any more.'),
];

function toggle(name: string, summary: string) {
  return {
    ...({ method: 'POST', path: `/api/v1/user/${name}`, needsReady: true } as const),
    ...{ summary, auth: self(), parameters: [], answer: json(NOTHING) },
  };
}

function ofDomain(path: string, name: Preference, summary: string): Endpoint {
  return {
    ...toggle(path, summary),
    body: jsonBody({ required: ['id'], fields: { id: REQUIRED_TEXT } }),
    refusals: [404],
    handle: async (call, ports) => {
      const request = requestOf(call);
      const wanted = String(request.sent['id']);
      const { id: domainId } = permittedRecord({ call, ports, role: 'Viewer' }, domain, wanted);
      const mark = { userId: request.userId, domainId, name };
      await ports.records.decide(request, (view, atMs) => ({
        changes: [togglePreference(view, mark, atMs)],
        result: null,
      }));
      return NOTHING_SAID;
    },
  };
}

function ofPages(path: string, name: Taste, summary: string): Endpoint {
  return {
    ...{ ...toggle(path, summary), body: null, refusals: [404] },
    handle: async (call, { records }) => {
      const request = requestOf(call);
      await records.decide(request, (view, atMs) => ({
        changes: [toggleTaste(view, request.userId, name, atMs)],
        result: null,
      }));
      return NOTHING_SAID;
    },
  };
}
