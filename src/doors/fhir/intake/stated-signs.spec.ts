import type { Observation } from '@medplum/fhirtypes';
import type { ClinicianObservations } from '../../../core/analysis/clinician-observations.js';
import { LOINC, SNOMED, WOUND_OBSERVATION } from '../../../reports/index.js';
import { findingOf } from './clinician-codes.js';
import { merged } from './merged-findings.js';

type Value = Partial<Observation>;

function observation(code: string, value: Value): Observation {
  return {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: WOUND_OBSERVATION, code }] },
    subject: { reference: 'Patient/p1' },
    ...value,
  } as Observation;
}

function statedBy(code: string, value: Value): ClinicianObservations | 'bad' | null {
  const finding = findingOf(observation(code, value));
  return finding === null || finding === 'bad' ? finding : finding.observations!;
}

const coded = (system: string | undefined, code: string, display?: string): Value => ({
  valueCodeableConcept: { coding: [{ system, code, display } as never] },
});
const HL7 = 'http://terminology.hl7.org/CodeSystem';
const NULL_FLAVOR = `${HL7}/v3-NullFlavor`;

describe('what a form sends of one sign', () => {
  it.each<[string, Value]>([
    ['a boolean', { valueBoolean: true }],
    ['the integer 1', { valueInteger: 1 }],
    ['the quantity 1 without a unit', { valueQuantity: { value: 1 } }],
    ['"Yes"', { valueString: 'Yes' }],
    ['" y "', { valueString: ' y ' }],
    ['"TRUE"', { valueString: 'TRUE' }],
    ['"ja"', { valueString: 'ja' }],
    ['"Sí"', { valueString: 'Sí' }],
    ['"présent"', { valueString: 'présent' }],
    ['a cross', { valueString: 'X' }],
    ['"++"', { valueString: '++' }],
    ['"(+)"', { valueString: '(+)' }],
    ['"mild"', { valueString: 'mild' }],
    ['SNOMED CT present', coded(SNOMED, '52101004')],
    ['SNOMED CT detected', coded(SNOMED, '260373001')],
    ['SNOMED CT yes', coded(SNOMED, '373066001')],
    ['SNOMED CT mild', coded(SNOMED, '255604002')],
    ['LOINC yes', coded(LOINC, 'LA33-6')],
    ['LOINC present', coded(LOINC, 'LA9633-4')],
    ['table 0136', coded(`${HL7}/v2-0136`, 'Y')],
    ['the expanded yes', coded(`${HL7}/v2-0532`, 'Y')],
    ['a positive interpretation', coded(`${HL7}/v3-ObservationInterpretation`, 'POS')],
    ['a local code by its words', coded('https://ehr.example/yesno', '1', 'Ja')],
    ['a local figure that stands for no elsewhere', coded('https://ehr.example/yesno', '0', 'Yes')],
    ['text alone', { valueCodeableConcept: { text: 'Positive' } }],
    [
      'a code for no beside words for yes',
      { valueCodeableConcept: { coding: [{ system: SNOMED, code: '2667000' }], text: 'present' } },
    ],
  ])('is a sign that is there: %s', (_, value) => {
    expect(statedBy('sign-warmth', value)).toEqual({ infectionSignCodes: [{ sign: 'warmth', status: 'present' }] });
  });

  it.each<[string, Value]>([
    ['a boolean', { valueBoolean: false }],
    ['the integer 0', { valueInteger: 0 }],
    ['"No"', { valueString: 'No' }],
    ['"NEG"', { valueString: 'NEG' }],
    ['"N"', { valueString: 'N' }],
    ['"-"', { valueString: '-' }],
    ['"nein"', { valueString: 'nein' }],
    ['"keine"', { valueString: 'keine' }],
    ['"ausente"', { valueString: 'ausente' }],
    ['"Néant"', { valueString: 'Néant' }],
    ['"not detected"', { valueString: 'not detected' }],
    ['SNOMED CT absent', coded(SNOMED, '2667000')],
    ['SNOMED CT not detected', coded(SNOMED, '260415000')],
    ['SNOMED CT no', coded(SNOMED, '373067005')],
    ['SNOMED CT known absent', coded(SNOMED, '410516002')],
    ['LOINC no', coded(LOINC, 'LA32-8')],
    ['LOINC absent', coded(LOINC, 'LA9634-2')],
    ['table 0136', coded(`${HL7}/v2-0136`, 'N')],
    ['a negative interpretation', coded(`${HL7}/v2-0078`, 'NEG')],
    ['a local code by its words', coded('https://ehr.example/yesno', '2', 'No')],
    ['a local figure that stands for yes elsewhere', coded('https://ehr.example/yesno', '1', 'No')],
    ['a code without a system', coded(undefined, 'N')],
  ])('is a sign that was looked for and is absent: %s', (_, value) => {
    expect(statedBy('sign-warmth', value)).toEqual({ infectionSignCodes: [{ sign: 'warmth', status: 'absent' }] });
  });

  it.each<[string, Value]>([
    [
      'a reason why there is no answer',
      { dataAbsentReason: { coding: [{ system: `${HL7}/data-absent-reason`, code: 'not-performed' }] } },
    ],
    ['a null flavour', coded(NULL_FLAVOR, 'UNK')],
    ['a null flavour for not asked', coded(NULL_FLAVOR, 'NASK')],
    ['the expanded "not asked"', coded(`${HL7}/v2-0532`, 'NASK')],
    ['SNOMED CT unknown', coded(SNOMED, '261665006')],
    ['LOINC unknown', coded(LOINC, 'LA4489-6')],
    ['"unknown"', { valueString: 'unknown' }],
    ['"n/a"', { valueString: 'n/a' }],
    ['"nicht beurteilbar"', { valueString: 'nicht beurteilbar' }],
    ['other words, which are not guessed at', { valueString: 'no fever, but chills' }],
    ['words that begin with no', { valueString: 'no longer as cool as before' }],
    ['a local figure alone', coded('https://ehr.example/yesno', '1')],
    ['a code of SNOMED CT that is neither', coded(SNOMED, '399166001', 'Fatal')],
    ['an integer of a scale', { valueInteger: 3 }],
    ['a temperature', { valueQuantity: { value: 1, code: 'Cel' } }],
    ['nothing', {}],
  ])('states nothing: %s', (_, value) => {
    expect(statedBy('sign-fever', value)).toBeNull();
  });
});

