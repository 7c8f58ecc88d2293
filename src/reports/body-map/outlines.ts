/** A place in a drawing; x grows to the viewer's right, y downwards. */
export interface DrawnPoint {
  readonly x: number;
  readonly y: number;
}

export type BodyView = 'front' | 'back' | 'soles' | 'tops';

/** The lines of one view, as SVG path data, which PDF draws as well. */
export interface BodyOutline {
  readonly width: number;
  readonly height: number;
  /** Closed shapes. */
  readonly outlines: readonly string[];
  /** Thin lines that tell where one looks. */
  readonly details: readonly string[];
  /** Where the sides are named: the patient's right and left. */
  readonly right: DrawnPoint;
  readonly left: DrawnPoint;
}

const BODY_WIDTH = 100;
const BODY_HEIGHT = 240;
const MIDDLE = BODY_WIDTH / 2;

/** One side of the body from the neck over the arm and the leg to the crotch, as distances from the middle line. */
const BODY_SIDE: readonly (readonly [number, number])[] = [
  [4.8, 26],
  [5.4, 31],
  [9.5, 34.5],
  [18, 37.5],
  [23.2, 42],
  [25.4, 52],
  [26.6, 64],
  [28.6, 76],
  [31.4, 88],
  [34, 102],
  [36.6, 110],
  [37.2, 118],
  [35.8, 125.5],
  [33.2, 127],
  [31.8, 121],
  [30.4, 114],
  [30, 104],
  [26.4, 92],
  [23.2, 79],
  [21, 66],
  [18.8, 54],
  [17.8, 52],
  [17.2, 62],
  [15.8, 73],
  [14.8, 83],
  [15.8, 93],
  [18, 104],
  [19.2, 116],
  [18.8, 131],
  [17, 147],
  [14.6, 163],
  [14.6, 171],
  [15.4, 185],
  [13.4, 203],
  [10.6, 219],
  [11.2, 226],
  [13.6, 232],
  [12.4, 236.5],
  [7, 237],
  [4.4, 233],
  [4.4, 226],
  [4.6, 219],
  [3.8, 203],
  [3, 186],
  [3.4, 171],
  [2.6, 150],
  [1.2, 126],
  [0, 120],
];

/** A foot seen from below, its heel at the bottom and its inner side towards the smaller x. */
const FOOT_SIDE: readonly (readonly [number, number])[] = [
  [14, 33],
  [10.6, 42],
  [12, 54],
  [14.6, 66],
  [14.6, 78],
  [12.8, 90],
  [14.6, 101],
  [21, 106],
  [28, 102],
  [31, 92],
  [32.4, 78],
  [35, 64],
  [37.6, 50],
  [37.4, 40],
  [34, 33.6],
  [28, 30.5],
  [21, 30],
];

interface Toe {
  readonly x: number;
  readonly y: number;
  readonly rx: number;
  readonly ry: number;
}

/** From the great toe outwards. */
const TOES: readonly Toe[] = [
  { x: 14.8, y: 20.5, rx: 4.9, ry: 8.6 },
  { x: 22.4, y: 19.6, rx: 3, ry: 6.8 },
  { x: 27.8, y: 21.8, rx: 2.7, ry: 6.1 },
  { x: 32.4, y: 25.2, rx: 2.5, ry: 5.4 },
  { x: 36.6, y: 30, rx: 2.4, ry: 4.8 },
];
const FOOT_WIDTH = 48;
const FEET_HEIGHT = 112;

const HEAD = ellipse(MIDDLE, 15.5, 8.6, 11.6);
const BODY = smooth([
  ...BODY_SIDE.map(([away, y]) => ({ x: MIDDLE + away, y })),
  ...BODY_SIDE.slice(0, -1)
    .reverse()
    .map(([away, y]) => ({ x: MIDDLE - away, y })),
]);

