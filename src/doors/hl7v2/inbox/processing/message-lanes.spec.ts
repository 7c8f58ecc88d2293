import type { HeldMessage } from '../store/inbound-record.js';
import { lanesOf } from './message-lanes.js';

/** Only bytes and the id are looked at. */
function message(id: string, type: string, pid: string, more: readonly string[] = []): HeldMessage {
  const text = [`MSH|^~\\&|EHR|HOSP|S|S|20260315||${type}|${id}|T|2.5.1`, pid, ...more, ''].join('\r');
  return { record: { id } as HeldMessage['record'], bytes: Buffer.from(text), leaseToken: '' };
}

const update = (id: string, number: string): HeldMessage => message(id, 'ADT^A08', `PID|1||${number}`);

const told = (messages: readonly HeldMessage[]): string =>
  lanesOf(messages)
    .map((lanes) => lanes.map((lane) => lane.map(({ record }) => record.id).join('>')).join(' '))
    .join(' | ');

it('has announcements of other patients beside one another, and those of one patient in their order', () => {
  expect(told([update('1', 'A^^^H'), update('2', 'B^^^H'), update('3', 'A^^^H'), update('4', 'C')])).toBe('1>3 2 4');
});

it('takes a number for the same however its authority is written, and wherever it stands', () => {
  expect(told([update('1', 'A^^^HOSP&1.2.3&ISO^MR'), update('2', 'A'), message('3', 'ADT^A31', 'PID|1|A|Z')])).toBe(
    '1>2>3',
  );
});

it('joins two lanes where a later message names a number of each, in the order of receipt', () => {
  expect(told([update('1', 'A'), update('2', 'B'), update('3', 'C'), update('4', 'A~B'), update('5', 'B')])).toBe(
    '1>2>4>5 3',
  );
});

it.each([
  ['an order', message('2', 'OMG^O19', 'PID|1||B')],
  ['a result', message('2', 'ORU^R01', 'PID|1||B')],
  ['a merge', message('2', 'ADT^A40', 'PID|1||B', ['MRG|C'])],
  ['an event that is kept without effect', message('2', 'ADT^A24', 'PID|1||B')],
  ['an announcement without a number', message('2', 'ADT^A08', 'PID|1')],
  [
    'an announcement with more numbers than are read',
    message('2', 'ADT^A08', `PID|1||${Array.from({ length: 70 }, (_, at) => `N${at}`).join('~')}`),
  ],
  ['bytes without a header', { ...message('2', '', ''), bytes: Buffer.from('PID|1||B\r') }],
])('processes %s alone, after everything before it and before everything behind it', (_, other) => {
  expect(told([update('1', 'A'), other, update('3', 'A'), update('4', 'D')])).toBe('1 | 2 | 3 4');
});

it('has nothing to do for no messages', () => {
  expect(lanesOf([])).toEqual([]);
});
