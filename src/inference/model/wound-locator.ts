import type { BoundingBox, PixelPoint } from '../../core/measurement/wound-result.js';
import type { OutlineRules } from '../../core/measurement/measure-wounds.js';
import type { ContentRegion, ProbabilityMap } from '../../core/measurement/probability-map.js';
import { clearCards } from '../imaging/markers/clear-cards.js';
import type { PhotoRaster, RasterRegion } from '../imaging/photo-raster.js';
import { toPhotoTensor, type PhotoTensor } from '../imaging/photo-tensor.js';
import type { SegmentationManifest } from './model-manifest.js';
import type { SegmentationSession } from './segmentation-session.js';
import type { StepClock } from './step-clock.js';
import { chooseCrop } from './wound-refinement.js';

/** The places of wounds in a photo, before they are measured. */
export interface LocatedWounds {
  /** The map that outlines are traced from. Its content is the place of the photo, beyond the map's edges where the map is of a crop. */
  readonly map: ProbabilityMap;
  /** The same map with the part that shows the photo as its content. */
  readonly shown: ProbabilityMap;
  /** The model's rules, for this map. */
  readonly rules: OutlineRules;
  /** In pixels of the oriented photo; null where the whole photo is in the map. */
  readonly crop: BoundingBox | null;
  /** True where the photo's novelty is above the manifest's threshold. */
  readonly unfamiliar: boolean;
  /**
   * Probability that the photo shows an open wound, the higher one of both looks: a small wound may be seen in the second alone.
   * null where the model does not say.
   */
  readonly presence: number | null;
}

/** A coarse pass over the whole photo and, where the wounds are small in it, a second one over a crop around them. */
export class WoundLocator {
  constructor(private readonly session: SegmentationSession) {}

  /**
   * Throws `model.output_invalid` where the model gives no probabilities.
   * @param cards edges of the calibration cards in the photo, in its pixels: nothing on them is a wound
   */
  async locate(
    raster: PhotoRaster,
    clock: StepClock,
    cards: readonly (readonly PixelPoint[])[] = [],
  ): Promise<LocatedWounds> {
    const { manifest } = this.session;
    const whole = await this.look(raster, cards);
    const unfamiliar =
      manifest.noveltyThreshold !== undefined && whole.novelty !== null && whole.novelty > manifest.noveltyThreshold;
    clock.step('inferenceMs');
    const crop = chooseCrop(whole.map, raster, manifest);
    if (crop === null) {
      const { map, shown, presence } = whole;
      return { map, shown, rules: { ...manifest, unfamiliar }, crop: null, unfamiliar, presence };
    }
    const close = await this.look(raster, cards, crop);
    clock.step('refineMs');
    return {
      map: close.map,
      shown: close.shown,
      rules: { ...rulesForCrop(manifest, crop, raster), unfamiliar },
      crop: toPhoto(crop, raster),
      unfamiliar,
      presence: whole.presence === null ? null : Math.max(whole.presence, close.presence ?? 0),
    };
  }

  private async look(raster: PhotoRaster, cards: readonly (readonly PixelPoint[])[], region?: RasterRegion) {
    const { input } = this.session.manifest;
    const tensor = await toPhotoTensor(raster, input, region);
    const { probabilities, novelty, presence } = await this.session.predict(tensor.values);
    const map = { width: input.width, height: input.height, values: probabilities };
    if (region !== undefined) clearOutside(map, tensor);
    clearCards({ ...map, content: tensor.content }, raster.photo, cards);
    return { map: { ...map, content: tensor.content }, shown: { ...map, content: tensor.region }, novelty, presence };
  }
}

/**
 * The rules are shares of the model's picture. Measured against the whole photo, as outlines are, the least share of a crop
 * is smaller, and ln(share of the crop) = ln(share of the photo) + ln(photo / crop).
 */
function rulesForCrop(
  { threshold, minAreaShare, bounds, confidence, familiarity }: SegmentationManifest,
  crop: RasterRegion,
  raster: PhotoRaster,
): OutlineRules {
  const share = (crop.width * crop.height) / (raster.width * raster.height);
  if (confidence === undefined) return { threshold, minAreaShare: minAreaShare * share, bounds, familiarity };
  const { wound } = confidence;
  const intercept = wound.intercept - wound.logAreaShare * Math.log(share);
  return {
    threshold,
    minAreaShare: minAreaShare * share,
    bounds,
    familiarity,
    confidence: { ...confidence, wound: { ...wound, intercept } },
  };
}

/** Beside a crop lies more of the photo, where the model saw black bars. */
function clearOutside({ width, height, values }: Omit<ProbabilityMap, 'content'>, { region }: PhotoTensor): void {
  for (let row = 0; row < height; row += 1) {
    const start = row * width;
    if (row < region.y || row >= region.y + region.height) values.fill(0, start, start + width);
    else clearRow(values, start, width, region);
  }
}

function clearRow(values: Float32Array, start: number, width: number, { x, width: shown }: ContentRegion): void {
  values.fill(0, start, start + x);
  values.fill(0, start + x + shown, start + width);
}

function toPhoto(crop: RasterRegion, { width, height, photo }: PhotoRaster): BoundingBox {
  const [scaleX, scaleY] = [photo.widthPx / width, photo.heightPx / height];
  const tenths = (value: number) => Math.round(value * 10) / 10;
  return {
    x: tenths(crop.x * scaleX),
    y: tenths(crop.y * scaleY),
    width: tenths(crop.width * scaleX),
    height: tenths(crop.height * scaleY),
  };
}
