/** How deep it is at an hour of the clock. */
export interface PlacedFigure {
  /** 1 to 12. */
  readonly clock: number;
  readonly depthCm: number;
}

const HOURS = 12;
/** Two people who face one wound name its place by so many hours differently. */
const MOST_HOURS_APART = 1;

/** The deepest first. */
export function depthsOf(all: readonly PlacedFigure[]): number[] {
  return all.map(({ depthCm }) => depthCm).sort((a, b) => b - a);
}

/** null: there is none. */
export function deepestPlace(all: readonly PlacedFigure[]): PlacedFigure | null {
  return all.reduce<PlacedFigure | null>(
    (deepest, one) => (deepest === null || one.depthCm > deepest.depthCm ? one : deepest),
    null,
  );
}

/** The greatest depth at that place; null: none is named there. */
export function depthAt(all: readonly PlacedFigure[], clock: number): number | null {
  return deepestPlace(all.filter((one) => isSamePlace(one.clock, clock)))?.depthCm ?? null;
}

function isSamePlace(one: number, other: number): boolean {
  const apart = Math.abs(one - other) % HOURS;
  return Math.min(apart, HOURS - apart) <= MOST_HOURS_APART;
}
