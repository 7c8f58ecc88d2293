import type { PhotoRaster } from '../../../src/inference/imaging/photo-raster.js';
import { toPhotoTensor } from '../../../src/inference/imaging/photo-tensor.js';
import type { TissueSession } from '../../../src/inference/model/tissue-session.js';

/**
 * The likeliest class of each pixel of an oriented picture that shows a wound's surroundings, by its place in the model's list. The picture is fitted into the
 * model's frame and the probabilities are brought back to its own pixels, linearly.
 */
export async function classifyPicture(session: TissueSession, raster: PhotoRaster): Promise<Uint8Array> {
  const { input, classes } = session.manifest;
  const { values, region } = await toPhotoTensor(raster, input);
  const planes = await session.predict(values);
  const { widthPx: width, heightPx: height } = raster.photo;
  const columns = samplePlaces(width, region.x, region.width);
  const rows = samplePlaces(height, region.y, region.height);
  const likeliest = new Uint8Array(width * height);
  const highest = new Float32Array(width * height).fill(-Infinity);
  classes.forEach((_, index) => {
    const start = index * input.width * input.height;
    for (let row = 0, pixel = 0; row < height; row += 1) {
      const { low: top, high: bottom, weight: down } = rows[row]!;
      const [upper, lower] = [start + top * input.width, start + bottom * input.width];
      for (let column = 0; column < width; column += 1, pixel += 1) {
        const { low: left, high: right, weight: across } = columns[column]!;
        const above = planes[upper + left]! * (1 - across) + planes[upper + right]! * across;
        const below = planes[lower + left]! * (1 - across) + planes[lower + right]! * across;
        const probability = above * (1 - down) + below * down;
        if (probability <= highest[pixel]!) continue;
        highest[pixel] = probability;
        likeliest[pixel] = index;
      }
    }
  });
  return likeliest;
}

interface SamplePlace {
  readonly low: number;
  readonly high: number;
  /** Of the higher one. */
  readonly weight: number;
}

/** For each pixel centre of a side the two frame samples around it; beyond the outermost centres the outermost sample counts. */
function samplePlaces(side: number, start: number, fitted: number): SamplePlace[] {
  return Array.from({ length: side }, (_, pixel) => {
    const place = Math.min(fitted - 1, Math.max(0, ((pixel + 0.5) * fitted) / side - 0.5));
    const low = Math.floor(place);
    return { low: start + low, high: start + Math.min(fitted - 1, low + 1), weight: place - low };
  });
}
