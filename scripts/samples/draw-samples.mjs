import { drawPhoto } from '../demo-series/draw-photo.mjs';
import { WOUND_COURSE, weekOfArea } from '../demo-series/wound-course.mjs';

/** Large enough for the card's print, small enough to be fetched in a test. */
const SIZE = { width: 960, height: 720, quality: 80 };
const NO_WOUND = { depthMm: () => -1000 };
/** A wound that grows, without slough that comes and goes with it, week by week. */
const WORSENING_CM2 = [4.2, 4.6, 5.3, 6.1, 7.2, 8.4, 9.9, 11.6];
/** Bytes of the middle that are lost, as on a broken connection. */
const LOST = 4096;

/** Every sample, as its file's name and its bytes. The same program draws the same pixels. */
export async function drawSamples() {
  // Of no week of the series: the same photo twice is one that waits for a person.
  const clean = weekOfArea(5, 8.3);
  const single = {
    'clean-wound': await drawn(clean),
    'no-scale': await drawn(weekOfArea(5, clean.areaCm2, { card: false })),
    'no-wound': await drawn({ ...clean, outline: NO_WOUND, firstOutline: NO_WOUND }),
    'poor-light': await drawn(clean, { light: 0.035 }),
    blurred: await drawn(clean, { focusPx: 7 }),
    'two-wounds': await drawn({ ...clean, outline: twoOutlines(), firstOutline: twoOutlines() }),
    necrosis: await drawn({ ...WOUND_COURSE[2], sloughShare: 0.3, necrosisShare: 1 }),
  };
  const series = {};
  for (const [index, week] of WOUND_COURSE.entries()) {
    series[`healing-${index + 1}`] = await drawn(week);
    const worse = weekOfArea(week.week, WORSENING_CM2[index]);
    series[`worsening-${index + 1}`] = await drawn({
      ...worse,
      sloughShare: 0.2 + index / 10,
      firstOutline: worse.outline,
    });
  }
  return { ...single, damaged: withoutItsMiddle(single['clean-wound']), ...series };
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
