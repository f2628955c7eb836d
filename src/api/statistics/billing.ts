/** GET /api/v1/billing: what the domains of a user were used for, the deleted ones too (S-99). */
import { assert } from '../../base/assert.ts';
import { exactly, integer, listOf } from '../../base/schema.ts';
import type { Viewing } from '../../control/descriptor/resource.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { type Domain, domain } from '../../control/resources/domain.ts';
import { formerDomain } from '../../control/resources/former-domain.ts';
import { asDomainId } from '../../model/ids.ts';
import { BILLED_DOMAIN_COUNT_MAX } from '../../model/limits.ts';
import { USERS } from '../../model/rights.ts';
import { billedViews, type DomainUsage } from '../../model/usage.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { viewingOf } from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { json, READS } from '../presets.ts';
import { Problems } from '../problems.ts';
import { UTC_SPAN, utcSpan } from './utc-span.ts';

/** Name of the row of all domains, where there are too many for a row each. */
const ALL = 'All';

/** Whose the domains are does not matter to anybody else: only the owner is billed. */
export const billingEndpoints: readonly Endpoint[] = [
  {
    ...READS,
    path: '/api/v1/billing',
    summary:
      'Tells what own domains were used for, deleted ones too: page views, events and a tenth of the ' +
      `keep-alives. More than ${BILLED_DOMAIN_COUNT_MAX} are one row named ${ALL}.`,
    auth: {
      callers: USERS,
      scopes: [
        { area: 'statistics', right: 'r' },
        { area: 'billing', right: 'r' },
      ],
      role: null,
    },
    parameters: UTC_SPAN,
    answer: json(listOf(exactly({ domain: wireSchema(domain), page_views: integer }))),
    handle: readBilling,
  },
];

/** A domain on the bill. */
interface Billed {
  readonly site: Domain;
  readonly isFormer: boolean;
}

async function readBilling(call: Call, ports: Ports): Promise<string> {
  const span = utcSpan(call, new Problems());
  const viewing = viewingOf({ call, ports });
  const billed = billedDomains(viewing);
  const ids = billed.map(({ site }) => asDomainId(site.id));
  const found = await ports.statistics.usage(ids, span, call);
  // Who deleted a domain was its owner.
  const asOwner: Viewing = { ...viewing, roleOn: () => 'Owner' };
  const rows = billed.map(({ site, isFormer }, index) => {
    const { usage } = found.get(ids[index] as (typeof ids)[number]) as DomainUsage;
    const shown = toWire(domain, site, isFormer ? asOwner : { ...asOwner, stored: found });
    return { row: { domain: shown, page_views: billedViews(usage) }, isFormer };
  });
  // What was deleted long ago was not used since.
  const told = rows.filter(({ row, isFormer }) => !isFormer || row.page_views > 0);
  const bill = told.map(({ row }) => row);
  return JSON.stringify(bill.length > BILLED_DOMAIN_COUNT_MAX ? [sumOf(bill)] : bill);
}

/** Own domains and those that were deleted, oldest first. */
function billedDomains({ view, userId }: Viewing): Billed[] {
  const own = view.of(domain, 'userId', userId).map((site) => ({ site, isFormer: false }));
  const former = view
    .of(formerDomain, 'userId', userId)
    .map((record) => ({ site: record.domain as Domain, isFormer: true }));
  return [...own, ...former].sort(
    ({ site: left }, { site: right }) =>
      left.createdMs - right.createdMs || (left.id < right.id ? -1 : 1),
  );
}

type Row = { readonly domain: Record<string, unknown>; readonly page_views: number };

/** One row for all: an object of the same shape that names no domain. */
function sumOf(rows: readonly Row[]): Row {
  const [first] = rows;
  assert(first !== undefined, 'there are more rows than fit');
  const said = Object.entries(first.domain).filter(([, value]) => value !== undefined);
  const blank = said.map(([name, value]) => [name, blankOf(value)]);
  const { def_time, mod_time, user_id, user_role, timezone, subscription_active } = first.domain;
  return {
    domain: {
      ...Object.fromEntries(blank),
      ...{ def_time, mod_time, user_id, user_role, timezone, subscription_active },
      ...{ hostname: ALL, display_name: ALL, statistics_start: null },
    },
    page_views: rows.reduce((sum, { page_views }) => sum + page_views, 0),
  };
}

function blankOf(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return [];
  return value === null ? null : {};
}
