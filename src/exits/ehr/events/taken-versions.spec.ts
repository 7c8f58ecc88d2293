import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { takenVersions, type ToldVersions } from './taken-versions.js';

interface Drawn extends Pick<ClinicalReport, 'status'> {
  readonly reason?: ClinicalReport['reason'];
  readonly decision?: 'accept' | 'reject';
}

const versions = (...drawn: readonly Drawn[]): ClinicalReport[] =>
  drawn.map(
    ({ status, reason = 'created', decision }, index) =>
      ({
        version: index + 1,
        status,
        reason,
        content: { review: decision === undefined ? null : { decision } },
      }) as unknown as ClinicalReport,
  );
const taken = (told: ToldVersions, ...drawn: readonly Drawn[]): number[] =>
  takenVersions(told, versions(...drawn)).map(({ version }) => version);

const REVIEWED: ToldVersions = { when: 'reviewed', toldFrom: null };
const PRELIMINARY: Drawn = { status: 'preliminary' };
const FINAL: Drawn = { status: 'final' };
const ACCEPTED: Drawn = { status: 'final', decision: 'accept' };
const AMENDED: Drawn = { status: 'amended', reason: 'recomputed' };
const WITHDRAWN: Drawn = { status: 'entered-in-error', decision: 'reject' };

describe('of a report of which the EHR has nothing', () => {
  it.each<[string, ToldVersions, readonly Drawn[], readonly number[]]>([
    ['nothing preliminary', REVIEWED, [PRELIMINARY], []],
    ['nothing that nobody has decided on, where that is asked for', REVIEWED, [PRELIMINARY, FINAL], []],
    ['no withdrawal', REVIEWED, [PRELIMINARY, WITHDRAWN], []],
    ['nothing while nothing new is filed', { when: null, toldFrom: null }, [FINAL, ACCEPTED, WITHDRAWN], []],
    ['what was accepted, and its withdrawal', REVIEWED, [PRELIMINARY, ACCEPTED, WITHDRAWN], [2, 3]],
    ['what is final', { when: 'final', toldFrom: null }, [PRELIMINARY, FINAL], [2]],
  ])('%s is filed', (_what, told, drawn, expected) => {
    expect(taken(told, ...drawn)).toEqual(expected);
  });
});

describe('of a report of which the EHR has a version', () => {
  it.each<[string, ToldVersions]>([
    ['whatever is filed from now on', { when: 'reviewed', toldFrom: 1 }],
    ['even while nothing new is filed', { when: null, toldFrom: 1 }],
  ])('corrections and the withdrawal are filed %s', (_what, told) => {
    expect(taken(told, FINAL, AMENDED, WITHDRAWN)).toEqual([1, 2, 3]);
  });

  it('a version that only moved is not', () => {
    expect(taken({ when: 'final', toldFrom: 1 }, FINAL, { status: 'final', reason: 'moved' })).toEqual([1]);
  });
});
