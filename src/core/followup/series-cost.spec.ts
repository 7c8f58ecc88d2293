import { processorMs } from '../../../test/support/processor-time.js';
import { photoOn } from '../../../test/support/series-photos.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';

/** Weekly, with all that people state: falls by a twentieth a week and turns every half year, as a wound of ten years does. */
const wound = (visits: number): AssessmentInSeries[] =>
  Array.from({ length: visits }, (_, visit) => {
    const week = visit % 26;
    return photoOn(7 * visit, 4 + 8 * 0.95 ** (week < 13 ? week : 26 - week), {
      reportId: `r${String(visit).padStart(5, '0')}`,
      imageId: `i${visit}`,
      observations: {
        depthCm: 0.3 + (visit % 5) / 10,
        painNrs: visit % 7,
        exudate: visit % 3 === 0 ? 'heavy' : 'light',
        stage: { system: 'pressure', value: visit % 9 === 0 ? '3' : '2' },
      },
    });
  });

describe('comparing all assessments of a wound', () => {
  it('costs ten times as many at most twenty times as much: each looks back over a bounded time', () => {
    const [few, many] = [wound(50), wound(500)];
    // The quickest runs of both come once all of it is compiled.
    followSeries(many);
    const fewMs = processorMs(() => followSeries(few));
    expect(processorMs(() => followSeries(many)) / fewMs).toBeLessThan(20);
  });
});
