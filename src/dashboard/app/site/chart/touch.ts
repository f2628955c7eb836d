/**
 * A plot under a finger or a pen: dragging sideways selects, as with a mouse, which is all that uPlot
 * knows. Up and down the page scrolls (`touch-action` in chart.css): the browser then takes the pointer
 * away, and nothing is selected.
 */
import type uPlot from 'uplot';

export function dragByTouch(plot: uPlot): void {
  const { over } = plot;
  let begin: { readonly pointer: number; readonly left: number } | null = null;
  const leftOf = (event: PointerEvent) => {
    const left = event.clientX - over.getBoundingClientRect().left;
    return Math.max(0, Math.min(left, over.clientWidth));
  };
  const select = (from: number, to: number, isOver: boolean) => {
    const [left, width] = [Math.min(from, to), Math.abs(to - from)];
    plot.setSelect({ left, width, top: 0, height: over.clientHeight }, isOver);
  };
  over.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse' || begin !== null) return;
    begin = { pointer: event.pointerId, left: leftOf(event) };
  });
  over.addEventListener('pointermove', (event) => {
    if (begin?.pointer !== event.pointerId) return;
    const left = leftOf(event);
    plot.setCursor({ left, top: 0 });
    select(begin.left, left, false);
  });
  const end = (event: PointerEvent) => {
    if (begin?.pointer !== event.pointerId) return;
    const { left } = begin;
    begin = null;
    if (event.type === 'pointerup') select(left, leftOf(event), true);
    else select(0, 0, false);
  };
  over.addEventListener('pointerup', end);
  over.addEventListener('pointercancel', end);
}