describe('the signs of one form', () => {
  const component = (code: string, value: Value) => ({
    code: { coding: [{ system: WOUND_OBSERVATION, code }] },
    ...value,
  });

  it('are components, of which those without an answer state nothing', () => {
    const parts = [
      component('sign-fever', { valueBoolean: false }),
      component('sign-odour', { valueCodeableConcept: { coding: [{ system: SNOMED, code: '52101004' }] } }),
      component('sign-debris', { dataAbsentReason: { coding: [{ code: 'unknown' }] } }),
    ];
    expect(statedBy('infection-sign-codes', { component: parts as never })).toEqual({
      infectionSignCodes: [
        { sign: 'fever', status: 'absent' },
        { sign: 'odour', status: 'present' },
      ],
    });
  });

  it('are values of a list, of which only those that are there are sent', () => {
    const tick = (code: string) => coded(WOUND_OBSERVATION, code);
    const ticked = ['sign-warmth', 'sign-swelling'].map((code) => component('infection-sign-codes', tick(code)));
    const told = [
      { sign: 'warmth', status: 'present' },
      { sign: 'swelling', status: 'present' },
    ];
    expect(statedBy('infection-sign-codes', { component: ticked as never })).toEqual({ infectionSignCodes: told });
    expect(statedBy('infection-signs', tick('sign-warmth'))).toEqual({ infectionSignCodes: told.slice(0, 1) });
  });

  it('are there where two of one moment contradict each other, and those of an earlier moment of the day are replaced', () => {
    const at = (time: string, sign: string, isThere: boolean) =>
      observation(`sign-${sign}`, { effectiveDateTime: `2026-03-01T${time}:00Z`, valueBoolean: isThere });
    expect(merged([at('10:00', 'odour', true), at('10:00', 'odour', false)]).clinicianObservations).toEqual({
      infectionSignCodes: [{ sign: 'odour', status: 'present' }],
    });
  });
});

describe('signs of infection in words', () => {
  it.each<[string, Value, ClinicianObservations | null]>([
    ['true', { valueBoolean: true }, { infectionSigns: ['Yes'] }],
    ['false', { valueBoolean: false }, { infectionSigns: ['No'] }],
    ['a coded no', coded(`${HL7}/v2-0136`, 'N', 'Nej'), { infectionSigns: ['No'] }],
    ['a coded finding', coded('https://ehr.example/signs', 'S3', 'Pus'), { infectionSigns: ['Pus'] }],
    ['a code without words', coded('https://ehr.example/signs', 'S3'), { infectionSigns: ['S3'] }],
    ['a null flavour', coded(NULL_FLAVOR, 'UNK', 'unknown'), null],
  ])('are read from %s', (_, value, told) => {
    expect(statedBy('infection-signs', value)).toEqual(told);
  });
});

describe('a stage', () => {
  const words = (text: string): Value => ({ valueCodeableConcept: { text } });

  it.each<[Value, string]>([
    [coded(WOUND_OBSERVATION, 'stage-pressure-2'), 'pressure 2'],
    [coded(WOUND_OBSERVATION, 'stage-texas-1b'), 'texas 1B'],
    [coded(SNOMED, '421927004'), 'pressure 3'],
    [coded(SNOMED, '421594008', 'Nonstageable pressure ulcer'), 'pressure unstageable'],
    [words('Stage II'), 'pressure 2'],
    [words('Kategorie 4'), 'pressure 4'],
    [words('Dekubitus Grad 3'), 'pressure 3'],
    [words('estadio IV'), 'pressure 4'],
    [words('DTPI'), 'pressure suspected_deep_tissue_injury'],
    [words('Suspected deep tissue injury'), 'pressure suspected_deep_tissue_injury'],
    [words('Wagner 3'), 'wagner 3'],
    [words('Wagner-Grad 0'), 'wagner 0'],
    [words('UT 2d'), 'texas 2D'],
    [{ valueString: 'unstageable' }, 'pressure unstageable'],
  ])('is read from %j', (value, told) => {
    const stated = statedBy('wound-stage', value) as ClinicianObservations;
    expect(`${stated.stage!.system} ${stated.stage!.value}`).toBe(told);
  });

  it.each([
    words('3'),
    words('Stage 5'),
    words('Stage 2 or 3'),
    words('healing stage 4'),
    words('not stage 4'),
    words('Wagner 6'),
    words('Texas 4A'),
    words('x'.repeat(5000)),
    { valueCodeableConcept: { coding: [{ system: SNOMED, code: '421927004' }], text: 'Stage 2' } },
  ])('is not guessed from %j', (value) => {
    expect(statedBy('wound-stage', value)).toBeNull();
  });

  it('is that of the person who performed the Observation, by name', () => {
    const performer = [{ reference: 'Practitioner/1' }, { display: 'N. Example, RN' }];
    expect(statedBy('wound-stage', { ...words('Stage 3'), performer })).toEqual({
      stage: { system: 'pressure', value: '3', statedBy: 'N. Example, RN' },
    });
  });
});
