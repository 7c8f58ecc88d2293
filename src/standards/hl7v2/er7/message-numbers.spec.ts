import { messageNumbers } from './message-numbers.js';

describe('the numbers of a message', () => {
  it('are none of what is no message', () => {
    for (const text of ['', 'PID|1||MRN-1', 'MS', 'MSH'])
      expect(messageNumbers(Buffer.from(text))).toEqual({ patients: [], orders: [] });
  });

  it('are those of its patients and orders, whatever its delimiters and line ends', () => {
    const text =
      'MSH#*!\\%#A#B\nPID#1##MRN-1***HOSP!MRN-2*x\r\nMRG#OLD-1***HOSP\rORC#NW#ORD-1*EHR#F-1\rOBR#1#ORD-1*EHR#F-1##PID#X\rNTE#1##PID#';
    expect(messageNumbers(Buffer.from(text))).toEqual({
      patients: ['MRN-1', 'MRN-2', 'OLD-1'],
      orders: ['ORD-1', 'F-1'],
    });
  });

  it('are bounded, however many a message names', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `N-${index}`).join('~');
    expect(messageNumbers(Buffer.from(`MSH|^~\\&|A\rPID|1||${many}`)).patients.length).toBeLessThanOrEqual(64);
    expect(messageNumbers(Buffer.from(`MSH|^~\\&|A\rPID|1||${'9'.repeat(300)}`)).patients).toEqual([]);
  });
});
