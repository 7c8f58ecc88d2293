import { segmentationSessionOf } from '../../../test/support/test-session.js';
import { measureWounds } from '../../core/measurement/measure-wounds.js';
import type { PhotoRaster } from '../imaging/photo-raster.js';
import type { SegmentationManifest } from './model-manifest.js';
import { StepClock } from './step-clock.js';
import { WoundLocator } from './wound-locator.js';

const REFINEMENT = { belowAreaShare: 0.05, contextShare: 0.5 };

/** A grey photo with red discs: [x, y, radius] in raster pixels. */
function drawRaster(
  width: number,
  height: number,
  discs: readonly (readonly [number, number, number])[],
  shrunk = 1,
): PhotoRaster {
  const pixels = new Uint8Array(width * height * 3).fill(128);
  discs.forEach(([cx, cy, radius]) => {
    for (let y = Math.max(0, cy - radius); y < Math.min(height, cy + radius); y += 1) {
      for (let x = Math.max(0, cx - radius); x < Math.min(width, cx + radius); x += 1) {
        if (Math.hypot(x + 0.5 - cx, y + 0.5 - cy) < radius) pixels.set([255, 0, 0], (y * width + x) * 3);
      }
    }
  });
  return { pixels, width, height, photo: { widthPx: width * shrunk, heightPx: height * shrunk } };
}

/** Probability by how much red there is over green; grey is none. */
const redness = (red: number, green: number) => [Math.max(0, Math.min(1, red - green))];

async function locate(raster: PhotoRaster, changes: Partial<SegmentationManifest> = {}) {
  const { session, runs } = await segmentationSessionOf(redness, changes);
  const clock = new StepClock();
  const located = await new WoundLocator(session).locate(raster, clock);
  return {
    located,
    runs: runs(),
    steps: Object.keys(clock.timingsMs),
    wounds: measureWounds(located.map, raster.photo, located.rules, null),
  };
}

