import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HL7_BUNDLES, hl7Resources } from '../../../../test/support/hl7-resources.js';
import { profilesDirectory, ProfileLibrary } from '../profiles/profile-library.js';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { ResourceValidator } from './resource-validator.js';

type Json = Record<string, unknown>;

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const OURS = 'https://sutura.dev/fhir/StructureDefinition/';

/** An example with some elements replaced; undefined takes one out. */
function example(name: string, changes: Json = {}): Json {
  const resource = JSON.parse(readFileSync(join(profilesDirectory(), 'examples', `${name}.json`), 'utf8')) as Json;
  return JSON.parse(JSON.stringify({ ...resource, ...changes })) as Json;
}

function errorsOf(resource: unknown, profiles?: string[]) {
  const { level, issues } = validator.validate(resource, profiles);
  return {
    level,
    errors: issues
      .filter(({ severity }) => severity === 'error')
      .map(({ code, expression }) => `${code} ${expression}`),
  };
}

const observation = (changes: Json): Json => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text: 'Pain' },
  ...changes,
});
const patient = (changes: Json): Json => ({ resourceType: 'Patient', ...changes });

describe('a narrative', () => {
  const text = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml"><script>a</script></div>' };
  const section = [{ section: [{ text }] }];
  const composition = {
    resourceType: 'Composition',
    status: 'final',
    type: { text: 'a' },
    date: '2026-01-01',
    author: [{ display: 'a' }],
    title: 'a',
    section,
  };

  it.each<[string, Json]>([
    ['Patient.text.div', patient({ text })],
    [
      'Patient.contained[0].text.div',
      patient({
        contained: [{ resourceType: 'Organization', id: 'o', name: 'O', text }],
        managingOrganization: { reference: '#o' },
      }),
    ],
    ['Composition.section[0].section[0].text.div', composition],
    [
      'Bundle.entry[0].resource.text.div',
      {
        resourceType: 'Bundle',
        type: 'collection',
        entry: [{ fullUrl: 'urn:oid:1.2.3', resource: patient({ text }) }],
      },
    ],
    [
      'Parameters.parameter[0].part[0].resource.text.div',
      { resourceType: 'Parameters', parameter: [{ name: 'a', part: [{ name: 'b', resource: patient({ text }) }] }] },
    ],
  ])('is held to the rules of R4 at %s', (place, resource) => {
    expect(validator.validate(resource)).toMatchObject({
      level: 'narrative',
      issues: [{ code: 'invariant', expression: place }],
    });
  });
});

