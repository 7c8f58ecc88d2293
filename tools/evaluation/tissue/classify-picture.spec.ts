import type { TissueSession } from '../../../src/inference/model/tissue-session.js';
import { classifyPicture } from './classify-picture.js';

const SIDE = 64;

/** Says class 1 with the value of the frame's red channel, else class 0. */
const redSession = {
  manifest: {
    input: { name: 'image', width: SIDE, height: SIDE, mean: [0, 0, 0], std: [1, 1, 1], resize: 'letterbox' },
    classes: ['background', 'granulation'],
  },
  predict: (values: Float32Array) => {
    const red = values.subarray(0, SIDE * SIDE);
    return Promise.resolve(
      Float32Array.from({ length: 2 * SIDE * SIDE }, (_, index) =>
        index < SIDE * SIDE ? 1 - red[index]! : red[index - SIDE * SIDE]!,
      ),
    );
  },
} as unknown as TissueSession;

function rasterOf(width: number, height: number, isRed: (x: number, y: number) => boolean) {
  const pixels = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    pixels[pixel * 3] = isRed(pixel % width, Math.floor(pixel / width)) ? 255 : 0;
  return { pixels, width, height, photo: { widthPx: width, heightPx: height } };
}

describe('classifyPicture', () => {
  it.each([
    [64, 64],
    [128, 128],
    [96, 48],
    [40, 90],
  ])('brings the classes of a picture of %d × %d pixels back to its own pixels', async (width, height) => {
    const isRed = (x: number, y: number) => x < width / 2 && y >= height / 4;
    const classes = await classifyPicture(redSession, rasterOf(width, height, isRed));
    const wrong = [...classes].filter(
      (found, pixel) => (found === 1) !== isRed(pixel % width, Math.floor(pixel / width)),
    ).length;
    expect(classes).toHaveLength(width * height);
    // A border may lie a pixel off where the frame has fewer pixels than the picture.
    expect(wrong).toBeLessThanOrEqual(width + height);
    expect([classes[0], classes[(height - 1) * width], classes[height * width - 1]]).toEqual([0, 1, 0]);
  });
});