describe('WoundLocator', () => {
  it('looks once where the manifest wants no second look', async () => {
    const { located, runs, steps } = await locate(drawRaster(1200, 900, [[300, 600, 30]]));
    expect([runs, located.crop, steps]).toEqual([1, null, ['inferenceMs']]);
  });

  it('looks once at a photo that has no more detail than the frame', async () => {
    const { runs } = await locate(drawRaster(64, 48, [[30, 20, 4]]), { refinement: REFINEMENT });
    expect(runs).toBe(1);
  });

  it('looks once at a wound that is large already', async () => {
    const { runs } = await locate(drawRaster(1200, 900, [[600, 450, 200]]), { refinement: REFINEMENT });
    expect(runs).toBe(1);
  });

  it('looks once where wounds lie so far apart that a crop would show them no larger', async () => {
    const { runs } = await locate(
      drawRaster(1200, 900, [
        [100, 100, 40],
        [1100, 800, 40],
      ]),
      { refinement: REFINEMENT },
    );
    expect(runs).toBe(1);
  });

  it('looks again at a small wound and measures it in its place, far better', async () => {
    const raster = drawRaster(1200, 900, [[300, 600, 30]], 2);
    const once = await locate(raster);
    const twice = await locate(raster, { refinement: REFINEMENT });
    expect([twice.runs, twice.steps]).toEqual([2, ['inferenceMs', 'refineMs']]);
    expect(twice.located.crop).toEqual({ x: 376, y: 976, width: 448, height: 448 });
    const truthPx = Math.PI * 60 ** 2;
    const errorOf = ({ wounds }: typeof once) => Math.abs(wounds[0]!.area.pixels - truthPx) / truthPx;
    expect(errorOf(once)).toBeGreaterThan(0.05);
    expect(errorOf(twice)).toBeLessThan(0.05);
    const { x, y, width, height } = twice.wounds[0]!.boundingBox;
    expect(Math.hypot(x + width / 2 - 600, y + height / 2 - 1200)).toBeLessThan(3);
  });

  it('looks again at the likeliest spot where nothing is outlined, if the manifest says from which probability on', async () => {
    // Seen from afar the islands run together into something faint.
    const islands = Array.from(
      { length: 25 },
      (_, index) => [250 + (index % 5) * 24, 550 + Math.floor(index / 5) * 24, 8] as const,
    );
    const raster = drawRaster(1200, 900, islands);
    expect((await locate(raster, { refinement: REFINEMENT })).runs).toBe(1);
    const { wounds, runs } = await locate(raster, { refinement: { ...REFINEMENT, proposalThreshold: 0.2 } });
    expect([runs, wounds.length]).toEqual([2, 25]);
  });

  it('sees no wound in the black beside a crop', async () => {
    const { session } = await segmentationSessionOf(
      (red, green, blue) => [red + green + blue === 0 ? 1 : redness(red, green)[0]!],
      { refinement: REFINEMENT },
    );
    const raster = drawRaster(1200, 200, [[600, 100, 40]]);
    const { map, crop } = await new WoundLocator(session).locate(raster, new StepClock());
    expect(crop).not.toBeNull();
    const { content, width, height, values } = map;
    const outside = Array.from({ length: height }, (_, row) => row).filter(
      (row) => row + 1 <= content.y || row >= content.y + content.height,
    );
    expect(outside.length).toBeGreaterThan(4);
    for (const row of outside) expect(Math.max(...values.subarray(row * width, (row + 1) * width))).toBe(0);
  });

  it('says of the same outline the same in a crop as if the crop were the photo', async () => {
    const confidence = {
      wound: { intercept: -1, meanLogit: 1, logAreaShare: 0.8 },
      photo: { intercept: 0, peakLogit: 1 },
    };
    const { located, wounds } = await locate(drawRaster(1200, 900, [[300, 600, 30]]), {
      refinement: REFINEMENT,
      confidence,
    });
    const { x, y, width, height } = located.crop!;
    const alone = drawRaster(width, height, [[300 - x, 600 - y, 30]]);
    const other = await locate(alone, { confidence });
    expect(wounds[0]!.confidence).toBeCloseTo(other.wounds[0]!.confidence, 2);
  });

  it('calls a photo unfamiliar above the threshold, and none where the model tells no distance', async () => {
    const novel = { output: { name: 'probability', novelty: 'distance' } };
    const raster = drawRaster(64, 64, []);
    expect((await locate(raster)).located.unfamiliar).toBe(false);
    expect((await locate(raster, novel)).located.unfamiliar).toBe(false);
    expect((await locate(raster, { ...novel, noveltyThreshold: 0.4 })).located.unfamiliar).toBe(true);
    expect((await locate(raster, { ...novel, noveltyThreshold: 0.6 })).located.unfamiliar).toBe(false);
  });

  it('says nothing of an open wound where the model does not', async () => {
    expect((await locate(drawRaster(64, 64, []))).located.presence).toBeNull();
  });

  it.each([
    [
      'the second look, where a small wound is lost in the first',
      (meanRed: number) => (meanRed > 0.52 ? 0.9 : 0.1),
      0.9,
    ],
    ['the first look, where the second sees less', (meanRed: number) => (meanRed > 0.52 ? 0.2 : 0.8), 0.8],
  ])('takes the likelier presence of both looks: of %s', async (_, presenceOf, expected) => {
    const presence = { output: { name: 'probability', presence: 'wound' }, presence: { threshold: 0.3 } };
    const changes = { ...presence, refinement: REFINEMENT };
    const { session, runs } = await segmentationSessionOf(redness, changes, presenceOf);
    const located = await new WoundLocator(session).locate(drawRaster(1200, 900, [[300, 600, 30]]), new StepClock());
    expect([runs(), located.presence]).toEqual([2, expect.closeTo(expected, 5)]);
  });
});
