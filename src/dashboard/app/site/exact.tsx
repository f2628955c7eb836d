/** What the numbers come from: all rows, not a sample, and how long that took (D-19). */
import { word } from '../words/words.ts';
import { answerOf, type SiteData } from './site-data.ts';

export function Exact({ data }: { data: SiteData }) {
  const shown = data.shown.value;
  if (shown === null) return null;
  const total = answerOf<{ readonly views: number }>(shown, 'total');
  const ms = Math.round(shown.tookMs);
  return <span>{word('exact', { rows: total?.views ?? 0, ms })}</span>;
}
