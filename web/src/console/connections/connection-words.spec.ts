import { queueInWords, stateWord } from './connection-words.js';

const AT = '2026-03-15T08:45:00.000Z';

describe('a row of the board', () => {
  it('says "taking" and "served" only with a proof', () => {
    expect(stateWord({ kind: 'hl7', state: 'unknown', fault: null })).toBe('nothing yet');
    expect(stateWord({ kind: 'hl7', state: 'well', fault: null })).toBe('taking');
    expect(stateWord({ kind: 'listener', state: 'well', fault: null })).toBe('served');
    expect(stateWord({ kind: 'hl7', state: 'broken', fault: 'receiver_refuses' })).toBe('refusing');
    expect(stateWord({ kind: 'hl7', state: 'broken', fault: 'not_read' })).toBe('failing');
    expect(stateWord({ kind: 'listener', state: 'unknown', fault: 'not_read' })).toBe('not known');
  });

  it('says what waits, how long the oldest has, and what is parked', () => {
    const oldestWaitingAt = '2026-03-15T08:14:00.000Z';
    expect(queueInWords({ kind: 'listener', waiting: 0, parked: 0, oldestWaitingAt: null }, AT)).toBe('–');
    expect(queueInWords({ kind: 'hl7', waiting: 0, parked: 0, oldestWaitingAt: null }, AT)).toBe('0');
    expect(queueInWords({ kind: 'hl7', waiting: 18, parked: 2, oldestWaitingAt }, AT)).toBe(
      '18 (oldest 31 min), 2 parked',
    );
    expect(queueInWords({ kind: 'hl7', waiting: 10_000, parked: 3, oldestWaitingAt }, AT)).toBe(
      '10000 or more (oldest 31 min), 3 parked',
    );
    expect(queueInWords({ kind: 'hl7', waiting: 1, parked: 10_000, oldestWaitingAt }, AT)).toContain(
      '10000 or more parked',
    );
  });
});