describe('a resource that breaks base R4 is refused', () => {
  const cases: [string, unknown, string][] = [
    ['no object', ['Observation'], 'invalid Resource'],
    ['no type', { id: 'a' }, 'invalid Resource'],
    ['a type of no resource', { resourceType: 'Wound' }, 'not-supported Resource'],
    ['an abstract type', { resourceType: 'DomainResource' }, 'not-supported Resource'],
    ['a data type as a resource', { resourceType: 'Quantity', value: 1 }, 'not-supported Resource'],
    ['a required element missing', observation({ status: undefined }), 'required Observation.status'],
    [
      'a required element missing further down',
      observation({ component: [{ valueInteger: 1 }] }),
      'required Observation.component[0].code',
    ],
    ['an unknown element', patient({ mood: 'good' }), 'structure Patient.mood'],
    [
      'an element of another type for a choice',
      observation({ valueAddress: { city: 'X' } }),
      'structure Observation.valueAddress',
    ],
    [
      'two values of a choice',
      observation({ valueInteger: 1, valueString: 'one' }),
      'structure Observation.valueString',
    ],
    [
      'two values of a choice further down',
      observation({
        component: [{ code: { text: 'a' } }, { code: { text: 'b' }, valueInteger: 1, valueBoolean: true }],
      }),
      'structure Observation.component[1].valueBoolean',
    ],
    ['a list where one is wanted', observation({ issued: ['2026-01-01T00:00:00Z'] }), 'structure Observation.issued'],
    ['one where a list is wanted', patient({ name: { family: 'Example' } }), 'structure Patient.name'],
    ['a null', patient({ birthDate: null }), 'structure Patient.birthDate'],
    ['an empty object', patient({ maritalStatus: {} }), 'structure Patient.maritalStatus'],
    ['a null in a list', patient({ name: [null] }), 'structure Patient.name[0]'],
    ['a list in a list', patient({ name: [[{ family: 'Example' }]] }), 'structure Patient.name[0]'],
    ['an object for a date', patient({ birthDate: { id: 'x' } }), 'value Patient.birthDate'],
    ['a number for an object', patient({ maritalStatus: 0 }), 'value Patient.maritalStatus'],
    [
      'an object for one of several texts',
      patient({ meta: { profile: ['urn:x', { extension: [{ url: 'urn:x', valueCode: 'x' }] }] } }),
      'value Patient.meta.profile[1]',
    ],
    [
      'a type within what is no resource',
      patient({ name: [{ resourceType: 'Patient', family: 'Example' }] }),
      'structure Patient.name[0].resourceType',
    ],
    ['an empty list', patient({ name: [] }), 'structure Patient.name'],
    ['an empty text', patient({ name: [{ family: '' }] }), 'structure Patient.name[0].family'],
    ['a name that every object has', JSON.parse('{"resourceType":"Patient","valueOf":"x"}'), 'structure Patient'],
    [
      'a name that objects inherit',
      JSON.parse('{"resourceType":"Patient","__proto__":{"active":true}}'),
      'structure Patient',
    ],
    ['an element of Meta that is Medplum’s', patient({ meta: { project: 'a' } }), 'structure Patient.meta.project'],
    [
      'a contained resource of a later release',
      patient({ contained: [{ resourceType: 'SubscriptionStatus', id: 's', status: 'active' }] }),
      'structure Patient.contained[0]',
    ],
    ['an id that is none', patient({ id: 'a_b' }), 'value Patient.id'],
    [
      'an id that two elements share',
      patient({
        name: [
          { id: 'a', family: 'x' },
          { id: 'a', family: 'y' },
        ],
      }),
      'value Patient.name[1].id',
    ],
    [
      'a contained resource without an id',
      observation({ contained: [{ resourceType: 'Patient', active: true }] }),
      'required Observation.contained',
    ],
    [
      'two contained resources of one id',
      observation({
        contained: ['a', 'b'].map(() => ({ resourceType: 'Patient', id: 'p' })),
        subject: { reference: '#p' },
      }),
      'value Observation.contained',
    ],
    [
      'a reference to a contained resource of a wrong type',
      observation({
        contained: [{ resourceType: 'Organization', id: 'o', name: 'x' }],
        subject: { reference: '#o' },
      }),
      'value Observation.subject.reference',
    ],
    [
      'a reference to an entry of a wrong type',
      {
        resourceType: 'Bundle',
        type: 'collection',
        entry: [
          { fullUrl: 'urn:oid:1.2', resource: { resourceType: 'Organization', name: 'x' } },
          { fullUrl: 'urn:oid:1.3', resource: observation({ subject: { reference: 'urn:oid:1.2' } }) },
        ],
      },
      'value Bundle.entry[1].resource.subject.reference',
    ],
    [
      'a reference to a type that R4 does not have',
      observation({ subject: { type: 'Wound', display: 'x' } }),
      'code-invalid Observation.subject.type',
    ],
    ['a reference with a blank', observation({ focus: [{ reference: ' x' }] }), 'value Observation.focus[0].reference'],
    [
      'an extension with a relative URL',
      patient({ extension: [{ url: 'foo', valueString: 'x' }] }),
      'value Patient.extension[0].url',
    ],
    ['a language that is none', patient({ language: 'German' }), 'code-invalid Patient.language'],
    [
      'a language of another system',
      patient({ communication: [{ language: { coding: [{ system: 'urn:x', code: 'de' }] } }] }),
      'code-invalid Patient.communication[0].language',
    ],
    ['a time without seconds', observation({ effectiveDateTime: '2026-01-01T10:00Z' }), 'value Observation.effective'],
    [
      'an entry without a fullUrl',
      { resourceType: 'Bundle', type: 'collection', entry: [{ resource: patient({ id: 'a' }) }] },
      'required Bundle.entry',
    ],
    [
      'a fullUrl of another resource',
      {
        resourceType: 'Bundle',
        type: 'collection',
        entry: [{ fullUrl: 'https://ehr.example/Patient/b', resource: patient({ id: 'a' }) }],
      },
      'value Bundle.entry',
    ],
    ['a date that is none', patient({ birthDate: '2026-02-30' }), 'value Patient.birthDate'],
    ['a date in another form', patient({ birthDate: '30.01.2026' }), 'value Patient.birthDate'],
    ['a number as text', observation({ valueQuantity: { value: '6.2' } }), 'value Observation.value.value'],
    ['an instant without a zone', observation({ issued: '2026-01-01T00:00:00' }), 'value Observation.issued'],
    ['base64 that is none', { resourceType: 'Binary', contentType: 'image/png', data: '%%%%' }, 'value Binary.data'],
    ['a code outside its required value set', observation({ status: 'bogus' }), 'code-invalid Observation.status'],
    [
      'such a code further down',
      patient({ contact: [{ gender: 'f', name: { text: 'x' } }] }),
      'code-invalid Patient.contact[0].gender',
    ],
    [
      'such a concept',
      {
        resourceType: 'Condition',
        subject: { reference: 'Patient/1' },
        clinicalStatus: {
          coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'cured' }],
        },
      },
      'code-invalid Condition.clinicalStatus',
    ],
    [
      'such a concept of another system',
      {
        resourceType: 'Condition',
        subject: { reference: 'Patient/1' },
        clinicalStatus: { coding: [{ system: 'urn:x', code: 'active' }] },
      },
      'code-invalid Condition.clinicalStatus',
    ],
    [
      'such a concept whose codings are no list',
      {
        resourceType: 'Condition',
        subject: { reference: 'Patient/1' },
        clinicalStatus: {
          coding: { system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' },
        },
      },
      'structure Condition.clinicalStatus.coding',
    ],
    [
      'a MIME type that is none',
      { resourceType: 'Binary', contentType: 'a picture' },
      'code-invalid Binary.contentType',
    ],
    [
      'a reference to a wrong type',
      observation({ subject: { reference: 'Organization/1' } }),
      'value Observation.subject.reference',
    ],
    [
      'an absolute reference to a wrong type',
      observation({ subject: { reference: 'https://ehr.example/fhir/Organization/1' } }),
      'value Observation.subject.reference',
    ],
    [
      'a reference that is none',
      observation({ performer: [{ reference: 'Practitioner/1' }, { reference: 'somebody' }] }),
      'value Observation.performer[1].reference',
    ],
    [
      'an invariant not met',
      observation({ dataAbsentReason: { text: 'unknown' }, valueInteger: 1 }),
      'invariant Observation',
    ],
    [
      'a contained resource that is broken',
      observation({ contained: [{ resourceType: 'Patient', id: 'p', gender: 'x' }] }),
      'code-invalid Observation.contained[0].gender',
    ],
    [
      'a contained resource of an unknown type',
      observation({ contained: [{ resourceType: 'Wound', id: 'w' }] }),
      'structure Observation.contained[0]',
    ],
    [
      'a broken entry of a bundle',
      {
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [{ resource: patient({ gender: 'x' }), request: { method: 'POST', url: 'Patient' } }],
      },
      'code-invalid Bundle.entry[0].resource.gender',
    ],
  ];
  it.each(cases)('%s', (_, resource, expected) => {
    const { level, errors } = errorsOf(resource);
    expect(level).toBe('structure');
    expect(errors).toContain(expected);
  });

  it('nested past what a validator can descend into', () => {
    let nested: Json = { url: 'urn:x', valueString: 'x' };
    for (let depth = 0; depth < 20_000; depth++) nested = { url: 'urn:x', extension: [nested] };
    const { level, issues } = validator.validate(patient({ extension: [nested] }));
    expect({ level, issues: issues.map(({ details }) => details) }).toEqual({
      level: 'structure',
      issues: ['Nested too deeply.'],
    });
  });

  it('and the findings repeat nothing of it', () => {
    const secret = 'Anna Beispiel, MRN-778812';
    const broken = patient({
      gender: secret,
      birthDate: secret,
      [secret]: secret,
      generalPractitioner: [{ reference: secret }],
      contact: [{ [secret]: 1 }],
      photo: [{ contentType: secret }],
    });
    const { issues } = validator.validate(broken);
    expect(issues.length).toBeGreaterThanOrEqual(5);
    expect(JSON.stringify(issues)).not.toMatch(/Anna|Beispiel|778812/);
  });
});

