const { imul, floor } = Math;

/** Repeatable numbers from 0 to 1 (mulberry32). */
export function numbersFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function atCrossing(column, row, seed) {
  let mixed = imul(column, 0x27d4eb2d) ^ imul(row, 0x165667b1) ^ imul(seed, 0x9e3779b1);
  mixed = imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2147483648 - 1;
}

/** A smooth landscape by chance, from -1 to 1, whose hills are about `sizeMm` apart. The same place always has the same height. */
export function smoothNoise(sizeMm, seed) {
  return (xMm, yMm) => {
    const [x, y] = [xMm / sizeMm, yMm / sizeMm];
    const [column, row] = [floor(x), floor(y)];
    const [dx, dy] = [x - column, y - row];
    const [u, v] = [dx * dx * (3 - 2 * dx), dy * dy * (3 - 2 * dy)];
    const upper = atCrossing(column, row, seed) * (1 - u) + atCrossing(column + 1, row, seed) * u;
    const lower = atCrossing(column, row + 1, seed) * (1 - u) + atCrossing(column + 1, row + 1, seed) * u;
    return upper * (1 - v) + lower * v;
  };
}

/** 0 up to `from`, 1 beyond `to`, and a smooth way between. */
export function smoothStep(from, to, value) {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}
