import { markedPlace } from './marked-place.js';

const MESSAGE = 'MSH|^~\\&|EHR|WARD||||20260315||77\rPID|1||4711^^^HOSP\rOBX|1|NM|A\rOBX|2|NM|B';

describe('the place of a problem', () => {
  it('is nowhere where the message has no such segment, or the problem names none', () => {
    expect(markedPlace(MESSAGE, null)).toBeNull();
    expect(markedPlace(MESSAGE, { segment: 'ORC', field: 2 })).toBeNull();
    expect(markedPlace(MESSAGE, { segment: 'OBX', sequence: 3, field: 1 })).toBeNull();
  });

  it('is a field, with what stands around it', () => {
    expect(markedPlace(MESSAGE, { segment: 'PID', field: 3, component: 1 })).toEqual({
      name: 'PID-3.1',
      before: 'PID|1||',
      marked: '4711^^^HOSP',
      after: '',
    });
    expect(markedPlace(MESSAGE, { segment: 'OBX', sequence: 2, field: 3 })?.marked).toBe('B');
  });

  it('counts the separator as MSH-1', () => {
    expect(markedPlace(MESSAGE, { segment: 'MSH', field: 3 })?.marked).toBe('EHR');
  });

  it('is empty where a field that is missing is meant', () => {
    expect(markedPlace(MESSAGE, { segment: 'PID', field: 9 })).toMatchObject({ name: 'PID-9', marked: '' });
  });
});