describe('a resource that breaks a profile of ours is refused', () => {
  const area = 'observation-area-2';
  const report = 'diagnosticreport-2';
  const coded = (system: string, code: string) => ({ coding: [{ system, code }] });
  const extensions = example(report)['extension'] as Json[];
  const components = example(area)['component'] as Json[];
  const cases: [string, Json, string][] = [
    [
      'another code than the profile is for',
      example(area, { code: coded('http://loinc.org', '39126-8') }),
      'Observation.code',
    ],
    [
      'another unit',
      example(area, { valueQuantity: { value: 617, system: 'http://unitsofmeasure.org', code: 'mm2' } }),
      'Observation.value',
    ],
    [
      'another type of a choice',
      example(area, { valueQuantity: undefined, valueString: '6.17 cm2' }),
      'Observation.value',
    ],
    [
      'a period where a moment is wanted',
      example(area, { effectiveDateTime: undefined, effectivePeriod: { start: '2026-03-15' } }),
      'Observation.effective',
    ],
    ['neither a value nor a reason', example(area, { valueQuantity: undefined }), 'Observation'],
    ['an element that the profile demands', example(area, { identifier: undefined }), 'Observation.identifier'],
    [
      'no photo behind it',
      example(area, { derivedFrom: [{ reference: 'DocumentReference/1' }] }),
      'Observation.derivedFrom[0].reference',
    ],
    [
      'a subject that is no patient',
      example(area, { subject: { reference: 'Group/1' } }),
      'Observation.subject.reference',
    ],
    [
      'a bound in another unit',
      example(area, {
        component: components.map((one, index) =>
          index === 2 ? { ...one, valueQuantity: { value: 5, system: 'http://unitsofmeasure.org', code: 'cm' } } : one,
        ),
      }),
      'Observation.component[2].value',
    ],
    ['a bound given twice', example(area, { component: [...components, components[2]!] }), 'Observation.component'],
    [
      'progress without the days',
      example('observation-progress-2', {
        component: (example('observation-progress-2')['component'] as Json[]).slice(0, 1),
      }),
      'Observation.component',
    ],
    [
      'progress of one area alone',
      example('observation-progress-2', { derivedFrom: [{ reference: 'Observation/a' }] }),
      'Observation.derivedFrom',
    ],
    [
      'shares that are not the whole',
      example('observation-tissue-2', { component: (example('observation-tissue-2')['component'] as Json[]).slice(1) }),
      'Observation',
    ],
    ['a panel with a value', example('observation-panel-2', { valueInteger: 1 }), 'Observation.value'],
    [
      'a report that is not marked as made by software',
      example(report, { meta: { profile: [`${OURS}sutura-wound-assessment-report`] } }),
      'DiagnosticReport.meta.security',
    ],
    ['a report without its wound', example(report, { extension: extensions.slice(1) }), 'DiagnosticReport.extension'],
    [
      'a report without its place in the series',
      example(report, { extension: [extensions[0], extensions[2]] }),
      'DiagnosticReport',
    ],
    [
      'an extension of another type',
      example(report, { extension: [{ url: `${OURS}wound`, valueString: 'heel' }, ...extensions.slice(1)] }),
      'DiagnosticReport.extension[0].value',
    ],
    [
      'an extension that points elsewhere',
      example(report, {
        extension: [{ url: `${OURS}wound`, valueReference: { reference: 'Patient/1' } }, ...extensions.slice(1)],
      }),
      'DiagnosticReport.extension[0].value.reference',
    ],
    [
      'a photo with both data and an address',
      example('media-2', { content: { contentType: 'image/png', url: 'Binary/1', data: 'AAAA' } }),
      'Media.content',
    ],
    ['a photo of no known type', example('media-2', { content: { url: 'Binary/1' } }), 'Media.content.contentType'],
    [
      'a state of a job that we do not have',
      example('task-failed', { businessStatus: coded('https://sutura.dev/fhir/CodeSystem/job-status', 'lost') }),
      'Task.businessStatus',
    ],
    ['a device with a patient', example('device-ai', { patient: { reference: 'Patient/1' } }), 'Device.patient'],
    [
      'a profile of ours that does not exist',
      example('patient', { meta: { profile: [`${OURS}sutura-patient`] } }),
      'Patient.meta.profile[0]',
    ],
    [
      'a version of a profile that does not exist',
      example(area, { meta: { profile: [`${OURS}sutura-wound-area|2.0.0`] } }),
      'Observation.meta.profile[0]',
    ],
    [
      'a profile of another type',
      example('patient', { meta: { profile: [`${OURS}sutura-wound-area`] } }),
      'Patient.meta.profile[0]',
    ],
    [
      'our extension in a wrong form without any profile',
      example('media-2', { meta: undefined, extension: [{ url: `${OURS}wound`, valueString: 'heel' }] }),
      'Media.extension[0].value',
    ],
    [
      'an extension of ours that does not exist',
      example('patient', { extension: [{ url: `${OURS}mood`, valueString: 'x' }] }),
      'Patient.extension[0]',
    ],
  ];
  it.each(cases)('%s', (_, resource, expression) => {
    const { level, errors } = errorsOf(resource);
    expect(level).toBe('profile');
    expect(errors).toContain(`invariant ${expression}`);
  });

  it('that it does not claim, where the caller asks for it', () => {
    const media = example('media-2', { meta: undefined, subject: { reference: 'Device/1' } });
    expect(errorsOf(media).level).toBeNull();
    expect(errorsOf(media, [`${OURS}sutura-wound-image`])).toEqual({
      level: 'profile',
      errors: ['invariant Media.subject.reference'],
    });
  });
});

