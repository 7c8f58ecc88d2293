import { STANDING_ACTIONS } from './standing.actions.js';
import { finding, type Finding } from '../../../core/standing/finding.js';
import type { Connection } from '../../../core/standing/connection.js';

const AT = new Date('2026-03-15T08:45:00Z');
const ORGANIZATION = '01997f2e-1111-7000-8000-000000000001';
const organizations = new Map([[ORGANIZATION, 'Ward 7']]);
const down = finding({
  part: 'receivers',
  state: 'broken',
  fault: 'receiver_silent',
  words: 'Destination Ward EHR gives no answer (timeout)',
  since: new Date('2026-03-15T08:14:00Z'),
  organizationId: ORGANIZATION,
  environment: 'live',
  waiting: 18,
  nextStep: 'Ask those who run it.',
});

async function run(usage: string, standing: object) {
  const { commands } = STANDING_ACTIONS.commands;
  const command = commands.find((one) => one.usage === usage)!;
  return command.prepare({})({ standing, operator: { door: 'cli', name: 'operator:root' } } as never);
}
const show = (findings: readonly Finding[]) =>
  run('standing show', {
    read: () => Promise.resolve({ at: AT, state: 'unknown', findings, unseen: [], organizations }),
  });
const board = (connections: readonly Connection[] | null) =>
  run('standing connections', {
    connections: () => Promise.resolve({ at: AT, connections, organizations, isAllSeen: true }),
  });

describe('standing show, for a script', () => {
  it('fails where something is broken, and says what, whose, since when, how many wait and what to do', async () => {
    const { text, failed } = await show([down]);
    expect(failed).toBe(true);
    for (const fact of ['gives no answer (timeout)', 'Ward 7, live', '2026-03-15T08:14:00.000Z', '18', 'Ask those'])
      expect(text).toContain(fact);
  });

  it('fails where a part gave no answer: silence is not health', async () => {
    const silent = finding({ part: 'queue', state: 'unknown', fault: 'not_read', words: 'not known' });
    expect((await show([silent])).failed).toBe(true);
  });

  it('does not fail for what waits for a person, or what nobody has told the service of', async () => {
    const waiting = finding({ part: 'held', state: 'waiting', fault: 'items_held', words: '4 things wait' });
    const untold = finding({ part: 'backup', state: 'unknown', words: 'not told' });
    expect((await show([waiting, untold])).failed).toBe(false);
  });
});

describe('standing connections, for a script', () => {
  it('fails where they could not be read, or one is broken', async () => {
    expect(await board(null)).toMatchObject({ failed: true, text: expect.stringContaining('database') as string });
    const connection: Connection = {
      id: 'd1',
      kind: 'hl7',
      name: 'Ward EHR',
      address: 'ehr.example.org:6661',
      organizationId: ORGANIZATION,
      environment: 'live',
      state: 'broken',
      fault: 'receiver_silent',
      words: 'gives no answer (timeout)',
      since: null,
      lastWellAt: null,
      waiting: 18,
      oldestWaitingAt: null,
      parked: 0,
      said: 'timeout',
      certificateDays: null,
      nextStep: null,
    };
    expect((await board([connection])).failed).toBe(true);
    expect((await board([{ ...connection, state: 'unknown', fault: 'not_read' }])).failed).toBe(true);
    expect((await board([{ ...connection, state: 'well', fault: null }])).failed).toBe(false);
  });
});
