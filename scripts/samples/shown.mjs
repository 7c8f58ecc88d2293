import { WOUND_COURSE } from '../demo-series/wound-course.mjs';
import { WORSENING_CM2 } from './draw-samples.mjs';

const ALONE = {
  'clean-wound': ['One wound with the small calibration card: a first result.', 8.3],
  'no-scale': ['The same wound without a card: no centimetres.', 8.3],
  'no-wound': ['Sound skin with the card.', null],
  'poor-light': ['A dark room: another photo should be taken.', 8.3],
  blurred: ['Out of focus: another photo should be taken.', 8.3],
  'two-wounds': ['Two wounds of like size side by side: somebody has to say which is meant.', 4.2],
  necrosis: ['A wound whose bed is black in part.', WOUND_COURSE[2].areaCm2],
  damaged: ['A JPEG that lost bytes on its way: no job is made of it.', 8.3],
};
const seriesOf = (name, areas) =>
  areas.map((areaCm2, index) => [
    `${name}-${index + 1}`,
    {
      shows: `Week ${index + 1} of a wound that is ${name}.`,
      drawnAreaCm2: areaCm2,
      series: { name, number: index + 1 },
    },
  ]);

/** Days between one photo of a series and the next. */
export const DAYS_APART = 7;

/** What each sample is for, by its name, in the order of the list. */
export const SHOWN = Object.fromEntries([
  ...Object.entries(ALONE).map(([name, [shows, drawnAreaCm2]]) => [name, { shows, drawnAreaCm2, series: null }]),
  ...seriesOf(
    'healing',
    WOUND_COURSE.map(({ areaCm2 }) => areaCm2),
  ),
  ...seriesOf('worsening', WORSENING_CM2),
]);
