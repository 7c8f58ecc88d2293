import { VERDICTS, WORSE_VERDICTS } from '../../core/followup/course.js';
import { NOTHING_COMPARED } from '../../core/followup/series.js';
import { codesOfChange, VERDICT, verdictToTell } from './follow-up-codes.js';

const judged = (verdict: (typeof VERDICTS)[number]) => ({
  ...NOTHING_COMPARED,
  course: { verdict, since: '2026-01-05T08:00:00.000Z', because: [], waitsFor: [] },
});

describe('the codes of a verdict', () => {
  it('say better of an improving wound alone, and at every exit', () => {
    const better = VERDICTS.filter((verdict) => {
      const { interpretation, abnormalFlag, conclusion } = VERDICT[verdict];
      return interpretation?.code === 'B' || abnormalFlag === 'B' || conclusion?.code === '390771008';
    });
    expect(better).toEqual(['improving']);
  });

  it('say worse at every exit of the same verdicts', () => {
    const { code } = VERDICT.worsening.conclusion!;
    for (const verdict of VERDICTS) {
      const { interpretation, abnormalFlag, conclusion } = VERDICT[verdict];
      const isWorse = WORSE_VERDICTS.includes(verdict);
      expect([verdict, interpretation?.code === 'W', abnormalFlag === 'W', conclusion?.code === code]).toEqual([
        verdict,
        isWorse,
        isWorse,
        isWorse,
      ]);
    }
  });

  it('call unchanged nothing, and never U, which is a significant change up', () =>
    expect(VERDICTS.map((verdict) => VERDICT[verdict].interpretation?.code ?? '')).toEqual([
      'B',
      '',
      'W',
      'W',
      '',
      '',
      'W',
      'IND',
    ]));

  it('never stand on a figure of the other sign', () => {
    expect([-5, 0, 5].map((change) => codesOfChange(judged('improving'), change).abnormalFlag)).toEqual(['B', '', '']);
    expect([-5, 0, 5].map((change) => codesOfChange(judged('mixed'), change).abnormalFlag)).toEqual(['', '', 'W']);
  });

  it('of rules that had no verdict tell growth alone', () => {
    const told = ([null, 'smaller', 'larger'] as const).map((trend) => verdictToTell({ ...NOTHING_COMPARED, trend }));
    expect(told).toEqual([null, null, 'worsening']);
  });
});
