/**
 * What the page of the dashboard would ask before it can ask for numbers, given with it: who has signed
 * in, the domain at its address, and for strangers the token of a public or shared dashboard (D-3).
 *
 * It is what the interface answers to the same browser, and never more: where that would be a refusal,
 * nothing is given, and the page asks and is told. So nobody learns here which private dashboards
 * there are, and a session or a domain that this thread does not know yet is looked for as always (M-5).
 */
import { toWire } from '../../control/descriptor/wire.ts';
import { type Domain, domain as domainResource } from '../../control/resources/domain.ts';
import type { Credential } from '../../model/credential.ts';
import { PAGE_GIVEN_MS_MAX } from '../../model/limits.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call } from '../endpoint.ts';
import { issuedVisit } from '../manage/access.ts';
import { viewingDomains } from '../manage/shown-domains.ts';
import { shownUser } from '../people/user.ts';
import type { Ports } from '../ports.ts';

/** By the names that the page reads (`data/given.ts` of the dashboard). */
interface Given {
  /** As `GET /api/v1/user` answers. */
  readonly user?: Record<string, unknown>;
  /** As `GET /api/v1/domain` answers. */
  readonly domain?: Record<string, unknown>;
  /** As `POST /api/v1/access` answers. */
  readonly access?: Record<string, unknown>;
}

const NOTHING: Given = {};

/**
 * The element that holds it, for the head of the page: data, which runs nowhere, so that the policy of
 * the page lets it in; '' without any.
 *
 * @param site the domain at the page's address, whoever may see it; null: there is none.
 */
export async function givenElement(call: Call, site: Domain | null, ports: Ports): Promise<string> {
  // What is refused while the service starts and stops is told by the interface.
  if (ports.unreadyReason() !== null) return '';
  const given = await soon(givenTo(call, site, ports));
  if (Object.keys(given).length === 0) return '';
  // A name may hold what would end the element, or begin a comment.
  const json = JSON.stringify(given).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="given">${json}</script>\n`;
}

/** Nothing where it takes long, or is refused: the page is there at once, and asks. */
async function soon(given: Promise<Given>): Promise<Given> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Given>((resolve) => {
    timer = setTimeout(resolve, PAGE_GIVEN_MS_MAX, NOTHING);
  });
  try {
    return await Promise.race([given, late]);
  } catch {
    return NOTHING;
  } finally {
    clearTimeout(timer);
  }
}

async function givenTo(call: Call, site: Domain | null, ports: Ports): Promise<Given> {
  const sent = firstValue(parseQueryString(call.query), 'access') ?? '';
  // Whoever comes by an access link is shown what it shows, whoever that is.
  const person = sent === '' ? call.credential : null;
  const user = person === null ? null : shownUser({ call: { credential: person }, ports });
  if (site === null) return user === null ? NOTHING : { user };
  const place = { kind: domainResource.name, id: site.id };
  if (person !== null && user !== null && ports.access.roleOn(person, place) !== null)
    return { user, domain: await shownDomain(call, person, site, ports) };
  // The cookie of a session that is not known here: it may have begun elsewhere a moment ago.
  if (call.hasSession && sent === '' && person === null) return NOTHING;
  const access = issuedVisit(site, sent.trim() || undefined, call, ports.access);
  const visitor = access && ports.access.authenticate(access.access_token, call.receivedMs);
  if (access === null || visitor === null) return user === null ? NOTHING : { user };
  return { access, domain: await shownDomain(call, visitor, site, ports) };
}

async function shownDomain(
  call: Call,
  credential: Credential,
  site: Domain,
  ports: Ports,
): Promise<Record<string, unknown>> {
  const asked = { credential, onLeft: (listener: () => void) => call.onLeft(listener) };
  const viewing = await viewingDomains({ call: asked, ports }, [site]);
  return toWire(domainResource, site, viewing);
}
