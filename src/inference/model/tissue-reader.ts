import type { PixelPolygon, WoundMeasurement } from '../../core/measurement/wound-result.js';
import { necrosisRule } from '../../core/measurement/necrosis-rule.js';
import { eachSpanInside, markInside } from '../../core/measurement/outline-mask.js';
import type { Ring } from '../../core/measurement/polygon.js';
import type { ContentRegion } from '../../core/measurement/probability-map.js';
import { tissueComposition, tissueNumbers } from '../../core/tissue/tissue-composition.js';
import type { TissueComposition } from '../../core/tissue/tissues.js';
import type { PhotoRaster, RasterRegion } from '../imaging/photo-raster.js';
import { toPhotoTensor, type PhotoTensor } from '../imaging/photo-tensor.js';
import type { TissueMap } from '../imaging/tissue-picture.js';
import { cropAround } from './crop.js';
import type { TissuePrediction, TissueSession } from './tissue-session.js';

/** Of the largest outlines; each costs a run. */
const MOST_WOUNDS = 6;
/** Least side of a crop, in raster pixels: a few pixels blown up show no tissue. */
const LEAST_CROP_SIDE = 32;

/** Wounds with their tissue, and where each tissue lies. */
export interface DescribedWounds {
  readonly wounds: WoundMeasurement[];
  readonly map: TissueMap;
}

/** Tells the tissues of each wound bed apart, in a crop around its outline. */
export class TissueReader {
  constructor(private readonly session: TissueSession) {}

  /** The wounds with their tissue, of the six largest at most. Throws `model.output_invalid` where the model gives no probabilities. */
  async describe(wounds: readonly WoundMeasurement[], raster: PhotoRaster): Promise<DescribedWounds> {
    const { width, height } = raster;
    const map = { numbers: new Uint8Array(width * height), width, height };
    const tissues = await Promise.all(wounds.slice(0, MOST_WOUNDS).map((wound) => this.compose(wound, raster, map)));
    return { wounds: wounds.map((wound, index) => ({ ...wound, tissue: tissues[index] ?? null })), map };
  }

  private async compose(
    { boundingBox: box, contour }: WoundMeasurement,
    raster: PhotoRaster,
    map: TissueMap,
  ): Promise<TissueComposition | null> {
    const { manifest } = this.session;
    const [scaleX, scaleY] = [raster.width / raster.photo.widthPx, raster.height / raster.photo.heightPx];
    const onRaster = { x: box.x * scaleX, y: box.y * scaleY, width: box.width * scaleX, height: box.height * scaleY };
    const crop = cropAround(onRaster, manifest.contextShare, raster, LEAST_CROP_SIDE);
    const tensor = await toPhotoTensor(raster, manifest.input, crop);
    const planes = await this.session.predict(tensor.values);
    const { width, height } = tensor.region;
    const woundMask = markInside(contour, toPhotoFrame(crop, raster), width, height);
    const necrosisMask = necrosisRule({ pixels: tensor.pixels, width, height }, woundMask);
    const indices = likeliestClasses(planes, tensor, manifest.input.width, manifest.classes.length);
    const numbers = tissueNumbers({ classes: manifest.classes, indices }, necrosisMask, woundMask);
    keepIn(map, { numbers, width, height }, crop, toRasterRings(contour, raster));
    return tissueComposition(numbers, manifest.classes);
  }
}

/** Writes what was seen in a crop into the map of the whole photo, each pixel the nearest one that the model saw. */
function keepIn(map: TissueMap, seen: TissueMap, crop: RasterRegion, rings: readonly Ring[]): void {
  const nearest = (at: number, from: number, cropped: number, pixels: number) =>
    Math.min(pixels - 1, Math.max(0, Math.floor(((at + 0.5 - from) * pixels) / cropped)));
  eachSpanInside(rings, map.width, map.height, (row, from, to) => {
    const line = nearest(row, crop.y, crop.height, seen.height) * seen.width;
    for (let column = from; column < to; column += 1)
      map.numbers[row * map.width + column] = seen.numbers[line + nearest(column, crop.x, crop.width, seen.width)]!;
  });
}

function toRasterRings({ coordinates }: PixelPolygon, { width, height, photo }: PhotoRaster): Ring[] {
  return coordinates.map((ring) =>
    ring.map(([x, y]) => [(x * width) / photo.widthPx, (y * height) / photo.heightPx] as const),
  );
}

/** For each pixel of the region the class with the highest probability. */
function likeliestClasses(
  planes: TissuePrediction,
  { region }: PhotoTensor,
  frameWidth: number,
  classes: number,
): Uint8Array {
  const plane = planes.length / classes;
  const indices = new Uint8Array(region.width * region.height);
  for (let row = 0, target = 0; row < region.height; row += 1) {
    for (let column = 0; column < region.width; column += 1, target += 1) {
      const pixel = (region.y + row) * frameWidth + region.x + column;
      for (let index = 1, best = planes[pixel]!; index < classes; index += 1) {
        const probability = planes[index * plane + pixel]!;
        if (probability <= best) continue;
        best = probability;
        indices[target] = index;
      }
    }
  }
  return indices;
}

function toPhotoFrame(crop: RasterRegion, { width, height, photo }: PhotoRaster): ContentRegion {
  const [scaleX, scaleY] = [photo.widthPx / width, photo.heightPx / height];
  return { x: crop.x * scaleX, y: crop.y * scaleY, width: crop.width * scaleX, height: crop.height * scaleY };
}
