import type { CalibrationCard } from '../../src/core/calibration/calibration-card.js';
import type { Point } from '../../src/inference/imaging/markers/homography.js';
import type { PhotoRaster } from '../../src/inference/imaging/photo-raster.js';
import { expose, SKIN, type Flaws, type Light, type Thing } from './card-scene.js';

const BEHIND: Light = [0.08, 0.12, 0.1];

/** A limb as a cylinder, with a card that lies on it as paper does, and the camera that looks at it. */
export interface LimbView {
  readonly width: number;
  readonly height: number;
  /** Infinity: flat. */
  readonly radiusMm: number;
  /** Direction of the limb in the card; 0: along its long side, so that its short side is bent. */
  readonly limbDegrees: number;
  readonly distanceMm: number;
  readonly tiltDegrees: number;
  /** Direction around which the camera is tilted; 0: around the card's long side. */
  readonly tiltAxisDegrees: number;
  readonly turnDegrees: number;
  /** The place of the card that lies uppermost on the limb. */
  readonly topMm: Point;
  /** What lies in the middle of the picture, on the plane that touches the limb there. */
  readonly aimMm: Point;
  /** Focal length by the picture's longer side; a telephone's main camera unless stated. */
  readonly focalShare?: number;
  /** By what share the lens draws a corner of the picture too near to the middle; below 0: too far. Only of the photo. */
  readonly barrel?: number;
}

type Space = readonly [number, number, number];

/** Millimetres in space, before the camera turns: x and y along the card's sides, z away from the camera. */
function rotationOf({ tiltDegrees, tiltAxisDegrees, turnDegrees }: LimbView): readonly Space[] {
  const [tilt, axis, turn] = [tiltDegrees, tiltAxisDegrees, turnDegrees].map(
    (degrees) => (degrees * Math.PI) / 180,
  ) as [number, number, number];
  const lean: readonly Space[] = [
    [1, 0, 0],
    [0, Math.cos(tilt), -Math.sin(tilt)],
    [0, Math.sin(tilt), Math.cos(tilt)],
  ];
  return times(times(times(spin(turn), spin(axis)), lean), spin(-axis));
}

function spin(angle: number): readonly Space[] {
  return [
    [Math.cos(angle), -Math.sin(angle), 0],
    [Math.sin(angle), Math.cos(angle), 0],
    [0, 0, 1],
  ];
}

function times(a: readonly Space[], b: readonly Space[]): readonly Space[] {
  return a.map(
    (row) =>
      [0, 1, 2].map((column) => row.reduce((sum, cell, at) => sum + cell * b[at]![column]!, 0)) as unknown as Space,
  );
}

const focalOf = ({ width, height, focalShare = 0.8 }: LimbView): number => focalShare * Math.max(width, height);

/** Where a place of the skin lies in the picture; the place as it is measured along the skin, in the card's millimetres. */
export function seenAt(view: LimbView, place: Point): Point {
  const { radiusMm, limbDegrees, topMm, aimMm } = view;
  const limb = (limbDegrees * Math.PI) / 180;
  const [dx, dy] = [place[0] - topMm[0], place[1] - topMm[1]];
  const along = dx * Math.cos(limb) + dy * Math.sin(limb);
  const round = -dx * Math.sin(limb) + dy * Math.cos(limb);
  const isFlat = radiusMm === Infinity;
  const across = isFlat ? round : radiusMm * Math.sin(round / radiusMm);
  const z = isFlat ? 0 : radiusMm * (1 - Math.cos(round / radiusMm));
  const inSpace: Space = [
    topMm[0] + along * Math.cos(limb) - across * Math.sin(limb) - aimMm[0],
    topMm[1] + along * Math.sin(limb) + across * Math.cos(limb) - aimMm[1],
    z,
  ];
  const [x, y, depth] = rotationOf(view).map((row) => row.reduce((sum, cell, at) => sum + cell * inSpace[at]!, 0)) as [
    number,
    number,
    number,
  ];
  const focal = focalOf(view) / (depth + view.distanceMm);
  return [view.width / 2 + focal * x, view.height / 2 + focal * y];
}

