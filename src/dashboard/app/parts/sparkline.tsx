/** A line without axes. */

const WIDTH = 120;
const HEIGHT = 28;

export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const largest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values
    .map(
      (value, index) =>
        `${(index * step).toFixed(1)},${(HEIGHT - 2 - (value / largest) * (HEIGHT - 4)).toFixed(1)}`,
    )
    .join(' ');
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {values.length > 1 && <polyline points={points} />}
    </svg>
  );
}
