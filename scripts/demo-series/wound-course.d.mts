/** The border of the drawn wound, in millimetres around its middle. */
export interface WoundOutline {
  readonly areaCm2: number;
  depthMm(x: number, y: number): number;
  points(count?: number, share?: number): [x: number, y: number][];
}

export interface WeekOfCourse {
  /** 1 to 8. */
  readonly week: number;
  readonly areaCm2: number;
  readonly outline: WoundOutline;
}

export const WOUND_COURSE: readonly WeekOfCourse[];

export function weekOfArea(week: number, areaCm2: number, wish?: { card?: boolean }): WeekOfCourse;
