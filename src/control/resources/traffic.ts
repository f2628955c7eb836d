/**
 * Traffic spike and traffic warning of a domain (M-52, A-61, A-62): a toggle and a threshold each.
 *
 * Fields of the domain's record, shown among its settings; what is done about them is another's work.
 */
import { boolean, integer } from '../../base/schema.ts';
import { SPIKE_THRESHOLD_COUNT_MAX, WARNING_THRESHOLD_DAYS_MAX } from '../../model/limits.ts';
import { hidden, kept } from '../descriptor/fields.ts';
import type { Action, AnyRecord } from '../descriptor/resource.ts';

/** Off, and 0, until they are set. */
export const trafficFields = {
  trafficSpike: hidden(kept(boolean, () => false)),
  trafficSpikeThreshold: hidden(kept(integer, () => 0)),
  trafficWarning: hidden(kept(boolean, () => false)),
  trafficWarningThreshold: hidden(kept(integer, () => 0)),
};

type Name = keyof typeof trafficFields;

/** What a domain's settings show of them; records of earlier versions have none. */
export function trafficSettings(record: AnyRecord) {
  return {
    traffic_spike: record['trafficSpike'] === true,
    traffic_spike_threshold: Number(record['trafficSpikeThreshold'] ?? 0),
    traffic_warning: record['trafficWarning'] === true,
    traffic_warning_threshold: Number(record['trafficWarningThreshold'] ?? 0),
  };
}

const OF_DOMAIN = { idName: 'domain_id', answers: 'nothing' } as const;

/** PUT switches one on or off, POST sets its threshold and leaves it on or off. */
const ACTIONS: readonly Action[] = [
  toggle('traffic/spike', 'trafficSpike', 'the note on a traffic spike'),
  threshold('traffic/spike', 'trafficSpikeThreshold', {
    of: 'visitors at the same time from which on a spike is told',
    max: SPIKE_THRESHOLD_COUNT_MAX,
  }),
  toggle('traffic/warning', 'trafficWarning', 'the warning of missing traffic'),
  threshold('traffic/warning', 'trafficWarningThreshold', {
    of: 'days without a hit after which a warning is sent',
    max: WARNING_THRESHOLD_DAYS_MAX,
  }),
];

/** They keep every other field, so they fit the domain's record, which is made with them. */
export const trafficActions = ACTIONS as readonly Action<never>[];

function toggle(path: string, field: Name, what: string): Action {
  return {
    ...{ ...OF_DOMAIN, method: 'PUT', path, summary: `Switches ${what} on or off.` },
    act: (record) => ({ ...record, [field]: record[field] !== true }),
  };
}

function threshold(path: string, field: Name, { of, max }: { of: string; max: number }): Action {
  return {
    ...{ ...OF_DOMAIN, method: 'POST', path, summary: `Sets the number of ${of}.` },
    needs: { threshold: { type: 'integer', minimum: 1, maximum: max } },
    act: (record, { sent }) => ({ ...record, [field]: sent['threshold'] }),
  };
}
