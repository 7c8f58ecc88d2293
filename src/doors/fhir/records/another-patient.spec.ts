import type { Bundle, Patient, Reference } from '@medplum/fhirtypes';
import { asAnother, withMade } from './another-patient.js';

const BASE = 'https://gateway.test/fhir';
const RECORD = 'Patient/0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c3d';
const [NORTH, SOUTH] = ['urn:oid:2.999.1', 'urn:oid:2.999.2'];
const ASKED = { record: RECORD, authority: SOUTH, base: BASE };
const BERND: Patient = {
  resourceType: 'Patient',
  id: 'p-7',
  identifier: [
    { system: NORTH, value: '4711' },
    { system: 'urn:oid:2.999.9', value: 'S-1', type: { coding: [{ code: 'SS' }] } },
  ],
};

/** A transaction that puts the record, as its client calls it, with a wound whose patient is named in this way. */
const bundleWith = (patient: Reference): Bundle => ({
  resourceType: 'Bundle',
  type: 'transaction',
  entry: [
    { resource: BERND, request: { method: 'PUT', url: 'Patient/p-7' } },
    {
      resource: { resourceType: 'BodyStructure', patient } as never,
      request: { method: 'POST', url: 'BodyStructure' },
    },
  ],
});
const woundsPatient = ({ entry }: Bundle): Reference =>
  (entry![1]!.resource as unknown as { patient: Reference }).patient;
const fullUrlOf = ({ entry }: Bundle) => entry![0]!.fullUrl;

describe('a transaction about somebody else', () => {
  it.each<[string, Reference]>([
    ['another record', { reference: 'Patient/p-8' }],
    ['a record of another server', { reference: `https://ehr.example/fhir/${RECORD}` }],
    ['another number', { identifier: { system: NORTH, value: '4712' } }],
    ['the same digits of another authority', { identifier: { system: 'urn:oid:2.999.3', value: '4711' } }],
    ['something else with that number', { type: 'Organization', identifier: { system: NORTH, value: '4711' } }],
    ['criteria that are not one number', { reference: 'Patient?identifier=%E0%A4%A' }],
  ])('leaves what refers to %s', (_, patient) => {
    expect(woundsPatient(asAnother(bundleWith(patient), ASKED))).toEqual(patient);
  });

  it.each<[string, Reference]>([
    ['by the id of its client', { reference: 'Patient/p-7' }],
    ['by the id of the service', { reference: RECORD }],
    ['by its address', { reference: `${BASE}/${RECORD}` }],
    ['by its address with the version of FHIR', { reference: `${BASE}/R4/Patient/p-7` }],
    ['by a version', { reference: `${RECORD}/_history/3` }],
    ['by a conditional reference', { reference: `Patient?identifier=${NORTH}|4711` }],
    ['by an encoded one', { reference: `Patient?identifier=${encodeURIComponent(`${NORTH}|4711`)}` }],
    ['by its number', { identifier: { system: NORTH, value: '4711' } }],
    ['by its number and type', { type: 'Patient', identifier: { system: NORTH, value: '4711' } }],
  ])('takes along what refers to the record %s', (_, patient) => {
    const bundle = asAnother(bundleWith(patient), ASKED);
    expect(woundsPatient(bundle).reference).toBe(fullUrlOf(bundle));
    expect(woundsPatient(bundle).identifier?.system ?? SOUTH).toBe(SOUTH);
  });

  it('leaves every Patient that it puts where the entry that was meant puts none', () => {
    const bundle: Bundle = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [
        { resource: { ...BERND, id: 'p-8' }, request: { method: 'PUT', url: 'Patient/p-8' } },
        { resource: { resourceType: 'Parameters' }, request: { method: 'PATCH', url: RECORD } },
      ],
    };
    expect(asAnother(bundle, { ...ASKED, at: 1 })).toEqual(bundle);
  });

  it('leaves another patient of the same transaction as they are, and what refers to them', () => {
    const anna: Patient = { resourceType: 'Patient', id: 'p-8', identifier: [{ system: NORTH, value: '4712' }] };
    const wound = { resource: { resourceType: 'BodyStructure', patient: { reference: RECORD } } as never };
    const bundle: Bundle = {
      ...bundleWith({ reference: 'Patient/p-8' }),
      entry: [
        ...bundleWith({ reference: 'Patient/p-8' }).entry!,
        { resource: anna, request: { method: 'PUT', url: 'Patient/p-8' } },
        { ...wound, request: { method: 'POST', url: 'BodyStructure' } },
      ],
    };
    const { entry } = asAnother(bundle, { ...ASKED, at: 0 });
    expect(entry![2]).toEqual(bundle.entry![2]);
    expect(woundsPatient({ ...bundle, entry: entry! })).toEqual({ reference: 'Patient/p-8' });
    expect((entry![3]!.resource as unknown as { patient: Reference }).patient.reference).toBe(entry![0]!.fullUrl);
  });

  it('puts the numbers that patients are known by to the authority, and no other', () => {
    const [patient] = asAnother(bundleWith({ reference: RECORD }), ASKED).entry!;
    expect((patient!.resource as Patient).identifier).toMatchObject([
      { system: SOUTH, value: '4711' },
      { system: 'urn:oid:2.999.9', value: 'S-1' },
    ]);
    expect(patient!.request).toEqual({
      method: 'PUT',
      url: `Patient?identifier=${encodeURIComponent(`${SOUTH}|4711`)}`,
    });
  });

  it('takes along what refers to a record that was patched, by the name that its client has for it', () => {
    const patched: Bundle = {
      ...bundleWith({ reference: 'Patient/p-7' }),
      entry: [
        { resource: { resourceType: 'Parameters' }, request: { method: 'PATCH', url: 'Patient/p-7' } },
        bundleWith({ reference: 'Patient/p-7' }).entry![1]!,
      ],
    };
    const bundle = asAnother(withMade(patched, { 0: BERND }), ASKED);
    expect(bundle.entry![0]!.request!.method).toBe('PUT');
    expect(woundsPatient(bundle).reference).toBe(fullUrlOf(bundle));
  });
});
