/** What a job of an import tells the log (S-98), of what the oracle is told. */
import type { DomainId } from '../../../src/model/ids.ts';
import { batchesOfSums, type ImportRecord, storedSum } from '../../../src/model/imported-sum.ts';
import { parseDay } from '../../../src/query/question/calendar.ts';
import type { ImportAction } from '../oracle/collect/imports.ts';

/** What a job appends. @param batches how many batches each import has; counted on. */
export function importRecords(
  domainId: DomainId,
  action: ImportAction,
  batches: Map<string, number>,
): ImportRecord[] {
  const of = { domainId, importId: action.id };
  if (action.kind === 'take-back') {
    batches.delete(action.id);
    return [{ ...of, kind: 'take-back' }];
  }
  if (action.kind === 'show') {
    const [fromDay, toDay] = [parseDay(action.from) ?? 0, parseDay(action.to) ?? 0];
    return [{ ...of, kind: 'show', fromDay, toDay }];
  }
  return batchesOfSums(action.sums.map(storedSum)).map((sums): ImportRecord => {
    const batch = (batches.get(action.id) ?? 0) + 1;
    batches.set(action.id, batch);
    return { ...of, kind: 'add', batch, sums };
  });
}
