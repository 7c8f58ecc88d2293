/** The printed calibration cards, by size. Drawing and detection share this geometry. */
export const CARD_SIZES = ['a4', 'credit_card'] as const;
export type CardSize = (typeof CARD_SIZES)[number];

/** A place on a card: millimetres to the right of and below its upper left corner. */
export type CardPoint = readonly [xMm: number, yMm: number];

/** One square marker of the public ArUco dictionary DICT_4X4_50 (Garrido-Jurado et al. 2014). */
export interface CardMarker {
  readonly id: number;
  /** Rows of its code from the top, 1 is white. Around it lies a black border one cell wide. */
  readonly code: readonly string[];
  /** The upper left corner of the black border. */
  readonly corner: CardPoint;
}

export interface CalibrationCard {
  readonly size: CardSize;
  readonly widthMm: number;
  readonly heightMm: number;
  /** Edge of each marker, border included. */
  readonly markerMm: number;
  /** The left one, then the right one. */
  readonly markers: readonly [CardMarker, CardMarker];
  /** True length of the check bar when the card is printed at 100 %. */
  readonly barMm: number;
}

/** Cells along a marker's edge: four of the code and the border on both sides. */
export const MARKER_CELLS = 6;

/**
 * Four markers of DICT_4X4_50 that differ from one another, in every rotation, in at least 7 of 16 cells. Low ids, which other
 * sheets with ArUco markers mostly carry, are left out.
 */
const CODES = {
  15: ['0010', '0110', '0011', '1110'],
  23: ['1101', '1101', '1000', '0010'],
  25: ['1001', '0100', '0111', '0001'],
  43: ['0011', '1000', '1011', '0010'],
} as const;

/** Both cards. A released card stays: printed copies are in use. */
export const CALIBRATION_CARDS: Readonly<Record<CardSize, CalibrationCard>> = {
  a4: {
    size: 'a4',
    widthMm: 190,
    heightMm: 84,
    markerMm: 40,
    markers: [marker(15, [8, 8]), marker(23, [142, 8])],
    barMm: 100,
  },
  // ISO/IEC 7810 ID-1.
  credit_card: {
    size: 'credit_card',
    widthMm: 85.6,
    heightMm: 53.98,
    markerMm: 20,
    markers: [marker(25, [4, 4]), marker(43, [61.6, 4])],
    barMm: 80,
  },
};

/** Measured lengths of the check bars, in millimetres, for cards that were not printed at 100 %. */
export type CardCorrections = Readonly<Partial<Record<CardSize, number>>>;

const LEAST_BAR_SHARE = 0.9;
const MOST_BAR_SHARE = 1.1;

/** The check bar lengths that a correction may state: within a tenth of the true one. Beyond that the card was scaled to another page and has to be printed again. */
export function barLimitsMm(size: CardSize): { readonly least: number; readonly most: number } {
  const { barMm } = CALIBRATION_CARDS[size];
  return { least: barMm * LEAST_BAR_SHARE, most: barMm * MOST_BAR_SHARE };
}

/** The four corners of a marker, clockwise from its upper left, on a card whose check bar measures `barMm`. */
export function markerCorners(
  card: CalibrationCard,
  { corner: [x, y] }: CardMarker,
  barMm: number = card.barMm,
): CardPoint[] {
  const print = barMm / card.barMm;
  const side = card.markerMm;
  return (
    [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
    ] as const
  ).map(([cx, cy]): CardPoint => [cx * print, cy * print]);
}

/** The card and the marker that an ArUco id stands for; null for an id of no card. */
export function cardOfMarker(id: number): { readonly card: CalibrationCard; readonly marker: CardMarker } | null {
  for (const card of Object.values(CALIBRATION_CARDS)) {
    const marker = card.markers.find((one) => one.id === id);
    if (marker !== undefined) return { card, marker };
  }
  return null;
}

function marker(id: keyof typeof CODES, corner: CardPoint): CardMarker {
  return { id, code: CODES[id], corner };
}
