import { photoOn } from '../../../test/support/series-photos.js';
import { closuresOf, standingChangesOf } from './wound-closure.js';
import { presentCourse } from './wound-course.js';
import type { WoundDecision } from './wound.js';

const onDay = (day: number) => photoOn(day, 1).capturedAt;
/** By day on which each holds, in the order in which they were recorded. */
const recorded = (...decisions: readonly (readonly [WoundDecision, number])[]) =>
  decisions.map(([decision, day]) => ({ decision, decidedAt: onDay(day), reason: null }));
const told = (...decisions: readonly (readonly [WoundDecision, number])[]) =>
  standingChangesOf(recorded(...decisions)).map(({ event, status }) => `${event.decision} ${status}`);

describe('a wound that ended in a relation which was taken back', () => {
  it('was never closed, nor reopened, though a person had reopened it in between', () => {
    const events = recorded(['joined', 7], ['reopened', 9], ['unjoined', 7]);
    const last = { capturedAt: onDay(0).toISOString(), course: null };
    expect(presentCourse({ status: 'open', closedAt: null }, events, last)).toBeNull();
    expect(closuresOf(events)).toEqual([]);
  });

  it('is closed by the person who closed it since', () => {
    const events = recorded(['joined', 7], ['reopened', 9], ['closed', 12], ['unjoined', 7]);
    expect(closuresOf(events)).toEqual([{ closedAt: onDay(12).toISOString(), reopenedAt: null }]);
  });

  it('keeps a reopening of a closing that stands', () => {
    const events = recorded(['closed', 1], ['reopened', 3], ['split', 7], ['unsplit', 7]);
    expect(closuresOf(events)).toEqual([{ closedAt: onDay(1).toISOString(), reopenedAt: onDay(3).toISOString() }]);
  });
});

describe('what was open and closed at the time', () => {
  it('is not opened by what was taken back once a person had reopened it, or closed it anew', () => {
    expect(told(['joined', 7], ['reopened', 9], ['unjoined', 7])).toEqual(['joined closed', 'reopened open']);
    expect(told(['joined', 7], ['reopened', 9], ['closed', 12], ['unjoined', 7])).toEqual([
      'joined closed',
      'reopened open',
      'closed closed',
    ]);
  });

  it('is each closing, also one that was taken back, and each opening', () => {
    expect(told(['merged', 1], ['joined', 7], ['unjoined', 7], ['split', 9], ['unsplit', 9], ['closed', 10])).toEqual([
      'joined closed',
      'unjoined open',
      'split closed',
      'unsplit open',
      'closed closed',
    ]);
  });
});
