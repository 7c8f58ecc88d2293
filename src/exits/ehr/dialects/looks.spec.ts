import type { DocumentReference, Observation } from '@medplum/fhirtypes';
import { byContent, byFigure } from './looks.js';

const FACTS = { patient: 'Patient/1', encounter: 'Encounter/2' };
const ISSUED = '2026-03-10T08:30:00.123Z';
const note = (more: object = {}): DocumentReference =>
  ({
    resourceType: 'DocumentReference',
    status: 'current',
    date: ISSUED,
    content: [{ attachment: { contentType: 'text/plain' } }],
    ...more,
  }) as DocumentReference;
const typed = (contentType?: string) => ({ content: [{ attachment: { contentType } }] });

describe('among the documents of an encounter', () => {
  const look = byContent({ facts: FACTS, document: note(), value: 'r/document/v1' }, (bytes) =>
    bytes.includes('Sutura report: r'),
  );
  const ours = Buffer.from('Sutura report: r');
  const theirs = Buffer.from('A letter');

  it.each<[string, object, Buffer | null, boolean | null]>([
    ['one of an earlier day is not ours', { date: '2026-03-08T08:00:00Z' }, null, false],
    ['one of the same day without its time may be', { date: '2026-03-10' }, null, null],
    ['one whose bytes cannot be read may be', {}, null, null],
    ['one with other bytes is not', {}, theirs, false],
    ['one that was converted may be', typed('application/pdf'), theirs, null],
    ['one that names no media type may be', typed(), theirs, null],
    ['one with our bytes is, whatever its media type', typed('text/rtf'), ours, true],
    ['one with our bytes that was entered in error is for a person', { status: 'entered-in-error' }, ours, null],
  ])('%s', (_what, more, bytes, expected) => {
    expect(look.isOurs(note(more), bytes)).toBe(expected);
  });
});

describe('among the documents of an encounter, where one that is made anew has other bytes,', () => {
  const ours = Buffer.from('%PDF of r');
  const look = byContent(
    { facts: FACTS, document: note(), value: 'r/document/v1' },
    (bytes) => bytes.equals(ours) || null,
  );

  it.each<[string, object, boolean | null]>([
    ['one of another time is not ours', { date: '2026-03-10T08:32:00Z' }, false],
    ['one of our own date may be', {}, null],
    ['one of our own minute may be', { date: '2026-03-10T08:30:00Z' }, null],
    ['one of our day alone may be', { date: '2026-03-10' }, null],
    ['one of no date may be', { date: undefined }, null],
  ])('%s', (_what, more, expected) => {
    expect(look.isOurs(note(more), Buffer.from('%PDF of r without its photo'))).toBe(expected);
  });
});

describe('among the Observations of a moment', () => {
  const figure = (more: object = {}): Observation =>
    ({
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'urn:x', code: '1' }] },
      effectiveDateTime: '2026-03-10T08:00:00Z',
      issued: ISSUED,
      valueQuantity: { value: 12 },
      ...more,
    }) as Observation;
  const look = byFigure(FACTS, figure(), 'r/observation-area/v1');

  it('they are searched for a minute before and after, as servers keep times to the second or minute', () => {
    expect(look.parameters['date']).toEqual(['ge2026-03-10T07:59:00.000Z', 'le2026-03-10T08:01:00.000Z']);
  });

  it.each<[string, object, boolean | null]>([
    ['one of another moment is not ours', { effectiveDateTime: '2026-03-10T08:01:01Z' }, false],
    ['one of the same minute may be', { effectiveDateTime: '2026-03-10T08:00:59Z' }, null],
    ['one of no moment may be', { effectiveDateTime: undefined }, null],
    ['one with the same value and instant of issue is', {}, true],
    ['one whose times lost their parts of a second is', { issued: '2026-03-10T08:30:00Z' }, true],
    ['one with the same value alone may be somebody else’s', { issued: undefined }, null],
    ['one with another value may have been ours', { valueQuantity: { value: 13 } }, null],
    ['one that was entered in error is never taken', { status: 'entered-in-error' }, null],
  ])('%s', (_what, more, expected) => {
    expect(look.isOurs(figure(more), null)).toBe(expected);
  });
});
