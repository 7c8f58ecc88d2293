import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import type { PhotoRaster } from '../photo-raster.js';
import { lightAt } from './grey-picture.js';

const PROFILE_STEP_PX = 0.5;
/** White must be this much brighter than black, as light (not as 8-bit value). */
const LEAST_CONTRAST = 0.04;
const LEAST_RATIO = 1.8;

/** Distance outwards at which the light crosses the middle between black and white; null where it does not. */
export function edgeOffset(
  raster: PhotoRaster,
  [x, y]: PixelPoint,
  outward: readonly [number, number],
  reachPx: number,
): number | null {
  const steps = Math.round(reachPx / PROFILE_STEP_PX);
  const profile: number[] = [];
  for (let step = -steps; step <= steps; step += 1) {
    const light = lightAt(raster, x + outward[0] * step * PROFILE_STEP_PX, y + outward[1] * step * PROFILE_STEP_PX);
    if (light === null) return null;
    profile.push(light);
  }
  const end = Math.max(2, Math.floor(profile.length / 4));
  const black = mean(profile.slice(0, end));
  const white = mean(profile.slice(-end));
  if (white - black < LEAST_CONTRAST || white < black * LEAST_RATIO) return null;
  return middleCrossing(profile, (black + white) / 2, steps);
}

/** The crossing nearest to the profile's middle, from dark to light. */
function middleCrossing(profile: readonly number[], level: number, steps: number): number | null {
  let best: number | null = null;
  for (let index = 1; index < profile.length; index += 1) {
    const [before, after] = [profile[index - 1]!, profile[index]!];
    if (before >= level || after < level) continue;
    const offset = (index - 1 + (level - before) / (after - before) - steps) * PROFILE_STEP_PX;
    if (best === null || Math.abs(offset) < Math.abs(best)) best = offset;
  }
  return best;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
