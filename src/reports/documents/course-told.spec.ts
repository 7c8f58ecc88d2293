import { readingOf, reportsOf } from '../../../test/support/sample-report.js';
import { LANGUAGES } from '../wording/language.js';
import { WORDINGS } from '../wording/wording.js';
import { tellCourse } from './course-told.js';
import { toReportDocument } from './report-document.js';

describe('what a screen says of the course', () => {
  it('tells nothing better of a wound that waits for a person, in any language', () => {
    const reading = readingOf(reportsOf({ weeks: [5, 60], observed: [{ painNrs: 8 }, { painNrs: 1 }] }));
    for (const language of LANGUAGES) {
      const { verdict, headline, notices, better, since } = tellCourse(reading, language);
      expect([verdict, better, since]).toEqual(['unknown', [], null]);
      expect(headline).toBe(WORDINGS[language]['verdict.unknown']);
      expect(notices.length).toBeGreaterThan(0);
    }
  });

  it('has all that a person stated as the printed report has it, and nothing where nothing was stated', () => {
    const observed = {
      depthCm: 4.5,
      odour: 'strong' as const,
      undermining: [{ fromClock: 2, toClock: 5, depthCm: 1.2 }],
      infectionSigns: ['warm to the touch', 'seit gestern'],
      infectionSignCodes: [{ sign: 'warmth' as const, status: 'absent' as const }],
      statedAt: { depthCm: '2026-01-02' },
    };
    const reading = readingOf(reportsOf({ weeks: [8, 4.6], observed: [{}, observed] }));
    for (const language of LANGUAGES) {
      const { stated } = tellCourse(reading, language);
      const printed = JSON.stringify(toReportDocument(reading, null, language).sheets);
      expect(stated!.facts.length).toBeGreaterThan(2);
      expect(stated!.lines).toEqual(expect.arrayContaining(['warm to the touch', 'seit gestern']));
      for (const text of [...stated!.facts.flatMap(({ label, value }) => [label, value]), ...stated!.lines])
        expect(printed).toContain(JSON.stringify(text).slice(1, -1));
    }
    const { report } = reading;
    const silent = { ...report, content: { ...report.content, clinicianObservations: null } };
    expect(tellCourse({ ...reading, report: silent }, 'en').stated).toBeNull();
  });

  it('has every point and notice of the printed page, and its headline', () => {
    const reading = readingOf(reportsOf({ weeks: [8, 4.6], observed: [{ depthCm: 1 }, { depthCm: 4.5 }] }));
    for (const language of LANGUAGES) {
      const { headline, points, notices } = tellCourse(reading, language);
      const printed = JSON.stringify(toReportDocument(reading, null, language).sheets);
      expect(points.length).toBeGreaterThan(0);
      for (const text of [headline, ...points, ...notices])
        expect(printed).toContain(JSON.stringify(text).slice(1, -1));
    }
  });
});
