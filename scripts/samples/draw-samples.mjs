import { drawPhoto } from '../demo-series/draw-photo.mjs';
import { WOUND_COURSE, weekOfArea } from '../demo-series/wound-course.mjs';

/** Large enough for the card's print, small enough to be fetched in a test. */
const SIZE = { width: 960, height: 720, quality: 80 };
const NO_WOUND = { depthMm: () => -1000 };
/** A wound that grows, without slough that comes and goes with it, week by week. */
export const WORSENING_CM2 = [4.2, 4.6, 5.3, 6.1, 7.2, 8.4, 9.9, 11.6];
/** Bytes of the middle that are lost, as on a broken connection. */
const LOST = 4096;

// Of no week of the series: the same photo twice is one that waits for a person.
const CLEAN = weekOfArea(5, 8.3);
const cleanWound = () => drawn(CLEAN);

/** How each sample is drawn, by its name. The same program draws the same pixels. */
export const SAMPLES = {
  'clean-wound': cleanWound,
  'no-scale': () => drawn(weekOfArea(5, CLEAN.areaCm2, { card: false })),
  'no-wound': () => drawn({ ...CLEAN, outline: NO_WOUND, firstOutline: NO_WOUND }),
  'poor-light': () => drawn(CLEAN, { light: 0.035 }),
  blurred: () => drawn(CLEAN, { focusPx: 7 }),
  'two-wounds': () => drawn({ ...CLEAN, outline: twoOutlines(), firstOutline: twoOutlines() }),
  necrosis: () => drawn({ ...WOUND_COURSE[2], sloughShare: 0.3, necrosisShare: 1 }),
  damaged: async () => withoutItsMiddle(await cleanWound()),
  ...Object.fromEntries(
    WOUND_COURSE.flatMap((week, index) => [
      [`healing-${index + 1}`, () => drawn(week)],
      [`worsening-${index + 1}`, () => drawn(worseThan(week, index))],
    ]),
  ),
};

function worseThan({ week }, index) {
  const worse = weekOfArea(week, WORSENING_CM2[index]);
  return { ...worse, sloughShare: 0.2 + index / 10, firstOutline: worse.outline };
}

async function drawn(week, wish = {}) {
  return (await drawPhoto(week, { ...SIZE, ...wish })).jpeg;
}

/** Of like size, side by side, so that nobody can say which one is meant. */
function twoOutlines() {
  const left = weekOfArea(3, 4.2).outline;
  const right = weekOfArea(6, 3.9).outline;
  return { depthMm: (x, y) => Math.max(left.depthMm(x + 19, y), right.depthMm(x - 21, y + 4)) };
}

function withoutItsMiddle(jpeg) {
  const from = Math.floor(jpeg.length / 2);
  return Buffer.concat([jpeg.subarray(0, from), jpeg.subarray(from + LOST)]);
}
