import { logAreaOf, logAreaSd } from './area-change.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

/** Assessments that a line with a turn needs: two before the turn, and two after it. */
const LEAST_ASSESSMENTS = 5;
/**
 * A line that may bend once anywhere has to explain so much more, in squares of standard deviations, than a straight one: of wounds that heal or stand
 * still hardly one in a hundred does (docs/follow-up.md, "How often they are wrong").
 */
const LEAST_GAIN = 9;

interface LogArea {
  readonly x: number;
  readonly y: number;
  readonly sd: number;
}

/**
 * The assessments since the wound's last turn for the worse: where it shrank before and shrinks less, stands still or grows since. One line over both would
 * call a wound that has turned smaller for weeks. The turn is the assessment at which a line with one bend fits best, and has to
 * be seen without that assessment, too, since one bad photo makes no turn. `assessments`: comparable with each other, oldest first.
 */
export function sinceLastTurn(assessments: readonly AssessmentInSeries[]): readonly AssessmentInSeries[] {
  let segment = assessments;
  for (let turn = turnOf(segment); turn !== null; turn = turnOf(segment)) segment = segment.slice(turn);
  return segment;
}

function turnOf(assessments: readonly AssessmentInSeries[]): number | null {
  if (assessments.length < LEAST_ASSESSMENTS) return null;
  const points = assessments.map((assessment): LogArea => ({
    x: daysBetween(assessments[0]!, assessment),
    y: logAreaOf(assessment.findings),
    sd: logAreaSd(assessment.findings),
  }));
  const straight = fit(points, null);
  let best: { readonly at: number; readonly gain: number } | null = null;
  for (let at = 1; at < points.length - 2; at += 1) {
    const bend = points[at]!.x;
    const withAll = gainAt(points, bend, straight);
    const least = Math.max(LEAST_GAIN, best?.gain ?? 0);
    if (withAll < least) continue;
    const others = points.toSpliced(at, 1);
    const gain = Math.min(withAll, gainAt(others, bend, fit(others, null)));
    if (gain >= LEAST_GAIN && gain > (best?.gain ?? 0)) best = { at, gain };
  }
  return best?.at ?? null;
}

/** How much better a line fits that bends upwards here; 0 where it would bend downwards. */
function gainAt(points: readonly LogArea[], bend: number, straight: Fit | null): number {
  const bent = fit(points, bend);
  return bent === null || straight === null || bent.bend <= 0 ? 0 : straight.misfit - bent.misfit;
}

interface Fit {
  readonly misfit: number;
  readonly bend: number;
}

/** Weighted least squares of y = a + b·x (+ c·max(0, x − bend)); null where the days are too few to tell. */
function fit(points: readonly LogArea[], bend: number | null): Fit | null {
  // By hand, as it is asked for every place of a bend at every assessment.
  let [w, wx, wh, wy, wxx, wxh, wxy, whh, why] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const { x, y, sd } of points) {
    const weight = 1 / (sd * sd);
    const beyond = bend !== null && x > bend ? x - bend : 0;
    w += weight;
    wx += weight * x;
    wh += weight * beyond;
    wy += weight * y;
    wxx += weight * x * x;
    wxh += weight * x * beyond;
    wxy += weight * x * y;
    whh += weight * beyond * beyond;
    why += weight * beyond * y;
  }
  const straight = [
    [w, wx, wy],
    [wx, wxx, wxy],
  ];
  const bent = [
    [w, wx, wh, wy],
    [wx, wxx, wxh, wxy],
    [wh, wxh, whh, why],
  ];
  const solution = solved(bend === null ? straight : bent);
  if (solution === null) return null;
  const [level, slope, turn = 0] = solution as [number, number, number?];
  let misfit = 0;
  for (const { x, y, sd } of points) {
    const left = (y - level - slope * x - (bend !== null && x > bend ? turn * (x - bend) : 0)) / sd;
    misfit += left * left;
  }
  return { misfit, bend: turn };
}

/** Gauss–Jordan elimination of a small system; null where it has no single solution. */
function solved(rows: readonly number[][]): number[] | null {
  const matrix = rows.map((row) => [...row]);
  for (let at = 0; at < matrix.length; at += 1) {
    const pivot = matrix.reduce(
      (best, row, index) => (index >= at && Math.abs(row[at]!) > Math.abs(matrix[best]![at]!) ? index : best),
      at,
    );
    [matrix[at], matrix[pivot]] = [matrix[pivot]!, matrix[at]!];
    const lead = matrix[at]![at]!;
    if (Math.abs(lead) < 1e-9) return null;
    matrix[at] = matrix[at]!.map((value) => value / lead);
    for (let row = 0; row < matrix.length; row += 1)
      if (row !== at) {
        const factor = matrix[row]![at]!;
        matrix[row] = matrix[row]!.map((value, column) => value - factor * matrix[at]![column]!);
      }
  }
  return matrix.map((row) => row.at(-1)!);
}