/** The photo of a limb. Things are given in the card's millimetres along the skin. */
export function photographLimb(view: LimbView, things: readonly Thing[], flaws: Flaws = {}): Promise<PhotoRaster> {
  const { width, height, radiusMm, limbDegrees, topMm, aimMm, distanceMm, barrel = 0 } = view;
  const rotation = rotationOf(view);
  const limb = (limbDegrees * Math.PI) / 180;
  const [ca, sa] = [Math.cos(limb), Math.sin(limb)];
  const focal = focalOf(view);
  // The camera's place: what the rotation takes to (0, 0, -distance).
  const camera = [0, 1, 2].map((at) => -rotation[2]![at]! * distanceMm) as unknown as Space;
  const from: Point = [camera[0] + aimMm[0] - topMm[0], camera[1] + aimMm[1] - topMm[1]];
  const fromAlong = from[0] * ca + from[1] * sa;
  const fromAcross = -from[0] * sa + from[1] * ca;
  const isFlat = radiusMm === Infinity;
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = rotation as readonly [Space, Space, Space];
  return expose(
    width,
    height,
    // Once for each pixel: without pairs, which are arrays to make and to walk through.
    (px, py) => {
      const mx = px - width / 2;
      const my = py - height / 2;
      const lens = (1 + (barrel * (mx * mx + my * my)) / (width * width + height * height) / 0.25) / focal;
      const rx = mx * lens;
      const ry = my * lens;
      const dx = xx * rx + yx * ry + zx;
      const dy = xy * rx + yy * ry + zy;
      const dz = xz * rx + yz * ry + zz;
      const dAlong = dx * ca + dy * sa;
      const dAcross = -dx * sa + dy * ca;
      let reach: number;
      let round: number;
      if (isFlat) {
        reach = -camera[2] / dz;
        round = fromAcross + reach * dAcross;
      } else {
        const fromZ = camera[2] - radiusMm;
        const a = dAcross * dAcross + dz * dz;
        const b = fromAcross * dAcross + fromZ * dz;
        const root = b * b - a * (fromAcross * fromAcross + fromZ * fromZ - radiusMm * radiusMm);
        if (root < 0) return BEHIND;
        reach = (-b - Math.sqrt(root)) / a;
        round = radiusMm * Math.atan2(fromAcross + reach * dAcross, -(fromZ + reach * dz));
      }
      const along = fromAlong + reach * dAlong;
      const x = topMm[0] + along * ca - round * sa;
      const y = topMm[1] + along * sa + round * ca;
      for (const thing of things) {
        const light = thing(x, y);
        if (light !== null) return light;
      }
      return SKIN;
    },
    flaws,
  );
}

/** A ring on the skin, in pixels. */
export function ringOnSkin(view: LimbView, [x, y]: Point, radiusMm: number, corners = 180): Point[] {
  return Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners;
    return seenAt(view, [x + radiusMm * Math.cos(angle), y + radiusMm * Math.sin(angle)]);
  });
}

/** The place beside a card that lies along the limb from its uppermost place, so far beyond its edge. */
export function besideAlongLimb({ widthMm, heightMm }: CalibrationCard, limbDegrees: number, beyondMm: number): Point {
  const limb = (limbDegrees * Math.PI) / 180;
  const [x, y] = [Math.cos(limb), Math.sin(limb)];
  const toEdge = 1 / Math.max((2 * Math.hypot(x, 0)) / widthMm, (2 * Math.hypot(y, 0)) / heightMm);
  const far = toEdge + beyondMm;
  return [widthMm / 2 + far * x, heightMm / 2 + far * y];
}

/** The area that a ring encloses. */
export function ringArea(ring: readonly Point[]): number {
  const doubled = ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!;
    return sum + x * nextY - y * nextX;
  }, 0);
  return Math.abs(doubled / 2);
}
