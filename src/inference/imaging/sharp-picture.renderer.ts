import sharp from 'sharp';
import type { DrawnPicture, PhotoView } from '../../core/analysis/photo-view.js';
import { PictureRenderer } from '../../core/analysis/picture-renderer.js';
import type { PhotoSize } from '../../core/measurement/probability-map.js';
import type { BoundingBox, PixelPoint } from '../../core/measurement/wound-result.js';
import type { ConcurrencyLimit } from '../../platform/turns/concurrency-limit.js';
import type { RgbPicture } from './drawing/paint-strokes.js';
import { paintView } from './drawing/paint-view.js';
import { readTissueAt } from './tissue-picture.js';

const JPEG_QUALITY = 80;
const RGB = 3;
/** Of the raster that views are cut from: a photo of 12 megapixels stays whole where a view needs it. */
const MOST_RASTER_PIXELS = 16_000_000;
/** Beyond the photo. */
const NOTHING = 0xd8;

/** A photo decoded once, for all views of it. */
interface ViewSource extends RgbPicture {
  readonly photo: PhotoSize;
}

/** A rectangle of whole pixels. */
interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Draws views of the oriented photo as JPEG without any metadata. */
export class SharpPictureRenderer extends PictureRenderer {
  /** @param maxPixels largest photo, in pixels */
  constructor(
    private readonly maxPixels: number,
    private readonly decoding: ConcurrencyLimit,
  ) {
    super();
  }

  override draw(photo: Uint8Array, views: readonly PhotoView[]): Promise<DrawnPicture[]> {
    return this.decoding.run(async () => {
      const source = await this.decode(photo, views);
      const pictures: DrawnPicture[] = [];
      for (const view of views) pictures.push(await drawView(source, view));
      return pictures;
    });
  }

  /** As large as the closest view needs it: decoders shrink at a fraction of the cost. */
  private async decode(bytes: Uint8Array, views: readonly PhotoView[]): Promise<ViewSource> {
    const options = { failOn: 'error', limitInputPixels: this.maxPixels } as const;
    const { autoOrient } = await sharp(bytes, options).metadata();
    const photo = { widthPx: autoOrient.width, heightPx: autoOrient.height };
    const closest = Math.max(...views.map(({ size, frame }) => size.widthPx / frame.width));
    const scale = Math.min(1, closest, Math.sqrt(MOST_RASTER_PIXELS / (photo.widthPx * photo.heightPx)));
    const [width, height] = [photo.widthPx, photo.heightPx].map((side) => Math.max(1, Math.round(side * scale)));
    const pixels = await sharp(bytes, options)
      .autoOrient()
      .resize(width!, height!, { fit: 'fill' })
      .toColourspace('srgb')
      .flatten({ background: '#000000' })
      .raw()
      .toBuffer();
    return { pixels, width: width!, height: height!, photo };
  }
}

// Lines and signs are painted into the pixels: an SVG layer would need the SVG decoder, which stays shut in this process.
async function drawView(source: ViewSource, view: PhotoView): Promise<DrawnPicture> {
  const { widthPx: width, heightPx: height } = view.size;
  const region = wholePixels(view.frame, source);
  const picture = { width, height, pixels: await cut(source, region, view.size) };
  const frame = inPhoto(region, source);
  const place = ([x, y]: PixelPoint): PixelPoint => [
    ((x - frame.x) * width) / frame.width,
    ((y - frame.y) * height) / frame.height,
  ];
  const tissueAt = view.tissueMap === null ? null : await readTissueAt(view.tissueMap, source.photo, frame, view.size);
  paintView(picture, view, place, tissueAt);
  const bytes = await sharp(picture.pixels, { raw: { width, height, channels: RGB } })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  return { bytes, ...view.size };
}

function wholePixels(
  { x, y, width, height }: BoundingBox,
  { width: columns, height: rows, photo }: ViewSource,
): Region {
  const [scaleX, scaleY] = [columns / photo.widthPx, rows / photo.heightPx];
  return {
    left: Math.round(x * scaleX),
    top: Math.round(y * scaleY),
    width: Math.max(1, Math.round(width * scaleX)),
    height: Math.max(1, Math.round(height * scaleY)),
  };
}

function inPhoto({ left, top, width, height }: Region, source: ViewSource): BoundingBox {
  const [scaleX, scaleY] = [source.photo.widthPx / source.width, source.photo.heightPx / source.height];
  return { x: left * scaleX, y: top * scaleY, width: width * scaleX, height: height * scaleY };
}

/** A region of the source as a picture of this size, grey where it reaches beyond the photo. */
async function cut(source: ViewSource, region: Region, { widthPx, heightPx }: PhotoSize): Promise<Uint8Array> {
  const left = Math.max(0, region.left);
  const top = Math.max(0, region.top);
  const width = Math.min(source.width, region.left + region.width) - left;
  const height = Math.min(source.height, region.top + region.height) - top;
  if (width <= 0 || height <= 0) return new Uint8Array(widthPx * heightPx * RGB).fill(NOTHING);
  const [scaleX, scaleY] = [widthPx / region.width, heightPx / region.height];
  const [fromX, fromY] = [Math.round((left - region.left) * scaleX), Math.round((top - region.top) * scaleY)];
  const wide = Math.min(widthPx - fromX, Math.max(1, Math.round(width * scaleX)));
  const high = Math.min(heightPx - fromY, Math.max(1, Math.round(height * scaleY)));
  const part = await sharp(source.pixels, { raw: { width: source.width, height: source.height, channels: RGB } })
    .extract({ left, top, width, height })
    .resize(wide, high, { fit: 'fill' })
    .raw()
    .toBuffer();
  if (wide === widthPx && high === heightPx) return part;
  const pixels = new Uint8Array(widthPx * heightPx * RGB).fill(NOTHING);
  for (let row = 0; row < high; row += 1)
    pixels.set(part.subarray(row * wide * RGB, (row + 1) * wide * RGB), ((fromY + row) * widthPx + fromX) * RGB);
  return pixels;
}
