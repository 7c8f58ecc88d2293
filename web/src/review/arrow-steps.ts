import type { KeyboardEvent } from 'react';
import type { Point } from './types.js';

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Where a key of an arrow moves a place to; with Shift ten times as far. null: it is no arrow. */
export function movedByArrow({ key, shiftKey }: KeyboardEvent, [x, y]: Point, stepPx: number): Point | null {
  const step = STEPS[key];
  const far = stepPx * (shiftKey ? 10 : 1);
  return step === undefined ? null : [x + step[0] * far, y + step[1] * far];
}
