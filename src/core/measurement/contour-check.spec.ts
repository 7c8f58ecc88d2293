import type { PixelPoint, PixelPolygon } from './wound-result.js';
import { contourFault, MAX_CONTOUR_POINTS } from './contour-check.js';

const PHOTO = { widthPx: 640, heightPx: 480 };
/** Of processor time: nobody else waits as long for one request (test/abuse); several times what it takes, since tests share their machine. */
const LIMIT_MS = 250;
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const polygon = (points: readonly PixelPoint[]): PixelPolygon => ({
  type: 'Polygon',
  coordinates: [[...points, points[0]!]],
});
const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Down in edges as long as the photo is wide, and back along its side. `slant`: of all of them, so that their boxes overlap. */
function zigzag(points: number, slant: number): PixelPolygon {
  const rows = points - 2;
  const turns = indices(rows).map((row): PixelPoint =>
    row % 2 === 0 ? [1, 1 + (row * (478 - slant)) / rows] : [639, 1 + slant + (row * (478 - slant)) / rows],
  );
  return polygon([...turns, [0, 479], [0, 0.5]]);
}

const squares = (count: number): PixelPolygon[] =>
  indices(count).map((index) => {
    const [x, y] = [(index % 40) * 16, Math.floor(index / 40) * 18];
    return polygon([
      [x, y],
      [x + 8, y],
      [x + 8, y + 8],
    ]);
  });

describe('a contour at the limit of points', () => {
  it.each([
    ['that goes to and fro', [zigzag(MAX_CONTOUR_POINTS - 1, 0)], null],
    ['that goes to and fro aslant', [zigzag(MAX_CONTOUR_POINTS - 1, 240)], null],
    [
      'that crosses itself at its end',
      [
        zigzag(MAX_CONTOUR_POINTS - 5, 240),
        polygon([
          [630, 470],
          [639, 470],
          [639, 479],
        ]),
      ],
      'rings must not cross themselves or each other',
    ],
    ['of a thousand pieces', squares(1000), null],
  ])('%s is judged before anybody waits', (_, polygons, fault) => {
    const tookMs = indices(3).map(() => {
      const begunMs = processorMs();
      expect(contourFault(polygons, PHOTO)).toBe(fault);
      return processorMs() - begunMs;
    });
    expect(Math.min(...tookMs)).toBeLessThan(LIMIT_MS);
  });
});

describe('a contour is refused', () => {
  const square = polygon([
    [10, 10],
    [60, 10],
    [60, 60],
    [10, 60],
  ]);
  it.each([
    [
      'that touches itself with a corner',
      [
        polygon([
          [10, 10],
          [60, 10],
          [35, 10],
          [35, 40],
          [10, 40],
        ]),
      ],
      /cross/,
    ],
    [
      'whose pieces share an edge',
      [
        square,
        polygon([
          [60, 20],
          [90, 20],
          [90, 50],
          [60, 50],
        ]),
      ],
      /cross/,
    ],
    [
      'whose pieces meet in a corner',
      [
        square,
        polygon([
          [60, 60],
          [90, 60],
          [90, 90],
        ]),
      ],
      /cross/,
    ],
    [
      'whose pieces lie inside each other',
      [
        square,
        polygon([
          [20, 20],
          [30, 20],
          [30, 30],
        ]),
      ],
      /inside each other/,
    ],
    [
      'whose hole lies outside',
      [
        {
          ...square,
          coordinates: [
            square.coordinates[0]!,
            [
              [70, 70],
              [80, 70],
              [80, 80],
              [70, 70],
            ],
          ],
        } as PixelPolygon,
      ],
      /holes must lie inside/,
    ],
  ])('%s', (_, polygons, fault) => {
    expect(contourFault(polygons, PHOTO)).toMatch(fault);
  });

  it('not where pieces lie side by side, and holes within', () => {
    expect(
      contourFault(
        [
          {
            ...square,
            coordinates: [
              square.coordinates[0]!,
              [
                [20, 20],
                [30, 20],
                [30, 30],
                [20, 20],
              ],
            ],
          },
          polygon([
            [61, 10],
            [90, 10],
            [90, 60],
          ]),
        ],
        PHOTO,
      ),
    ).toBeNull();
  });
});
