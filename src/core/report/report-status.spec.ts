import {
  initialStatus,
  REPORT_STATUSES,
  statusAfterRecomputation,
  statusAfterReview,
  statusOnFiling,
} from './report-status.js';

describe('the status of a report', () => {
  it('takes no decision any more once it was entered in error', () => {
    expect(() => statusAfterReview('entered-in-error', 'accept')).toThrow('report.entered_in_error');
  });

  it('is never raised by a recomputation', () => {
    expect(REPORT_STATUSES.map(statusAfterRecomputation)).toEqual([
      'preliminary',
      'amended',
      'amended',
      'corrected',
      'entered-in-error',
    ]);
  });

  it('starts as the organization’s policy says', () => {
    expect([initialStatus('review'), initialStatus('auto-final')]).toEqual(['preliminary', 'final']);
  });

  it('is not final where the result waits for a person, whatever the policy', () => {
    expect((['preliminary', 'final'] as const).map((status) => statusOnFiling(status, true))).toEqual([
      'preliminary',
      'preliminary',
    ]);
    expect((['preliminary', 'final'] as const).map((status) => statusOnFiling(status, false))).toEqual([
      'preliminary',
      'final',
    ]);
  });

  it('becomes final by the first accept or correct, and corrected by a correction after that', () => {
    expect(statusAfterReview('preliminary', 'accept')).toBe('final');
    expect(statusAfterReview('preliminary', 'correct')).toBe('final');
    expect((['final', 'amended', 'corrected'] as const).map((status) => statusAfterReview(status, 'correct'))).toEqual([
      'corrected',
      'corrected',
      'corrected',
    ]);
    expect((['final', 'amended', 'corrected'] as const).map((status) => statusAfterReview(status, 'accept'))).toEqual([
      'final',
      'amended',
      'corrected',
    ]);
  });

  it('is entered in error by a rejection and by a reassignment', () => {
    expect([statusAfterReview('final', 'reject'), statusAfterReview('preliminary', 'reassign')]).toEqual([
      'entered-in-error',
      'entered-in-error',
    ]);
  });
});
