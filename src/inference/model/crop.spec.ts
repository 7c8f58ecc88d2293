import type { PhotoRaster } from '../imaging/photo-raster.js';
import { cropAround } from './crop.js';

const raster: PhotoRaster = {
  pixels: new Uint8Array(),
  width: 2000,
  height: 1500,
  photo: { widthPx: 4000, heightPx: 3000 },
};

describe('cropAround', () => {
  it('leaves a share of the longer side on each side, as a square', () => {
    expect(cropAround({ x: 900, y: 700, width: 200, height: 100 }, 0.5, raster, 100)).toEqual({
      x: 800,
      y: 550,
      width: 400,
      height: 400,
    });
  });

  it('is never smaller than the least side', () => {
    expect(cropAround({ x: 1000, y: 700, width: 10, height: 10 }, 1, raster, 224)).toEqual({
      x: 893,
      y: 593,
      width: 224,
      height: 224,
    });
  });

  it('is moved into the picture at its edges', () => {
    expect(cropAround({ x: 0, y: 1490, width: 20, height: 10 }, 1, raster, 224)).toEqual({
      x: 0,
      y: 1276,
      width: 224,
      height: 224,
    });
    expect(cropAround({ x: 1980, y: 0, width: 20, height: 10 }, 1, raster, 224)).toEqual({
      x: 1776,
      y: 0,
      width: 224,
      height: 224,
    });
  });

  it('is cut where the picture is smaller', () => {
    expect(cropAround({ x: 200, y: 100, width: 1500, height: 1200 }, 0.5, raster, 224)).toEqual({
      x: 0,
      y: 0,
      width: 2000,
      height: 1500,
    });
  });
});
