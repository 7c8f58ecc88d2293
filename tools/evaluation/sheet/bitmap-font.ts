/** Letters of 5 × 7 pixels, so that a sheet reads the same on a machine without any font. Columns from the left; the lowest bit is the top. */
const GLYPHS: Readonly<Record<string, string>> = {
  ' ': '0000000000',
  '%': '2313086462',
  '(': '001c224100',
  ')': '0041221c00',
  '+': '08083e0808',
  ',': '0050300000',
  '-': '0808080808',
  '.': '0060600000',
  '/': '2010080402',
  ':': '0036360000',
  '=': '1414141414',
  _: '4040404040',
  '0': '3e5149453e',
  '1': '00427f4000',
  '2': '4261514946',
  '3': '2141454b31',
  '4': '1814127f10',
  '5': '2745454539',
  '6': '3c4a494930',
  '7': '0171090503',
  '8': '3649494936',
  '9': '064949291e',
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
};
const UNKNOWN = '7f4141417f';
const GLYPH_COLUMNS = 5;
const ADVANCE_COLUMNS = 6;
const GLYPH_ROWS = 7;

/** Height of a line of text at a scale, in pixels. */
export const textHeightPx = (scale: number): number => GLYPH_ROWS * scale;

/** As much of a text as fits into a width, in pixels. */
export function fittedText(text: string, widthPx: number, scale: number): string {
  return text.slice(0, Math.max(0, Math.floor(widthPx / (ADVANCE_COLUMNS * scale))));
}

/** Calls `plot` for each square of `scale` pixels that the text covers. Lower-case letters become capitals; what the font lacks becomes a box. */
export function plotText(
  text: string,
  left: number,
  top: number,
  scale: number,
  plot: (x: number, y: number) => void,
): void {
  [...text.toUpperCase()].forEach((letter, position) => {
    const columns = Buffer.from(GLYPHS[letter] ?? UNKNOWN, 'hex');
    for (let column = 0; column < GLYPH_COLUMNS; column += 1) {
      for (let row = 0; row < GLYPH_ROWS; row += 1) {
        if (((columns[column]! >> row) & 1) === 1)
          plot(left + (position * ADVANCE_COLUMNS + column) * scale, top + row * scale);
      }
    }
  });
}
