import { WoundOutline } from './wound-outline.mjs';

/**
 * Eight weekly photos of one wound: its true area, how much of its bed may carry slough, and how the photographer stood that day.
 * It heals slowly at first and well from the fifth week on.
 */
const WEEKS = [
  {
    areaCm2: 12.4,
    sloughShare: 0.95,
    distanceMm: 196,
    tiltDegrees: 9,
    axisDegrees: 20,
    turnDegrees: -4,
    aimMm: [3, 30],
  },
  {
    areaCm2: 11.5,
    sloughShare: 0.9,
    distanceMm: 181,
    tiltDegrees: 16,
    axisDegrees: 115,
    turnDegrees: 3,
    aimMm: [-2, 31],
  },
  {
    areaCm2: 10.3,
    sloughShare: 0.85,
    distanceMm: 208,
    tiltDegrees: 12,
    axisDegrees: 70,
    turnDegrees: 6,
    aimMm: [1, 28],
  },
  {
    areaCm2: 8.9,
    sloughShare: 0.7,
    distanceMm: 188,
    tiltDegrees: 21,
    axisDegrees: 160,
    turnDegrees: -7,
    aimMm: [4, 32],
  },
  { areaCm2: 7.1, sloughShare: 0.5, distanceMm: 176, tiltDegrees: 7, axisDegrees: 45, turnDegrees: 2, aimMm: [0, 33] },
  {
    areaCm2: 5.2,
    sloughShare: 0.3,
    distanceMm: 192,
    tiltDegrees: 18,
    axisDegrees: 95,
    turnDegrees: -3,
    aimMm: [-3, 30],
  },
  {
    areaCm2: 3.6,
    sloughShare: 0.15,
    distanceMm: 184,
    tiltDegrees: 14,
    axisDegrees: 10,
    turnDegrees: 5,
    aimMm: [2, 34],
  },
  { areaCm2: 2.4, sloughShare: 0, distanceMm: 178, tiltDegrees: 11, axisDegrees: 140, turnDegrees: -2, aimMm: [0, 35] },
];

/** Each week with the outline of its wound; `week` counts from 1. */
export const WOUND_COURSE = WEEKS.map((week, index) => ({
  ...week,
  week: index + 1,
  outline: new WoundOutline(week.areaCm2, index),
  firstOutline: new WoundOutline(WEEKS[0].areaCm2, 0),
}));

/** Nearer than in any week, and aimed above the wound: the card lies outside the picture. */
const WITHOUT_CARD = { distanceMm: 120, aimMm: [0, -22] };

/** A wound of another size, photographed as in this week. */
export function weekOfArea(week, areaCm2, { card = true } = {}) {
  return {
    ...WOUND_COURSE[week - 1],
    ...(card ? {} : WITHOUT_CARD),
    areaCm2,
    outline: new WoundOutline(areaCm2, week - 1),
  };
}
