import { captureFault, photoFault } from './photo-fault.js';

const NOW = new Date('2026-03-15T09:00:00Z');
const MINUTE_MS = 60_000;
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const verdictOf = (widthPx: number) => ({ readable: true as const, format: 'jpeg' as const, widthPx, heightPx: 100 });
const faultOf = (widthPx: number, mmPerPixel: number | null, capturedAt: Date | null = null) =>
  photoFault(verdictOf(widthPx), { mmPerPixel, capturedAt }, NOW)?.code ?? null;

describe('a photo is refused', () => {
  it('where it was taken more than five minutes after now', () => {
    expect(captureFault(inMs(5 * MINUTE_MS + 1), NOW)).toMatchObject({ code: 'capture.future', kind: 'unprocessable' });
    expect(captureFault(inMs(5 * MINUTE_MS), NOW)).toBeNull();
    expect(faultOf(640, 0.2, inMs(6 * MINUTE_MS))).toBe('capture.future');
  });

  it.each([
    [640, 0.0049],
    [640, 5.01],
    [640, 4.69],
    [640, 0.0078],
    [640, Number.NaN],
  ])('where %i pixels at %f mm a pixel are no photo of a wound', (widthPx, mmPerPixel) => {
    expect(faultOf(widthPx, mmPerPixel)).toBe('calibration.implausible');
  });

  it.each([
    [640, 4.68],
    [640, 0.0079],
    [1000, 0.005],
    [600, 5],
    [640, null],
  ])('and %i pixels at %p mm a pixel are taken', (widthPx, mmPerPixel) => {
    expect(faultOf(widthPx, mmPerPixel, NOW)).toBeNull();
  });
});
