/** A colour in CIELAB (CIE 1976, D65): lightness 0 to 100, and the two axes of colour. */
export interface LabColour {
  readonly lightness: number;
  /** Red above 0, green below. */
  readonly a: number;
  /** Yellow above 0, blue below. */
  readonly b: number;
}

// IEC 61966-2-1: from an 8-bit sRGB value to linear light 0..1.
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});
const CUBE_LIMIT = (6 / 29) ** 3;
// White point D65.
const [WHITE_X, WHITE_Z] = [0.95047, 1.08883];

/** CIELAB of an 8-bit sRGB colour. */
export function toLab(red: number, green: number, blue: number): LabColour {
  const [r, g, b] = [LINEAR[red]!, LINEAR[green]!, LINEAR[blue]!];
  const x = response((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / WHITE_X);
  const y = response(luminance(r, g, b));
  const z = response((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / WHITE_Z);
  return { lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) };
}

/** L* alone, 0 to 100, of an 8-bit sRGB colour. */
export function toLightness(red: number, green: number, blue: number): number {
  return 116 * response(luminance(LINEAR[red]!, LINEAR[green]!, LINEAR[blue]!)) - 16;
}

function luminance(red: number, green: number, blue: number): number {
  return 0.2126729 * red + 0.7151522 * green + 0.072175 * blue;
}

function response(share: number): number {
  return share > CUBE_LIMIT ? Math.cbrt(share) : share / (3 * (6 / 29) ** 2) + 4 / 29;
}
