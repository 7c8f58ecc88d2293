import type { Observation } from '@medplum/fhirtypes';
import { readingOf, reportsOf } from '../../../../test/support/sample-report.js';
import { EVERYTHING_STATED } from '../../../../test/support/stated-sample.js';
import { LOINC, SNOMED, toReportResources, WOUND_OBSERVATION } from '../../../reports/index.js';
import { merged } from './merged-findings.js';
import { findingOf } from './clinician-codes.js';

const codeOf = (code: string, system = /^\d/.test(code) ? LOINC : WOUND_OBSERVATION) => ({
  coding: [{ system, code }],
});
const observation = (code: string, more: Partial<Observation>): Observation =>
  ({ resourceType: 'Observation', status: 'final', code: codeOf(code), ...more }) as Observation;
const cm = (value: number, code = 'cm') => ({ value, unit: code, system: 'http://unitsofmeasure.org', code });
const hour = (code: string, valueInteger: number) => ({ code: codeOf(code), valueInteger });
const snomed = (code: string) => ({ valueCodeableConcept: { coding: [{ system: SNOMED, code }] } });
const own = (code: string) => ({ valueCodeableConcept: { coding: [{ system: WOUND_OBSERVATION, code }] } });
const undermining = (depthCm: number, ...hours: number[]) =>
  observation('72293-4', { valueQuantity: cm(depthCm), component: hours.map((clock) => hour('72294-2', clock)) });
const tunnel = (clock: number, depthCm: number, more: Partial<Observation> = {}) =>
  observation('72296-7', { valueQuantity: cm(depthCm), component: [hour('72297-5', clock)], ...more });
const stated = (...observations: Observation[]) => merged(observations).clinicianObservations;

