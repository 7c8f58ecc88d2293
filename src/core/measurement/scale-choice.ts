import type { MarkerFinding } from './wound-result.js';
import { clientScale, mmPerPixelAt, type PlaneScale } from './plane-scale.js';
import type { PhotoSize } from './probability-map.js';

/** The printed card that was found. Both null without one. */
export interface CardScale {
  /** null where there is no card, or one that must not be used. */
  readonly scale: PlaneScale | null;
  readonly finding: MarkerFinding | null;
}

/** The one scale that a photo is measured by. */
export interface ChosenScale {
  readonly scale: PlaneScale | null;
  readonly marker: MarkerFinding | null;
  /** The caller's scale and the card's cannot both be right. */
  readonly mismatch: boolean;
  /** It was taken back, as by it a wound would be larger than a body allows. */
  readonly isImplausible?: boolean;
}

/** Two scales disagree from this ratio on; below it the caller's may have been read where the card does not lie. */
const MISMATCH_SHARE = 0.1;

/** The caller's scale where one is stated (contract, "calibration"), else the card's. A sound card is then the check on the caller. */
export function chooseScale(clientMmPerPixel: number | null, card: CardScale, photo: PhotoSize): ChosenScale {
  if (clientMmPerPixel === null) return { scale: card.scale, marker: card.finding, mismatch: false };
  const scale = clientScale(clientMmPerPixel);
  if (card.scale === null || card.finding === null) return { scale, marker: card.finding, mismatch: false };
  const cardMmPerPixel = mmPerPixelAt(card.scale, [photo.widthPx / 2, photo.heightPx / 2]);
  const mismatch = !(Math.abs(Math.log(cardMmPerPixel / clientMmPerPixel)) <= Math.log(1 + MISMATCH_SHARE));
  return { scale, marker: { ...card.finding, status: 'ignored', reason: 'client_scale_given' }, mismatch };
}
