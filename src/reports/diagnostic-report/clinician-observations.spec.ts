import type { Observation } from '@medplum/fhirtypes';
import { readingOf, reportsOf } from '../../../test/support/sample-report.js';
import { EVERYTHING_STATED } from '../../../test/support/stated-sample.js';
import type { ClinicianObservations } from '../../core/analysis/clinician-observations.js';
import type { ReviewStamp } from '../../core/report/clinical-report.js';
import { LOINC, SNOMED, WOUND_OBSERVATION } from '../terminology/codes.js';
import { CLINICIAN_CODES } from '../terminology/clinician-codes.js';
import { toReportResources } from './to-diagnostic-report.js';

const ACCEPTED: ReviewStamp = {
  decision: 'accept',
  reviewer: { id: 'HCP-0042', name: 'Example Reviewer' },
  note: null,
  reviewedAt: '2025-11-01T08:09:10Z',
};

function stated(clinicianObservations: ClinicianObservations | null, { snomed = true, reviewed = false } = {}) {
  const reading = readingOf(
    reportsOf({
      weeks: [9],
      content: { clinicianObservations, ...(reviewed ? { review: ACCEPTED } : {}) },
      ...(reviewed ? { report: { status: 'final' as const } } : {}),
    }),
  );
  const { report, observations } = toReportResources(reading, {
    patient: 'Patient/p1',
    performer: 'Organization/o1',
    encounter: null,
    order: null,
    document: null,
    snomed,
    style: 'discrete',
    findingsBefore: null,
    mediaOf: (imageId: string) => `Media/${imageId}`,
  });
  const own = observations.filter(({ id }) => id!.includes('-stated-'));
  const named = new Map(own.map((one) => [one.id!.slice(report.id!.length + '-stated-'.length), one]));
  return { own, named, panel: observations[0]!, report };
}

const codings = (one: Observation | undefined) => one!.valueCodeableConcept!.coding!.map(({ code }) => code);

it('what was stated on another day than the photo’s keeps its own time', () => {
  const { named } = stated({ depthCm: 0.2, painNrs: 3, statedAt: { depthCm: '2025-10-31T17:00:00-08:00' } });
  expect(named.get('depth')!.effectiveDateTime).toBe('2025-10-31T17:00:00-08:00');
  expect(named.get('pain')!.effectiveDateTime).not.toBe('2025-10-31T17:00:00-08:00');
});

describe('what a clinician stated, as FHIR', () => {
  it.each<[string, ClinicianObservations | null]>([
    ['nothing', null],
    ['no field', {}],
    ['empty lists', { undermining: [], tunnelling: [], edges: [], periwound: [], infectionSigns: [] }],
  ])('is no Observation where %s was stated', (_, given) => {
    expect(stated(given).own).toEqual([]);
  });

  it('is never the software’s, nor the reviewer’s, and does not come from the photo', () => {
    for (const reviewed of [false, true]) {
      for (const one of stated(EVERYTHING_STATED, { reviewed }).own) {
        expect(one).toMatchObject({
          status: reviewed ? 'final' : 'preliminary',
          performer: [{ reference: 'Organization/o1' }],
          method: { text: 'Stated by a clinician' },
        });
        expect(one.meta).not.toHaveProperty('security');
        expect(one).not.toHaveProperty('device');
        expect(one).not.toHaveProperty('derivedFrom');
      }
    }
  });

  it('is one Observation a field and a pocket, each a member of the panel and a result of the report', () => {
    const { named, own, panel, report } = stated(EVERYTHING_STATED);
    expect([...named.keys()]).toEqual([
      'depth',
      'length',
      'width',
      'exudate',
      'exudate-type',
      'odour',
      'pain',
      'undermining-1',
      'undermining-2',
      'undermining-3',
      'tunnelling-1',
      'edges',
      'periwound',
      'infection-signs',
      'signs',
      'stage',
    ]);
    const references = own.map(({ id }) => ({ reference: `Observation/${id!}` }));
    expect(panel.hasMember).toEqual(expect.arrayContaining(references));
    expect(report.result).toEqual(expect.arrayContaining(references));
  });

  it('keeps lengths by hand apart from those in the photo by codes of their own', () => {
    const { named } = stated(EVERYTHING_STATED);
    expect(['depth', 'length', 'width'].map((name) => named.get(name)!.code.coding![0])).toEqual([
      expect.objectContaining({ system: LOINC, code: '39127-6' }),
      expect.objectContaining({ system: WOUND_OBSERVATION, code: 'bedside-length' }),
      expect.objectContaining({ system: WOUND_OBSERVATION, code: 'bedside-width' }),
    ]);
    expect(named.get('length')!.valueQuantity).toMatchObject({ value: 4.5, code: 'cm' });
  });

  it('states pockets by their depth and their hours', () => {
    const { named } = stated(EVERYTHING_STATED);
    expect(named.get('undermining-2')).toMatchObject({
      code: { coding: [{ code: '72293-4' }] },
      valueQuantity: { value: 0.5, code: 'cm' },
      component: [
        { code: { coding: [{ code: '72294-2' }, { code: 'undermining-from' }] }, valueInteger: 11 },
        { code: { coding: [{ code: '72294-2' }, { code: 'undermining-to' }] }, valueInteger: 1 },
      ],
    });
    expect(named.get('undermining-3')!.component).toEqual([
      { code: { coding: [expect.objectContaining({ code: '72294-2' })] }, valueInteger: 8 },
    ]);
    expect(named.get('tunnelling-1')).toMatchObject({
      code: { coding: [{ code: '72296-7' }] },
      valueQuantity: { value: 2.5, code: 'cm' },
      component: [{ code: { coding: [{ code: '72297-5' }] }, valueInteger: 6 }],
    });
  });

  it('gives one value of a list as the Observation’s, several as its components', () => {
    const { named } = stated({ edges: ['rolled'], infectionSigns: ['warm', 'red'] });
    expect(codings(named.get('edges'))).toEqual(['449751008', 'edge-rolled']);
    expect(named.get('infection-signs')).toMatchObject({
      component: [{ valueString: 'warm' }, { valueString: 'red' }],
    });
    expect(named.get('infection-signs')).not.toHaveProperty('valueString');
  });

  it('has a code of its own for every value, and no SNOMED CT where that is switched off', () => {
    const { own, named } = stated(EVERYTHING_STATED, { snomed: false });
    expect(JSON.stringify(own)).not.toContain(SNOMED);
    expect(codings(named.get('exudate'))).toEqual(['exudate-moderate']);
    expect(codings(stated(EVERYTHING_STATED).named.get('exudate'))).toEqual(['6736007', 'exudate-moderate']);
  });

  it('has a code for every field of the contract', () => {
    expect(Object.keys(EVERYTHING_STATED).sort()).toEqual(Object.keys(CLINICIAN_CODES).sort());
  });
});
