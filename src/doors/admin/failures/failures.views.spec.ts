import { Names } from '../../../core/organizations/name-directory.js';
import type { FailureGroup } from '../../../core/failures/failure-group.js';
import { HOLDS } from '../../../core/ehrs/filing-holds.js';
import { toFailureGroupView } from './failures.views.js';

const AT = new Date('2026-03-15T08:00:00Z');
const viewOf = (kind: FailureGroup['kind'], cause: string) =>
  toFailureGroupView(
    {
      kind,
      cause,
      organizationId: 'o1',
      environment: 'live',
      subjectId: null,
      count: 2,
      firstAt: AT,
      lastAt: AT,
      examples: [],
    },
    new Names([]),
  );

describe('failures of one cause in words', () => {
  it('are looked at one by one where nobody knows whether an EHR has filed them, and for no other cause', () => {
    expect(viewOf('ehr', 'refused ehr_outcome_unknown')).toMatchObject({
      oneByOne: true,
      nextStep: expect.stringContaining('Look in the patient’s chart') as string,
    });
    for (const other of ['refused ehr_refused', 'operator', 'refused 422', 'ehr_outcome_unknown'])
      expect(viewOf('ehr', other).oneByOne).toBe(false);
    expect(viewOf('hl7', 'refused ehr_outcome_unknown').oneByOne).toBe(false);
  });

  it('have the words and the steps of every hold of an EHR', () => {
    for (const [hold, told] of Object.entries(HOLDS)) {
      const { words, nextStep } = viewOf('ehr', `refused ${hold}`);
      expect(`${words}. ${nextStep}`).toBe(told);
    }
    expect(viewOf('ehr', 'refused ehr_patient_unknown')).toMatchObject({
      words: 'The EHR has no patient with this number',
      nextStep: 'Have the patient admitted there or the number corrected, then replay.',
    });
  });
});
