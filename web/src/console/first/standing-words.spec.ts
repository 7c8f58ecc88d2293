import type { Finding } from '../shared/answers.js';
import { lengthBetween } from '../shared/lengths.js';
import { placeOf, proofInWords, unseenInWords, verdictOf, waitingInWords } from './standing-words.js';

const AT = '2026-03-15T08:45:00.000Z';
const finding = (of: Partial<Finding>): Finding => ({
  part: 'receivers',
  state: 'well',
  fault: null,
  words: '',
  since: null,
  organizationId: null,
  organizationName: null,
  environment: null,
  subjectKind: null,
  subjectId: null,
  waiting: null,
  oldestWaitingAt: null,
  provenAt: null,
  nextStep: null,
  ...of,
});

describe('the first page', () => {
  it('is never green where something was not seen, or is not known', () => {
    const findings = [finding({})];
    expect(verdictOf({ findings, state: 'unknown', unseen: ['disk'] })).toBe('Nothing in what you may see.');
    const unknown = [...findings, finding({ part: 'backup', state: 'unknown' })];
    expect(verdictOf({ findings: unknown, state: 'unknown', unseen: [] })).toBe(
      'Nothing in what is known; not everything is.',
    );
    expect(verdictOf({ findings: unknown, state: 'unknown', unseen: ['disk'] })).toContain('not everything is');
    expect(verdictOf({ findings: [], state: 'unknown', unseen: [] })).not.toContain('Every part');
    expect(verdictOf({ findings, state: 'well', unseen: [] })).toContain('Every part was asked and answered');
  });

  it('counts what is broken before what waits', () => {
    const findings = [finding({ state: 'waiting' }), finding({ state: 'broken' }), finding({ state: 'broken' })];
    expect(verdictOf({ findings, state: 'broken', unseen: [] })).toBe(
      '2 things are broken, 1 thing waits for a person.',
    );
  });

  it('names what a role may not see, and that something may be wrong there', () => {
    expect(unseenInWords([])).toBeNull();
    expect(unseenInWords(['disk', 'backup', 'messages'])).toBe(
      'Not shown to you: disks and back-ups (for installation admins). Of organizations where you lack the role, not shown either: refused messages. Something may be wrong there.',
    );
  });

  it('says how many wait and for how long, and the last proof with what it proves', () => {
    expect(waitingInWords({ waiting: 0, oldestWaitingAt: null }, AT)).toBeNull();
    const oldestWaitingAt = '2026-03-15T08:14:00.000Z';
    expect(waitingInWords({ waiting: 18, oldestWaitingAt }, AT)).toBe('18 wait, the oldest for 31 min');
    expect(waitingInWords({ waiting: 10_000, oldestWaitingAt }, AT)).toMatch(/^10000 or more wait/);
    expect(proofInWords({ part: 'receivers', provenAt: null }, AT)).toBeNull();
    const provenAt = '2026-03-15T08:43:00.000Z';
    expect(proofInWords({ part: 'receivers', provenAt }, AT)).toBe('last accepted by the receiver 2 min ago');
    expect(proofInWords({ part: 'database', provenAt: AT }, AT)).toBe('looked at just now');
  });

  it.each([
    [{ fault: 'deliveries_parked', subjectKind: 'webhook', subjectId: 'w1' }, '/deliveries?endpointId=w1&state=parked'],
    [{ fault: 'receiver_silent', subjectKind: 'hl7', subjectId: 'd1' }, '/connections?shown=d1'],
    [{ part: 'messages', fault: 'messages_refused', organizationId: 'o1' }, '/failures?organizationId=o1'],
    [{ part: 'held', fault: 'items_held', organizationId: 'o1' }, '/held?organizationId=o1'],
    [{ part: 'disk', fault: 'disk_full', subjectKind: 'process', subjectId: 'p1' }, undefined],
  ] as const)('leads from %p to where it is mended', (of, to) => {
    expect(placeOf(finding(of))?.to).toBe(to);
  });
});

describe('a length of time', () => {
  it('is said in the largest unit that is whole, and never below nothing', () => {
    const since = (seconds: number) => lengthBetween(new Date(Date.parse(AT) - seconds * 1000).toISOString(), AT);
    expect([-5, 59, 60, 3599, 3600, 47 * 3600, 48 * 3600].map(since)).toEqual([
      '0 s',
      '59 s',
      '1 min',
      '59 min',
      '1 h',
      '47 h',
      '2 days',
    ]);
  });
});
