const { PI, atan2, cos, hypot, max, sin, sqrt } = Math;

/** Waves of the outline around its middle: how often, how high as a share of the radius, and turned by how much. */
const WAVES = [
  { order: 2, height: 0.19, phase: 0.9 },
  { order: 3, height: 0.085, phase: 4.9 },
  { order: 4, height: 0.05, phase: 1.1 },
  { order: 5, height: 0.04, phase: 2.6 },
  { order: 7, height: 0.022, phase: 5.2 },
  { order: 9, height: 0.016, phase: 0.2 },
  { order: 13, height: 0.009, phase: 3.3 },
];
/** While the wound heals its waves move a little: it does not shrink like a picture of itself. */
const TURN_PER_WEEK = 0.06;

/**
 * The wound's border in a week of its course, in millimetres around its middle. The distance from the middle goes as a sum of
 * waves, so that the area is known by formula: π R² (1 + ½ Σ height²).
 */
export class WoundOutline {
  constructor(areaCm2, week) {
    this.areaCm2 = areaCm2;
    this.waves = WAVES.map(({ order, height, phase }, index) => ({
      order,
      height,
      phase: phase + (index % 2 === 0 ? 1 : -1) * TURN_PER_WEEK * week,
    }));
    const waviness = 1 + this.waves.reduce((sum, { height }) => sum + (height * height) / 2, 0);
    this.radiusMm = sqrt((areaCm2 * 100) / (PI * waviness));
  }

  /** How deep a place lies inside, in millimetres; below 0 outside. Exact at the border, near it to a few per cent. */
  depthMm(x, y) {
    const [angle, distance] = [atan2(y, x), hypot(x, y)];
    let [reach, slope] = [1, 0];
    for (const { order, height, phase } of this.waves) {
      reach += height * cos(order * angle + phase);
      slope -= order * height * sin(order * angle + phase);
    }
    const r = max(distance, this.radiusMm * 0.2);
    return (this.radiusMm * reach - distance) / hypot(1, (this.radiusMm * slope) / r);
  }

  /** The border as points in millimetres around the middle; `share` below 1 draws it that much smaller in each direction. */
  points(count = 360, share = 1) {
    return Array.from({ length: count }, (_, step) => {
      const angle = (2 * PI * step) / count;
      const reach = this.waves.reduce((sum, { order, height, phase }) => sum + height * cos(order * angle + phase), 1);
      return [this.radiusMm * reach * share * cos(angle), this.radiusMm * reach * share * sin(angle)];
    });
  }
}
