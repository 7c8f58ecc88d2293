import { woundKindOf } from './wound-kinds.js';

const SNOMED = 'http://snomed.info/sct';

describe('the kind of a wound', () => {
  it.each([
    { display: 'no diabetic foot ulcer' },
    { display: 'suspected venous leg ulcer' },
    { display: 'Arterial ulcer' },
    { display: 'mixed arterial and venous ulcer' },
    { display: 'kein Ulcus cruris venosum' },
    { system: 'http://hl7.org/fhir/sid/icd-10', code: 'L97' },
    { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'I83.90' },
    { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'I83.11' },
    { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.622' },
    { system: SNOMED, code: '399912005', display: 'Pressure ulcer' },
  ])('is none that a milestone is about: %j', (woundType) => {
    expect(woundKindOf(woundType)).toBe('other');
  });

  it.each([null, {}, { display: ' . ' }])('is not stated: %j', (woundType) => {
    expect(woundKindOf(woundType)).toBe('unstated');
  });

  it.each([
    { display: 'Venous leg ulcer' },
    { display: 'Venöses Ulcus cruris' },
    { display: 'ÚLCERA VENOSA' },
    { display: 'Ulcère veineux de jambe' },
    { system: 'urn:ward', code: '12', display: 'VLU' },
    { system: SNOMED, code: '371032004' },
    { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'I83.012' },
    { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'I87.311' },
    { system: 'http://fhir.de/CodeSystem/bfarm/icd-10-gm', code: 'I87.21' },
    { system: 'http://hl7.org/fhir/sid/icd-10', code: 'I83.0' },
  ])('is a venous leg ulcer: %j', (woundType) => {
    expect(woundKindOf(woundType)).toBe('venous_leg_ulcer');
  });

  it.each([
    { display: 'Diabetisches Fußulkus' },
    { display: 'úlcera de pie diabético' },
    { system: SNOMED, code: '280137006', display: 'venous ulcer' },
    { code: 'E11621' },
  ])('is a diabetic foot ulcer, by its code before its words: %j', (woundType) => {
    expect(woundKindOf(woundType)).toBe('diabetic_foot_ulcer');
  });
});
