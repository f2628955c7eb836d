/**
 * Traffic spike and traffic warning of a domain (M-52, A-61, A-62): a toggle and a threshold each.
 *
 * Fields of the domain's record, shown among its settings; what is done about them is another's work.
 */
import { boolean, integer } from '../../base/schema.ts';
import { SPIKE_THRESHOLD_COUNT_MAX, WARNING_THRESHOLD_DAYS_MAX } from '../../model/limits.ts';
import { hidden, kept } from '../descriptor/fields.ts';
import type { Action, Base } from '../descriptor/resource.ts';

/** What a domain's record has of them; one of an earlier version has nothing. */
export interface Traffic {
  readonly trafficSpike?: boolean;
  /** Visitors at the same time. */
  readonly trafficSpikeThreshold?: number;
  readonly trafficWarning?: boolean;
  /** Days without a hit. */
  readonly trafficWarningThreshold?: number;
}

/** Off, and 0, until they are set. */
export const trafficFields = {
  trafficSpike: hidden(kept(boolean, () => false)),
  trafficSpikeThreshold: hidden(kept(integer, () => 0)),
  trafficWarning: hidden(kept(boolean, () => false)),
  trafficWarningThreshold: hidden(kept(integer, () => 0)),
};

/** What a domain's settings show of them. */
export function trafficSettings(record: Traffic) {
  return {
    traffic_spike: record.trafficSpike ?? false,
    traffic_spike_threshold: record.trafficSpikeThreshold ?? 0,
    traffic_warning: record.trafficWarning ?? false,
    traffic_warning_threshold: record.trafficWarningThreshold ?? 0,
  };
}

/** PUT switches one on or off, POST sets its threshold and leaves it on or off. */
export function trafficActions<Rec extends Base & Traffic>(): readonly Action<Rec>[] {
  return [
    toggle('traffic/spike', 'the note on a traffic spike', (record) => ({
      trafficSpike: record.trafficSpike !== true,
    })),
    threshold('traffic/spike', {
      of: 'visitors at the same time from which on a spike is told',
      max: SPIKE_THRESHOLD_COUNT_MAX,
      field: 'trafficSpikeThreshold',
    }),
    toggle('traffic/warning', 'the warning of missing traffic', (record) => ({
      trafficWarning: record.trafficWarning !== true,
    })),
    threshold('traffic/warning', {
      of: 'days without a hit after which a warning is sent',
      max: WARNING_THRESHOLD_DAYS_MAX,
      field: 'trafficWarningThreshold',
    }),
  ];
}

const OF_DOMAIN = { idName: 'domain_id', answers: 'nothing' } as const;

function toggle<Rec extends Base & Traffic>(
  path: string,
  what: string,
  next: (record: Traffic) => Traffic,
): Action<Rec> {
  return {
    ...{ ...OF_DOMAIN, method: 'PUT', path, summary: `Switches ${what} on or off.` },
    act: (record) => ({ ...record, ...next(record) }),
  };
}

function threshold<Rec extends Base & Traffic>(
  path: string,
  { of, max, field }: { of: string; max: number; field: keyof Traffic },
): Action<Rec> {
  return {
    ...{ ...OF_DOMAIN, method: 'POST', path, summary: `Sets the number of ${of}.` },
    needs: { threshold: { type: 'integer', minimum: 1, maximum: max } },
    act: (record, { sent }) => ({ ...record, [field]: sent['threshold'] }),
  };
}
