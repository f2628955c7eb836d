/** What changed: two ranges, or two filters, side by side (D-19). */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiError, faultOf } from '../../data/api.ts';
import { Latest } from '../../data/latest.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { parametersOf } from '../../view/filters.ts';
import { frameOf } from '../../view/frame.ts';
import { FIRST_VIEW, show, type View, view } from '../../view/view.ts';
import { word } from '../../words/words.ts';
import { saveAs } from '../panels/csv.ts';
import { csvText } from '../panels/csv-text.ts';
import type { OverGiven } from '../panels/over-given.ts';
import { shownOf } from '../panels/tab.ts';
import { daysOf } from '../site-data.ts';
import { ChangeTable } from './change-table.tsx';
import { askChanges, type Change, ranked, type Totals } from './changes.ts';
import { OtherSide, SideWords } from './other-side.tsx';
import { otherSide, type Side } from './side.ts';

/** Rows that are shown; what is beyond them differs by less. */
const ROWS_MAX = 100;

interface Found {
  readonly changes: readonly Change[];
  readonly totals: Totals;
}

export function WhatChanged({ data, onClose }: OverGiven) {
  const of = view.value;
  const { span } = data.spansOf(of);
  const here: Side = { span, filters: of.filters };
  const there = otherSide(of, span);
  const [found, setFound] = useState<Found | null>(null);
  const [isAsking, setAsking] = useState(true);
  const [fault, setFault] = useState<ApiError | null>(null);
  const latest = useMemo(() => new Latest(), []);
  const asked = [here, there].map((side) => askedOf(data.domain.id, of, side));
  const load = () => {
    const [now, before] = asked;
    if (now === undefined || before === undefined) return;
    setAsking(true);
    latest
      .ask((signal) => askChanges(now, before, signal))
      .then((answer) => {
        if (answer === null) return;
        setFound(answer);
        setFault(null);
        setAsking(false);
      })
      .catch((error: unknown) => {
        setFault(faultOf(error));
        setAsking(false);
      });
  };
  useEffect(load, [JSON.stringify(asked.map(({ shared }) => shared))]);
  useEffect(() => () => latest.cancel(), []);
  const isByShare = of.sort === 'share';
  const rows =
    found === null ? [] : ranked(found.changes, isByShare ? found.totals : null).slice(0, ROWS_MAX);
  return (
    <Dialog title={word('whatChanged')} onClose={onClose} isWide>
      <div class="sides">
        <SideWords label={word('thisView')} side={here} visitors={found?.totals.now} />
        <SideWords label={word('comparedWith')} side={there} visitors={found?.totals.before}>
          <OtherSide data={data} side={there} />
        </SideWords>
      </div>
      <div class="all-tools">
        <Tabs
          label={word('rankedBy')}
          tabs={[
            { key: '', label: word('byCount') },
            { key: 'share', label: word('byShare') },
          ]}
          chosen={isByShare ? 'share' : ''}
          controls="changes"
          onChoose={(sort) => show({ sort }, true)}
        />
        <button
          type="button"
          class="button"
          disabled={rows.length === 0}
          onClick={() => saveAs('changes.csv', csvOf(rows))}
        >
          {word('download')}
        </button>
      </div>
      {fault !== null && <Fault error={fault} onRetry={load} />}
      <div id="changes" role="tabpanel" class="all-rows" aria-busy={isAsking}>
        {found !== null && (
          <ChangeTable
            rows={rows}
            totals={isByShare ? found.totals : null}
            hostname={data.domain.hostname}
          />
        )}
      </div>
    </Dialog>
  );
}

function askedOf(id: string, of: View, { span, filters }: Side) {
  // Times of the day are of one side alone, picks of panels of none.
  const side: View = { ...FIRST_VIEW, filters };
  const days = daysOf(frameOf(span, of.fromTime, of.toTime));
  return { of: side, shared: { id, ...parametersOf(filters), ...days } };
}

function csvOf(rows: readonly Change[]): string {
  const head = [word('dimension'), word('row'), word('thisView'), word('comparedWith')];
  const lines = rows.map(({ tab, row, now, before }) => [
    ...[word(tab.column), shownOf(tab, row)],
    ...[now, before],
  ]);
  return csvText([head, ...lines]);
}
