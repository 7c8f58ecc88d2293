import { ArchiveAge, type ArchiveReading } from './archive-age.js';

const SEGMENT = 16 * 1024 * 1024;
const HOUR_S = 3600;
/** Segments 0 to 4 are archived, and the next has its head alone. */
const QUIET: ArchiveReading = {
  nowS: 1000,
  writtenBytes: 5 * SEGMENT + 96,
  segmentBytes: SEGMENT,
  lastArchived: '000000010000000000000004',
  archivedAtS: 1000,
  isFailing: false,
};
const WRITTEN = { ...QUIET, writtenBytes: 5 * SEGMENT + 9000 };

let age: ArchiveAge;
beforeEach(() => {
  age = new ArchiveAge();
});

describe('the age of the oldest WAL that is in no archive', () => {
  it('grows from the moment at which it was first seen', () => {
    expect(age.at(WRITTEN)).toBe(0);
    expect(age.at({ ...WRITTEN, nowS: 1900 })).toBe(900);
  });

  it('goes on growing where more is written behind it, over segments', () => {
    age.at(WRITTEN);
    for (let minute = 1; minute <= 20; minute += 1)
      expect(age.at({ ...WRITTEN, nowS: 1000 + 60 * minute, writtenBytes: (5 + minute) * SEGMENT })).toBe(60 * minute);
  });

  it('grows where the archiver neither ends nor fails, and where no segment was ever archived', () => {
    const never = { ...WRITTEN, lastArchived: null };
    age.at(never);
    expect(age.at({ ...never, nowS: 1000 + HOUR_S })).toBe(HOUR_S);
  });

  it('is that of the last success where a process begins while archiving fails', () => {
    expect(age.at({ ...QUIET, nowS: 1000 + HOUR_S, isFailing: true })).toBe(HOUR_S);
  });

  it('is that of the last success where a process begins while the archiver hangs, as a whole segment that waits shows', () => {
    const hanging = { ...QUIET, nowS: 1000 + HOUR_S, writtenBytes: 6 * SEGMENT + 9000 };
    expect(age.at(hanging)).toBe(HOUR_S);
    // The one that was begun is archived once it is full.
    expect(new ArchiveAge().at({ ...WRITTEN, nowS: 1000 + HOUR_S })).toBe(0);
  });

  it('is no longer than was seen where the last file is no segment: a back-up’s label bears the name of its first', () => {
    const label = { ...WRITTEN, lastArchived: '000000010000000000000002.00000028.backup' };
    expect(age.at({ ...label, nowS: 1000 + HOUR_S })).toBe(0);
  });

  it('begins with the fault where a quiet night ends in one', () => {
    age.at(QUIET);
    expect(age.at({ ...QUIET, nowS: 1000 + 8 * HOUR_S })).toBe(0);
    expect(age.at({ ...WRITTEN, nowS: 1010 + 8 * HOUR_S, isFailing: true })).toBe(0);
    expect(age.at({ ...WRITTEN, nowS: 1310 + 8 * HOUR_S, isFailing: true })).toBe(300);
  });

  it('is nothing in a night in which nothing is written, however long ago the last segment was archived', () => {
    expect(age.at(QUIET)).toBe(0);
    expect(age.at({ ...QUIET, nowS: 1000 + 12 * HOUR_S, writtenBytes: 5 * SEGMENT + 216 })).toBe(0);
  });

  it('is that of the next WAL once the segment before it was archived, and nothing once all was', () => {
    age.at(WRITTEN);
    age.at({ ...WRITTEN, nowS: 1120, writtenBytes: 6 * SEGMENT + 5000 });
    const archived = { ...WRITTEN, writtenBytes: 6 * SEGMENT + 5000, lastArchived: '000000010000000000000005' };
    expect(age.at({ ...archived, nowS: 1180 })).toBe(60);
    const all = { ...archived, writtenBytes: 7 * SEGMENT, lastArchived: '000000010000000000000006' };
    expect(age.at({ ...all, nowS: 1300 })).toBe(0);
    expect(age.at({ ...all, nowS: 1400, writtenBytes: 7 * SEGMENT + 9000 })).toBe(0);
  });

  it('does not come with a back-up, whose label is archived last and bears the name of its first segment', () => {
    age.at(QUIET);
    const label = { ...QUIET, lastArchived: '000000010000000000000002.00000028.backup' };
    expect(age.at({ ...label, nowS: 1060 })).toBe(0);
    expect(age.at({ ...label, nowS: 1060 + HOUR_S })).toBe(0);
  });

  it('is that of a database that was put back, which has written less than the one before', () => {
    age.at(QUIET);
    const back = { ...QUIET, writtenBytes: 3 * SEGMENT + 9000, lastArchived: '000000010000000000000002' };
    expect(age.at(back)).toBe(0);
    expect(age.at({ ...back, nowS: 1900 })).toBe(900);
  });

  it('reads the name of a segment whatever its log, its timeline, or what is behind it', () => {
    const later = { ...QUIET, writtenBytes: 2 * 2 ** 32 + 96, lastArchived: '0000000300000001000000FF' };
    expect(age.at(later)).toBe(0);
    expect(age.at({ ...later, nowS: 1000 + HOUR_S })).toBe(0);
    const label = { ...QUIET, lastArchived: '000000010000000000000004.00000028.backup' };
    expect(age.at({ ...label, nowS: 1000 + HOUR_S })).toBe(0);
    const history = { ...QUIET, lastArchived: '00000002.history' };
    const anew = new ArchiveAge();
    anew.at({ ...history, nowS: 2000 });
    expect(anew.at({ ...history, nowS: 2000 + HOUR_S })).toBe(HOUR_S);
  });

  it('does not fall where the clock goes back, nor remember more than a place a minute', () => {
    age.at(WRITTEN);
    expect(age.at({ ...WRITTEN, nowS: 900 })).toBe(0);
    for (let second = 0; second < 600; second += 1)
      age.at({ ...WRITTEN, nowS: 1000 + second, writtenBytes: WRITTEN.writtenBytes + second * 9000 });
    expect((age as unknown as { places: unknown[] }).places.length).toBeLessThanOrEqual(11);
  });
});
