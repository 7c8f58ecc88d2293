import { segmentationSessionOf } from '../../../test/support/test-session.js';
import { drawWoundPhoto } from '../../../test/support/wound-photo.js';
import type { SegmentationManifest } from './model-manifest.js';
import { PhotoAnalyser } from './photo-analyser.js';

const REDNESS = (red: number, green: number) => [Math.max(0, Math.min(1, 2 * (red - green) - 0.3))];
const PRESENCE: Partial<SegmentationManifest> = {
  output: { name: 'probability', presence: 'wound' },
  presence: { threshold: 0.3 },
};

/** The drawn photo as a model sees it that outlines what is red, and says how likely there is an open wound at all. */
async function analyse(presence: number | null) {
  const changes = presence === null ? {} : PRESENCE;
  const { session } = await segmentationSessionOf(REDNESS, changes, () => presence ?? 1);
  const analyser = new PhotoAnalyser({ segmentation: session, tissue: null }, { maxPixels: 1_000_000 });
  return analyser.analyse(await drawWoundPhoto({ format: 'png' }), 0.2);
}

describe('PhotoAnalyser', () => {
  it('outlines nothing in a photo that shows no open wound by the model, and is as sure of that as the model', async () => {
    const { wounds, setAside, confidence, familiarity, trace } = await analyse(0.1);
    expect([wounds, setAside.length, familiarity]).toEqual([[], 1, null]);
    expect(confidence).toBeCloseTo(0.9, 3);
    expect(trace.thresholds.probability).toBe(0.5);
  });

  it('draws nothing into the mask of such a photo', async () => {
    const [none, one] = [await analyse(0.1), await analyse(0.8)];
    expect(none.mask.length).toBeLessThan(one.mask.length);
  });

  it('reports what is outlined in a photo that shows one, with that confidence', async () => {
    const { wounds, setAside, confidence } = await analyse(0.8);
    expect([wounds.length, setAside]).toEqual([1, []]);
    expect(confidence).toBeCloseTo(0.8, 3);
  });

  it('reports what is outlined where the model does not say', async () => {
    const { wounds, setAside } = await analyse(null);
    expect([wounds.length, setAside]).toEqual([1, []]);
  });
});
