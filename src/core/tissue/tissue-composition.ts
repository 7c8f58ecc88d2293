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
 * Shares of the wound bed. A pixel that the colour rule calls necrosis is that, whatever a model says that knows no necrosis.
 * Callus and background inside the outline are no wound bed: they count as other.
 * @param necrosisMask 1 where the colour rule found necrosis; not used where the model has a class of that name
 * @param woundMask 1 inside the outline; all three cover the same pixels
 * @returns null where no pixel lies inside
 */
export function tissueComposition(
  classMap: TissueClassMap,
  necrosisMask: Uint8Array,
  woundMask: Uint8Array,
): TissueComposition | null {
  const modelKnows = (tissue: Tissue) => classMap.classes.includes(tissue);
  const modelKnowsNecrosis = modelKnows('necrosis');
  const tissues = classMap.classes.map(tissueOf);
  const counts = perTissue(() => 0);
  let total = 0;
  for (let index = 0; index < woundMask.length; index += 1) {
    if (woundMask[index] !== 1) continue;
    total += 1;
    const byRule = !modelKnowsNecrosis && necrosisMask[index] === 1;
    counts[byRule ? 'necrosis' : (tissues[classMap.indices[index]!] ?? 'other')] += 1;
  }
  if (total === 0) return null;
  return {
    ...toShares(counts, total),
    method: perTissue((tissue) => (modelKnows(tissue) ? 'model' : TISSUE_TABLE[tissue].withoutModelClass)),
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
