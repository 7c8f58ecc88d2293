import { withDecided } from './list-change.js';
import type { DeskSession } from './types.js';

const entry = (reportId: string, waits: boolean) => ({ reportId, label: `Wound ${reportId}`, waits });
const session = (list: DeskSession['list'], wish: Partial<DeskSession> = {}): DeskSession =>
  ({ of: 'list', reportId: 'r0', expiresAt: 'then', list, ...wish }) as DeskSession;

describe('a list after a decision', () => {
  const known = session([entry('r0', true), entry('r1', true), entry('r2', false)]);

  it('loses the report that has left it, and no other', () => {
    expect(withDecided(known, session([], { reportId: '' }), 'r1')).toMatchObject({
      reportId: 'r0',
      list: [entry('r0', true), entry('r2', false)],
    });
  });

  it('has that report as it stands now, the others as they were, also beside a service that answers all', () => {
    const list = [entry('r0', true), entry('r1', false), entry('r2', false)];
    expect(withDecided(known, session([entry('r1', false)], { expiresAt: 'now' }), 'r1')).toMatchObject({
      expiresAt: 'now',
      list,
    });
    expect(withDecided(known, session([entry('r0', false), entry('r1', false)]), 'r1').list).toEqual(list);
  });

  it('is read anew as a whole where the desk is of a wound', () => {
    const read = session([], { of: 'wound', reportId: 'r9' });
    expect(withDecided(session([], { of: 'wound' }), read, 'r1')).toBe(read);
  });
});
