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
  let best: { readonly at: number; readonly gain: number } | null = null;
  for (let at = 1; at < points.length - 2; at += 1) {
    const gain = Math.min(gainAt(points, points[at]!.x), gainAt(points.toSpliced(at, 1), points[at]!.x));
    if (gain >= LEAST_GAIN && gain > (best?.gain ?? 0)) best = { at, gain };
  }
  return best?.at ?? null;
}

/** How much better a line fits that bends upwards here; 0 where it would bend downwards. */
function gainAt(points: readonly LogArea[], bend: number): number {
  const straight = fit(points, null);
  const bent = fit(points, bend);
  return bent === null || straight === null || bent.bend <= 0 ? 0 : straight.misfit - bent.misfit;
}

/** Weighted least squares of y = a + b·x (+ c·max(0, x − bend)); null where the days are too few to tell. */
function fit(
  points: readonly LogArea[],
  bend: number | null,
): { readonly misfit: number; readonly bend: number } | null {
  const columns = (x: number): number[] => (bend === null ? [1, x] : [1, x, Math.max(0, x - bend)]);
  const size = bend === null ? 2 : 3;
  const normal = Array.from({ length: size }, () => Array.from({ length: size + 1 }, () => 0));
  for (const { x, y, sd } of points) {
    const row = columns(x);
    for (let one = 0; one < size; one += 1) {
      for (let other = 0; other < size; other += 1) normal[one]![other]! += (row[one]! * row[other]!) / sd ** 2;
      normal[one]![size]! += (row[one]! * y) / sd ** 2;
    }
  }
  const solution = solved(normal);
  if (solution === null) return null;
  const misfit = points.reduce((sum, { x, y, sd }) => {
    const expected = columns(x).reduce((total, value, index) => total + value * solution[index]!, 0);
    return sum + ((y - expected) / sd) ** 2;
  }, 0);
  return { misfit, bend: solution[2] ?? 0 };
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
