import type { WeekOfCourse } from './wound-course.mjs';

export interface DrawnPhoto {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
  /** The true area. */
  readonly areaCm2: number;
  /** The true border in pixels of the photo; `share` below 1: that much smaller in each direction. */
  outlinePx(share?: number): [x: number, y: number][];
}

export function drawPhoto(
  week: WeekOfCourse,
  wish?: {
    plain?: boolean;
    width?: number;
    height?: number;
    light?: number;
    focusPx?: number;
    quality?: number;
  },
): Promise<DrawnPhoto>;