describe('what a clinician’s Observation states', () => {
  it.each<[string, Observation]>([
    ['an hour before 1', undermining(1, 0, 3)],
    ['an hour after 12', undermining(1, 3, 13)],
    ['half an hour', tunnel(2.5, 1)],
    ['a tunnel deeper than 30 cm', tunnel(2, 30.1)],
    ['a depth below nought', tunnel(2, -1)],
    ['pain beyond 10', observation('pain-nrs', { valueInteger: 11 })],
    ['pain in halves', observation('pain-nrs', { valueQuantity: { value: 2.5 } })],
    ['a sign of infection of 201 characters', observation('infection-signs', { valueString: 'x'.repeat(201) })],
    ['a sign of infection with a control character', observation('infection-signs', { valueString: 'warm\u0007red' })],
    ['a sign of infection that turns the reading order', observation('infection-signs', { valueString: '\u202ered' })],
    ['a length by hand beyond 200 cm', observation('bedside-length', { valueQuantity: cm(201) })],
  ])('is refused as %s', (_, given) => {
    expect(findingOf(given)).toBe('bad');
  });

  it.each<[string, Observation]>([
    ['a pocket without an hour', undermining(1)],
    ['a stretch with three hours', undermining(1, 1, 2, 3)],
    [
      'a stretch with one of its ends',
      observation('72293-4', {
        valueQuantity: cm(1),
        component: [
          { code: { coding: [...codeOf('72294-2').coding, ...codeOf('undermining-to').coding] }, valueInteger: 4 },
        ],
      }),
    ],
    ['a tunnel of no depth', tunnel(2, 0)],
    [
      'a depth in another unit',
      observation('72296-7', { valueQuantity: cm(1, '[in_i]'), component: [hour('72297-5', 2)] }),
    ],
    ['a tunnel in words', observation('72298-3', { valueString: 'at two o’clock' })],
    ['an exudate that the contract does not know', observation('72290-0', snomed('449761001'))],
    ['an offensive odour, which has no strength', observation('72288-4', snomed('447547000'))],
    ['an edge in words', observation('72304-9', { valueString: 'rolled' })],
    ['a code of another system', observation('72304-9', { valueCodeableConcept: codeOf('edge-rolled', SNOMED) })],
    ['the value of another field', observation('72304-9', own('periwound-macerated'))],
    ['a name that every object has', observation('72288-4', snomed('constructor'))],
    ['an empty pain', observation('pain-nrs', {})],
    ['a finding that was entered in error', tunnel(2, 1, { status: 'entered-in-error' })],
  ])('is kept and enters no field as %s', (_, given) => {
    expect(findingOf(given)).toBeNull();
  });

  it.each<[string, Observation, object]>([
    [
      'a stretch over midnight',
      undermining(1.2, 11, 2),
      { undermining: [{ fromClock: 11, toClock: 2, depthCm: 1.2 }] },
    ],
    ['an undermining at one hour', undermining(1.2, 4), { undermining: [{ fromClock: 4, depthCm: 1.2 }] }],
    [
      'a tunnel in millimetres',
      observation('72296-7', { valueQuantity: cm(25, 'mm'), component: [hour('72297-5', 6)] }),
      { tunnelling: [{ clock: 6, depthCm: 2.5 }] },
    ],
    [
      'a panel of undermining, its ends in any order, its hours as SNOMED CT',
      observation('72295-9', {
        component: [
          {
            code: { coding: [...codeOf('72294-2').coding, ...codeOf('undermining-to').coding] },
            ...snomed('260335000'),
          },
          {
            code: { coding: [...codeOf('72294-2').coding, ...codeOf('undermining-from').coding] },
            ...snomed('260328008'),
          },
          { code: codeOf('72293-4'), valueQuantity: cm(0.8) },
        ],
      }),
      { undermining: [{ fromClock: 2, toClock: 5, depthCm: 0.8 }] },
    ],
    ['an odour in our own code', observation('72288-4', own('odour-strong')), { odour: 'strong' }],
    ['no odour, in SNOMED CT', observation('72288-4', snomed('260413007')), { odour: 'none' }],
    ['scanty exudate', observation('39116-9', snomed('263865001')), { exudate: 'light' }],
    [
      'edges of several kinds, one of them twice',
      observation('72304-9', {
        ...snomed('449751008'),
        component: [own('edge-rolled'), own('edge-macerated')].map((value) => ({ code: codeOf('72304-9'), ...value })),
      }),
      { edges: ['rolled', 'macerated'] },
    ],
    ['pain as text', observation('pain-nrs', { valueString: ' 7 ' }), { painNrs: 7 }],
    [
      'words from right to left',
      observation('infection-signs', { valueString: 'حار ومحمر' }),
      { infectionSigns: ['حار ومحمر'] },
    ],
    [
      '200 characters of four bytes',
      observation('infection-signs', { valueString: '𝔴'.repeat(200) }),
      { infectionSigns: ['𝔴'.repeat(200)] },
    ],
  ])('is read as %s', (_, given, expected) => {
    expect(stated(given)).toEqual(expected);
  });

  it('is of all Observations of a moment, and of the later where one was made later', () => {
    const at = (effectiveDateTime: string) => ({ effectiveDateTime });
    const [first, second] = [tunnel(3, 1, at('2026-03-15T09:00:00Z')), tunnel(9, 2, at('2026-03-15T10:00:00+01:00'))];
    expect(stated(first, second, first)).toEqual({
      tunnelling: [
        { clock: 3, depthCm: 1 },
        { clock: 9, depthCm: 2 },
      ],
    });
    expect(stated(first, second, tunnel(6, 4, at('2026-03-15T09:30:00Z')))).toEqual({
      tunnelling: [{ clock: 6, depthCm: 4 }],
    });
  });

  it('is the first twelve of forty tunnels', () => {
    const tunnels = Array.from({ length: 40 }, (_, index) => tunnel((index % 12) + 1, 1 + index / 10));
    expect(stated(...tunnels)!.tunnelling).toHaveLength(12);
  });

  it.each([true, false])(
    'is all that a report stated of it, read back from its Observations (SNOMED CT: %s)',
    (isOn) => {
      const reading = readingOf(reportsOf({ weeks: [9], content: { clinicianObservations: EVERYTHING_STATED } }));
      const { observations } = toReportResources(reading, {
        patient: 'Patient/p1',
        performer: 'Organization/o1',
        encounter: null,
        order: null,
        document: null,
        snomed: isOn,
        style: 'discrete',
        findingsBefore: null,
        mediaOf: (imageId: string) => `Media/${imageId}`,
      });
      expect(stated(...observations.filter(({ id }) => id!.includes('-stated-')))).toEqual(EVERYTHING_STATED);
    },
  );
});
