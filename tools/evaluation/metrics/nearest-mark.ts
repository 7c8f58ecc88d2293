/** For each pixel of a grid, the nearest mark and its distance. */
interface NearestMarks {
  /** Squared Euclidean distance from centre to centre, in pixels²; Infinity where nothing is marked at all. */
  readonly squaredPx: Float64Array;
  /** The mark of the nearest marked pixel; 0 where nothing is marked at all. */
  readonly marks: Int32Array;
}

/** Exact distance transform (Felzenszwalb and Huttenlocher, Theory of Computing 8, 2012) that keeps the mark of each distance. 0 is no mark. */
export function findNearestMarks(marked: Uint8Array | Int32Array, width: number, height: number): NearestMarks {
  const squaredPx = Float64Array.from(marked, (mark) => (mark === 0 ? Infinity : 0));
  const nearest: NearestMarks = { squaredPx, marks: Int32Array.from(marked) };
  const envelope = emptyEnvelope(Math.max(width, height));
  for (let column = 0; column < width; column += 1)
    transformLine(nearest, { start: column, stride: width, length: height }, envelope);
  for (let row = 0; row < height; row += 1)
    transformLine(nearest, { start: row * width, stride: 1, length: width }, envelope);
  return nearest;
}

interface Line {
  readonly start: number;
  readonly stride: number;
  readonly length: number;
}

/** The lower envelope of the parabolas that are rooted at the samples of one line. */
interface Envelope {
  readonly heights: Float64Array;
  readonly marks: Int32Array;
  /** Sample that each piece of the envelope is rooted at, from left to right, and where the piece begins. */
  readonly roots: Int32Array;
  readonly begins: Float64Array;
}

function emptyEnvelope(length: number): Envelope {
  return {
    heights: new Float64Array(length),
    marks: new Int32Array(length),
    roots: new Int32Array(length),
    begins: new Float64Array(length),
  };
}

function transformLine({ squaredPx, marks }: NearestMarks, { start, stride, length }: Line, envelope: Envelope): void {
  for (let sample = 0, at = start; sample < length; sample += 1, at += stride) {
    envelope.heights[sample] = squaredPx[at]!;
    envelope.marks[sample] = marks[at]!;
  }
  const pieces = buildEnvelope(envelope, length);
  if (pieces === 0) return;
  for (let sample = 0, at = start, piece = 0; sample < length; sample += 1, at += stride) {
    while (piece + 1 < pieces && envelope.begins[piece + 1]! < sample) piece += 1;
    const root = envelope.roots[piece]!;
    squaredPx[at] = (sample - root) ** 2 + envelope.heights[root]!;
    marks[at] = envelope.marks[root]!;
  }
}

/** Answers the number of pieces. */
function buildEnvelope({ heights, roots, begins }: Envelope, length: number): number {
  let pieces = 0;
  for (let sample = 0; sample < length; sample += 1) {
    if (heights[sample] === Infinity) continue;
    let begin = -Infinity;
    for (; pieces > 0; pieces -= 1) {
      begin = crossing(heights, roots[pieces - 1]!, sample);
      if (begin > begins[pieces - 1]!) break;
    }
    roots[pieces] = sample;
    begins[pieces] = pieces === 0 ? -Infinity : begin;
    pieces += 1;
  }
  return pieces;
}

/** The place from which the parabola of the later sample lies below the earlier one's. */
function crossing(heights: Float64Array, earlier: number, later: number): number {
  return (heights[later]! + later * later - (heights[earlier]! + earlier * earlier)) / (2 * (later - earlier));
}
