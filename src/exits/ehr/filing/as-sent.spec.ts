import type { AnsweredResource } from '../calls/fhir-answer.js';
import type { FiledForm } from '../dialects/filing.js';
import { isAsSent } from './as-sent.js';

const SENT = {
  resourceType: 'DocumentReference',
  date: '2026-03-10T08:30:00.123Z',
  description: 'Wound report',
  content: [{ attachment: { contentType: 'application/pdf', data: 'AAAA', creation: '2026-03-10T08:30:00.123Z' } }],
  relatesTo: [{ code: 'appends', target: { reference: 'urn:uuid:0199aaaa-0000-7000-8000-000000000001' } }],
} as unknown as FiledForm;
const present = (more: object): AnsweredResource => ({ ...SENT, ...more }) as unknown as AnsweredResource;
const content = (attachment: object) => ({
  content: [{ attachment: { contentType: 'application/pdf', ...attachment } }],
});

it.each<[string, object]>([
  ['another text', { description: 'Seen' }],
  ['no text', { description: undefined }],
  ['another day', { date: '2026-03-11T08:30:00.123Z' }],
  ['a second later', { date: '2026-03-10T08:30:01.123Z' }],
  ['the same clock in another zone', { date: '2026-03-10T08:30:00.123+01:00' }],
  ['the day alone', { date: '2026-03-10' }],
  ['another moment within', content({ creation: '2026-03-10T09:30:00Z' })],
  ['something more', content({ creation: '2026-03-10T08:30:00.123Z', title: 'Mine' })],
  ['a list in place of what it holds', { relatesTo: { code: 'appends' } }],
])('what has %s there is not what was sent', (_what, more) => {
  expect(isAsSent(present(more), SENT)).toBe(false);
});

it.each<[string, object]>([
  ['without parts of a second', { date: '2026-03-10T08:30:00Z' }],
  ['by other clocks', { date: '2026-03-10T09:30:00+01:00' }],
  ['with its bytes elsewhere', content({ creation: '2026-03-10T09:30:00.123+01:00', url: 'Binary/1' })],
  [
    'with the address that it got in its transaction',
    { relatesTo: [{ code: 'appends', target: { reference: 'DocumentReference/1' } }] },
  ],
])('it is what was sent %s', (_how, more) => {
  expect(isAsSent(present(more), SENT)).toBe(true);
});
