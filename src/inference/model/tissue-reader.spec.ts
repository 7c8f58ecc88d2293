import { tissueSessionOf } from '../../../test/support/test-session.js';
import type { PixelPoint, WoundMeasurement } from '../../core/measurement/wound-result.js';
import type { PhotoRaster } from '../imaging/photo-raster.js';
import { TissueReader } from './tissue-reader.js';

type Colour = readonly [number, number, number];
const SKIN: Colour = [222, 178, 152];
const RED: Colour = [180, 30, 40];
const YELLOW: Colour = [230, 210, 60];
const BLACK: Colour = [20, 18, 18];

/** Yellow is slough, red granulation, light skin callus. */
const byColour = (red: number, green: number) => {
  if (red > 0.6 && green > 0.75) return [0.1, 0.8, 0.1, 0];
  return red - green > 0.3 ? [0.1, 0.1, 0.8, 0] : [0.2, 0.1, 0.1, 0.6];
};

/** A photo of 400 × 300 raster pixels, half as large as the photo itself, painted by place. */
function paint(colourAt: (x: number, y: number) => Colour): PhotoRaster {
  const [width, height] = [400, 300];
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) pixels.set(colourAt(x, y), (y * width + x) * 3);
  return { pixels, width, height, photo: { widthPx: 800, heightPx: 600 } };
}

/** The rectangle of a wound, in pixels of the photo. */
function wound(index: number, x: number, y: number, width: number, height: number): WoundMeasurement {
  const ring: PixelPoint[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
    [x, y],
  ];
  const length = { pixels: 1, cm: null };
  return {
    index,
    confidence: 1,
    boundingBox: { x, y, width, height },
    contour: { type: 'Polygon', coordinates: [ring] },
    area: { pixels: width * height, pixelBounds: { lower: 0, upper: 0 }, cm2: null },
    length,
    width: length,
    perimeter: length,
    tissue: null,
  };
}

const readTissues = async (wounds: readonly WoundMeasurement[], raster: PhotoRaster) =>
  new TissueReader(await tissueSessionOf(byColour)).describe(wounds, raster);
const describeTissues = async (wounds: readonly WoundMeasurement[], raster: PhotoRaster) =>
  (await readTissues(wounds, raster)).wounds;

describe('TissueReader', () => {
  it('tells the shares of a bed that is three quarters granulation and one quarter slough', async () => {
    const raster = paint((x, y) => (x < 150 || x >= 250 || y < 100 || y >= 180 ? SKIN : x < 175 ? YELLOW : RED));
    const [found] = await describeTissues([wound(0, 300, 200, 200, 160)], raster);
    expect(found!.tissue).toMatchObject({
      method: { granulation: 'model', slough: 'model', necrosis: 'cielab_rule', other: 'remainder' },
    });
    expect(found!.tissue!.granulation).toBeCloseTo(0.75, 1);
    expect(found!.tissue!.slough).toBeCloseTo(0.25, 1);
  });

  it('calls black tissue necrosis by the colour rule, and skin inside the outline other', async () => {
    const raster = paint((x, y) => (x < 150 || x >= 250 || y < 100 || y >= 180 ? SKIN : x < 200 ? BLACK : SKIN));
    const [found] = await describeTissues([wound(0, 300, 200, 200, 160)], raster);
    expect(found!.tissue!.necrosis).toBeCloseTo(0.5, 1);
    expect(found!.tissue!.other).toBeCloseTo(0.5, 1);
  });

  it('reads each wound from its own place, at the edge of the photo too', async () => {
    const raster = paint((x, y) => (x < 60 && y < 40 ? RED : x >= 340 && y >= 250 ? YELLOW : SKIN));
    const found = await describeTissues([wound(0, 0, 0, 120, 80), wound(1, 680, 500, 120, 100)], raster);
    expect(found.map(({ tissue }) => [Math.round(tissue!.granulation), Math.round(tissue!.slough)])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('leaves the tissue of more than six outlines unsaid', async () => {
    const wounds = Array.from({ length: 8 }, (_, index) => wound(index, 100 * index, 100, 40, 40));
    const found = await describeTissues(
      wounds,
      paint(() => RED),
    );
    expect(found.map(({ tissue }) => tissue === null)).toEqual([false, false, false, false, false, false, true, true]);
  });

  it('maps where each tissue lies, and nothing outside the outlines', async () => {
    const raster = paint((x, y) => (x < 150 || x >= 250 || y < 100 || y >= 180 ? SKIN : x < 175 ? YELLOW : RED));
    const { map } = await readTissues([wound(0, 300, 200, 200, 160)], raster);
    expect([map.width, map.height]).toEqual([400, 300]);
    const at = (x: number, y: number) => map.numbers[y * map.width + x];
    expect([at(160, 140), at(220, 140), at(140, 140), at(220, 90)]).toEqual([2, 1, 0, 0]);
    expect(map.numbers.filter((number) => number !== 0)).toHaveLength(100 * 80);
  });
});