export const DRAWINGS: Readonly<Record<BodyView, BodyOutline>> = {
  front: {
    width: BODY_WIDTH,
    height: BODY_HEIGHT,
    outlines: [BODY, HEAD],
    details: [
      ...bothSides((x) => `M${x(3.4)} 13.5L${x(5)} 13.5`),
      `M${MIDDLE - 2.2} 20.5Q${MIDDLE} 21.6 ${MIDDLE + 2.2} 20.5`,
      ...bothSides((x) => `M${x(2)} 37.5Q${x(8)} 36.2 ${x(13)} 39`),
      ...bothSides((x) => `M${x(2.5)} 60Q${x(9)} 64.5 ${x(14.5)} 57.5`),
      `M${MIDDLE} 86L${MIDDLE} 88.4`,
      ...bothSides((x) => `M${x(6)} 166Q${x(9)} 169.6 ${x(12)} 166`),
    ],
    right: { x: 6, y: 60 },
    left: { x: 94, y: 60 },
  },
  back: {
    width: BODY_WIDTH,
    height: BODY_HEIGHT,
    outlines: [BODY, HEAD],
    details: [
      `M${MIDDLE} 36L${MIDDLE} 96`,
      ...bothSides((x) => `M${x(5)} 46Q${x(11.5)} 47 ${x(11)} 58Q${x(6.5)} 62 ${x(4.8)} 55`),
      `M${MIDDLE} 106L${MIDDLE} 120`,
      ...bothSides((x) => `M${x(1.5)} 121Q${x(9.5)} 126 ${x(16)} 120`),
      ...bothSides((x) => `M${x(5.5)} 168L${x(12.5)} 168`),
      ...bothSides((x) => `M${x(5.6)} 229Q${x(8.6)} 231.5 ${x(11.4)} 229`),
    ],
    right: { x: 94, y: 60 },
    left: { x: 6, y: 60 },
  },
  soles: {
    width: 2 * FOOT_WIDTH,
    height: FEET_HEIGHT,
    outlines: feet(),
    details: bothFeet((x) => `M${x(14)} 47Q${x(24)} 41 ${x(36)} 48`),
    right: { x: 3, y: 96 },
    left: { x: 2 * FOOT_WIDTH - 3, y: 96 },
  },
  tops: {
    width: 2 * FOOT_WIDTH,
    height: FEET_HEIGHT,
    outlines: feet(),
    details: bothFeet(
      ...TOES.map(
        ({ x: toe, y, rx }) =>
          (x: Place) =>
            `M${x(toe - rx * 0.55)} ${y - 3.4}Q${x(toe)} ${y - 5.4} ${x(toe + rx * 0.55)} ${y - 3.4}`,
      ),
    ),
    right: { x: 2 * FOOT_WIDTH - 3, y: 96 },
    left: { x: 3, y: 96 },
  },
};

type Place = (away: number) => number;

function bothSides(line: (x: Place) => string): string[] {
  return [line((away) => round(MIDDLE + away)), line((away) => round(MIDDLE - away))];
}

/** The great toes lie beside each other in the middle. */
function bothFeet(...lines: readonly ((x: Place) => string)[]): string[] {
  return lines.flatMap((line) => [
    line((away) => round(FOOT_WIDTH + away - 6)),
    line((away) => round(FOOT_WIDTH - away + 6)),
  ]);
}

function feet(): string[] {
  return [-1, 1].flatMap((side) => {
    const x = (away: number) => FOOT_WIDTH + side * (away - 6);
    return [
      smooth(FOOT_SIDE.map(([away, y]) => ({ x: x(away), y }))),
      ...TOES.map((toe) => ellipse(x(toe.x), toe.y, toe.rx, toe.ry)),
    ];
  });
}

/** A closed curve through all points (Catmull–Rom as Bézier curves). */
function smooth(points: readonly DrawnPoint[]): string {
  const at = (index: number) => points[(index + points.length) % points.length]!;
  const parts = points.map((point, index) => {
    const [before, next, after] = [at(index - 1), at(index + 1), at(index + 2)];
    const handles = [
      { x: point.x + (next.x - before.x) / 6, y: point.y + (next.y - before.y) / 6 },
      { x: next.x - (after.x - point.x) / 6, y: next.y - (after.y - point.y) / 6 },
      next,
    ];
    return `C${handles.map(({ x, y }) => `${round(x)} ${round(y)}`).join(' ')}`;
  });
  return `M${round(at(0).x)} ${round(at(0).y)}${parts.join('')}Z`;
}

function ellipse(x: number, y: number, rx: number, ry: number): string {
  const arc = (to: number) => `A${rx} ${ry} 0 1 0 ${round(to)} ${y}`;
  return `M${round(x - rx)} ${y}${arc(x + rx)}${arc(x - rx)}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
