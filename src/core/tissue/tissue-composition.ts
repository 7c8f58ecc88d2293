import { perTissue, TISSUE_TABLE, TISSUES, type Tissue, type TissueComposition } from './tissues.js';

/** A tissue model's class for each pixel of a crop. */
export interface TissueClassMap {
  /** Names in the model's order, "granulation" and "slough" among them; what is no tissue of the wound bed counts as other. */
  readonly classes: readonly string[];
  /** Position of each pixel's likeliest class in `classes`. */
  readonly indices: Uint8Array;
}

const THOUSANDTHS = 1000;

/**
 * The tissue of each pixel by its number in the tissue table, 0 outside the outline. A pixel that the colour rule calls necrosis is that, whatever a model says that knows no necrosis.
 * Callus and background inside the outline are no wound bed: they count as other.
 * @param necrosisMask 1 where the colour rule found necrosis; not used where the model has a class of that name
 * @param woundMask 1 inside the outline; all three cover the same pixels
 */
export function tissueNumbers(
  { classes, indices }: TissueClassMap,
  necrosisMask: Uint8Array,
  woundMask: Uint8Array,
): Uint8Array {
  const byRule = !classes.includes('necrosis');
  const numbers = classes.map((name) => TISSUE_TABLE[tissueOf(name)].number);
  return woundMask.map((inside, index) => {
    if (inside !== 1) return 0;
    if (byRule && necrosisMask[index] === 1) return TISSUE_TABLE.necrosis.number;
    return numbers[indices[index]!] ?? TISSUE_TABLE.other.number;
  });
}

/**
 * Shares of the wound bed.
 * @param numbers of the tissues, as `tissueNumbers` has them
 * @param classes of the model that they were told apart by
 * @returns null where no pixel lies inside
 */
export function tissueComposition(numbers: Uint8Array, classes: readonly string[]): TissueComposition | null {
  const pixels = new Uint32Array(256);
  for (const number of numbers) pixels[number]! += 1;
  const total = numbers.length - pixels[0]!;
  if (total === 0) return null;
  return {
    ...toShares(
      perTissue((tissue) => pixels[TISSUE_TABLE[tissue].number]!),
      total,
    ),
    method: perTissue((tissue) => (classes.includes(tissue) ? 'model' : TISSUE_TABLE[tissue].withoutModelClass)),
  };
}

function tissueOf(name: string): Tissue {
  return TISSUES.find((tissue) => tissue === name) ?? 'other';
}

/** Thousandths that add up to exactly one thousand: the largest remainders are rounded up (Hamilton's method). */
function toShares(counts: Readonly<Record<Tissue, number>>, total: number): Record<Tissue, number> {
  const exact = TISSUES.map((tissue) => ({ tissue, thousandths: (counts[tissue] / total) * THOUSANDTHS }));
  let left = THOUSANDTHS - exact.reduce((sum, { thousandths }) => sum + Math.floor(thousandths), 0);
  const shares = perTissue(() => 0);
  for (const { tissue, thousandths } of exact.sort((one, two) => (two.thousandths % 1) - (one.thousandths % 1))) {
    shares[tissue] = (Math.floor(thousandths) + (left > 0 ? 1 : 0)) / THOUSANDTHS;
    left -= 1;
  }
  return shares;
}