describe('what is accepted', () => {
  it.each([
    ['a system that is no URI', { system: 'MRN', value: '1' }, 'system'],
    ['a system that is no OID', { system: 'urn:oid:1.02', value: '1' }, 'system'],
    ['a system that is no UUID', { system: 'urn:uuid:x', value: '1' }, 'system'],
    ['a URI as an identifier that is none', { system: 'urn:ietf:rfc:3986', value: 'x' }, 'value'],
  ])('and warned of, as what others refuse: %s', (_, identifier, member) => {
    expect(validator.validate(patient({ identifier: [identifier] }))).toMatchObject({
      level: null,
      issues: [{ severity: 'warning', code: 'value', expression: `Patient.identifier[0].${member}` }],
    });
  });

  it.each([
    [
      'references inside a bundle',
      observation({ subject: { reference: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001' } }),
    ],
    ['conditional references', observation({ performer: [{ reference: 'Practitioner?identifier=urn:oid:1.2|31' }] })],
    ['absolute references', observation({ subject: { reference: 'https://ehr.example/fhir/Patient/1/_history/2' } })],
    [
      'references to contained resources',
      observation({ contained: [{ resourceType: 'Patient', id: 'p' }], subject: { reference: '#p' } }),
    ],
    [
      'a contained resource of a type that is not served',
      observation({ contained: [{ resourceType: 'Specimen', id: 's' }], specimen: { reference: '#s' } }),
    ],
    ['a date that is only known to the year', patient({ birthDate: '1951' })],
    [
      'why there is no value',
      patient({
        _birthDate: {
          extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
        },
      }),
    ],
    [
      'a null where only an extension is',
      patient({
        name: [{ given: ['Anna', null], _given: [null, { extension: [{ url: 'urn:x', valueCode: 'masked' }] }] }],
      }),
    ],
    [
      'extensions beside a coded value',
      patient({ gender: 'other', _gender: { extension: [{ url: 'urn:x', valueCode: 'd' }] } }),
    ],
    [
      'languages with regions, and by their name',
      patient({ language: 'de-AT', communication: [{ language: { text: 'German' } }] }),
    ],
    [
      'nested extensions with relative URLs',
      patient({ extension: [{ url: 'urn:x', extension: [{ url: 'a', valueCode: 'b' }] }] }),
    ],
    [
      'a contained resource that refers to its container',
      patient({
        contained: [
          { resourceType: 'Observation', id: 'o', status: 'final', code: { text: 'x' }, subject: { reference: '#' } },
        ],
      }),
    ],
    ['MIME types with parameters', { resourceType: 'Binary', contentType: 'text/plain; charset=utf-8', data: 'AAAA' }],
    [
      'a value with the profile and its version',
      example('observation-area-2', {
        meta: { ...(example('observation-area-2')['meta'] as Json), profile: [`${OURS}sutura-wound-area|1.1.0`] },
      }),
    ],
    [
      'an attachment of 20 MiB',
      { resourceType: 'Binary', contentType: 'image/png', data: 'A'.repeat(28 * 1024 * 1024) },
    ],
  ])('%s', (_, resource) => {
    expect(errorsOf(resource)).toEqual({ level: null, errors: [] });
  });

  it.each(HL7_BUNDLES)('what HL7 itself wrote: a part of %s', (name) => {
    const refused = hl7Resources(name, 11)
      .map((resource) => ({ url: (resource as { url?: string }).url, ...errorsOf(resource) }))
      .filter(({ level }) => level !== null);
    expect(refused).toEqual([]);
  });

  it('a profile of somebody else, with a word about it', () => {
    const { level, issues } = validator.validate(
      patient({ meta: { profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient'] } }),
    );
    expect(level).toBeNull();
    expect(issues).toMatchObject([
      { severity: 'information', code: 'not-supported', expression: 'Patient.meta.profile[0]' },
    ]);
  });
});
