import type { Encounter, Observation, Resource } from '@medplum/fhirtypes';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { BASE, FhirGround, SERVICE } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { linkOf, matchesOf, Searching } from './searching.js';

const LOINC = 'http://loinc.org';
const UCUM = 'http://unitsofmeasure.org';
const LOCAL = 'https://sutura.dev/fhir/CodeSystem/wound-observation';

const observation = (id: string, more: Partial<Observation>): Observation => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { coding: [{ system: LOINC, code: '89260-4', display: 'Area of wound' }] },
  ...more,
});
const share = (code: string, value: number) => ({
  code: {
    coding: [
      { system: LOINC, code: '72370-0' },
      { system: LOCAL, code },
    ],
  },
  valueQuantity: { value, unit: '%', system: UCUM, code: '%' },
});
const visit = (id: string, period: Encounter['period']): Encounter => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  class: { code: 'AMB' },
  ...(period === undefined ? {} : { period }),
});

const RESOURCES: readonly Resource[] = [
  {
    resourceType: 'Patient',
    id: 'muller',
    identifier: [{ system: 'urn:mrn', value: 'A|1', type: { text: 'Hospital number' } }],
    name: [{ family: 'Müller-Lüdenscheidt', given: ['Anna', 'Marie'], prefix: ['Dr.'] }],
    birthDate: '1950-02-03',
    gender: 'female',
    active: true,
    telecom: [
      { system: 'phone', value: '+49 30 1', use: 'home' },
      { system: 'email', value: 'anna@clinic.example', use: 'work' },
    ],
    address: [{ use: 'home', line: ['Weg 1'], city: 'Köln', postalCode: '50667', country: 'DE' }],
    generalPractitioner: [{ reference: 'Practitioner/gp' }],
  },
  {
    resourceType: 'Patient',
    id: 'smith',
    identifier: [{ system: 'urn:mrn', value: 'a|1' }, { value: 'no-system' }],
    name: [{ family: 'Smith', given: ['Ann, Rose'] }, { text: 'Müll' }],
    birthDate: '1950-02',
    gender: 'male',
  },
  { resourceType: 'Patient', id: 'nameless', identifier: [{ system: 'urn:other', value: 'A|1' }] },
  { resourceType: 'Organization', id: 'ward', name: 'Ward 7', alias: ['Station Sieben'] },
  observation('area', {
    meta: {
      profile: ['https://sutura.dev/fhir/StructureDefinition/sutura-wound-area|1.0.0'],
      tag: [{ system: 'urn:tags', code: 'checked' }],
      security: [{ system: 'https://sutura.dev/fhir/CodeSystem/security-label', code: 'AIAST' }],
    },
    identifier: [{ system: 'urn:obs', value: '1' }],
    category: [{ coding: [{ code: 'exam' }] }],
    subject: { reference: 'Patient/muller' },
    focus: [{ reference: 'BodyStructure/heel' }],
    effectiveDateTime: '2026-03-01T10:12:00+01:00',
    valueQuantity: { value: 12.4, unit: 'cm2', system: UCUM, code: 'cm2' },
  }),
  // As earlier releases labelled it.
  observation('area-mm', {
    meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'AIAST' }] },
    subject: { reference: 'Device/smith' },
    effectiveDateTime: '2026-03-02',
    valueQuantity: { value: 1240, unit: 'mm2', system: UCUM, code: 'mm2' },
  }),
  observation('area-unit', {
    status: 'amended',
    subject: { reference: 'Patient/smith/_history/3' },
    effectiveDateTime: '2026-03',
    valueQuantity: { value: 12.44, unit: 'cm²' },
  }),
  observation('area-below', {
    status: 'preliminary',
    subject: { reference: 'Group/smith' },
    effectivePeriod: { start: '2026-02-20', end: '2026-03-05' },
    valueQuantity: { value: 5, comparator: '<', unit: 'cm2', system: UCUM, code: 'cm2' },
  }),
  observation('score', {
    code: { coding: [{ system: LOCAL, code: '89260-4' }], text: 'Größe der Wunde' },
    subject: { identifier: { system: 'urn:mrn', value: '77' } },
    valueQuantity: { value: 12, system: 'urn:units', code: 'points' },
  }),
  observation('tissue', {
    code: { coding: [{ system: LOINC, code: '89254-7', display: 'Wound bed panel' }] },
    subject: { reference: 'https://elsewhere.example/fhir/Patient/muller' },
    effectivePeriod: { start: '2026-03-10' },
    component: [share('tissue-granulation', 70), share('tissue-slough', 25), share('tissue-necrosis', 5)],
  }),
  observation('exudate', {
    code: { coding: [{ system: LOINC, code: '39116-9' }] },
    valueCodeableConcept: { coding: [{ system: 'http://snomed.info/sct', code: '6736007', display: 'Moderate' }] },
  }),
  {
    resourceType: 'Condition',
    id: 'sore',
    subject: { reference: 'Patient/muller' },
    category: [{ coding: [{ code: 'problem-list-item' }] }],
    severity: { coding: [{ code: 'severe' }] },
    onsetDateTime: '2026-01-10',
    recordedDate: '2026-01-12',
  },
  {
    resourceType: 'Condition',
    id: 'old-sore',
    subject: { reference: 'Patient/smith' },
    onsetAge: { value: 70, unit: 'a', system: UCUM, code: 'a' },
    abatementString: 'Last winter',
  },
  visit('january', { start: '2026-01-01', end: '2026-01-31' }),
  visit('since-march', { start: '2026-03-15' }),
  visit('undated', undefined),
  { resourceType: 'Device', id: 'seg-1.4.0', modelNumber: 'seg-fast', status: 'active', manufacturer: 'Sutura' },
];

/** What each search is to find, in the order of ids. */
const FOUND: Readonly<Record<string, readonly (readonly [request: string, ids: string])[]>> = {
  'ids and common parameters': [
    ['Patient?_id=muller', 'muller'],
    ['Patient?_id=muller,smith,nobody', 'muller smith'],
    ['Patient?_id=nobody', ''],
    ['Patient?_id=area', ''],
    ['Observation?_profile=https://sutura.dev/fhir/StructureDefinition/sutura-wound-area', 'area'],
    ['Observation?_profile=https://sutura.dev/fhir/StructureDefinition/sutura-wound-area%7C1.0.0', 'area'],
    ['Observation?_profile=https://sutura.dev/fhir/StructureDefinition/sutura-wound-area%7C2.0.0', ''],
    ['Observation?_tag=urn:tags|checked', 'area'],
    ['Observation?_security=AIAST', 'area area-mm'],
    ['Observation?_security=https://sutura.dev/fhir/CodeSystem/security-label|AIAST', 'area area-mm'],
    ['Observation?_security=http://terminology.hl7.org/CodeSystem/v3-ObservationValue|AIAST', 'area area-mm'],
    ['Observation?_security=urn:labels|AIAST', ''],
    [
      'Observation?_security:not=http://terminology.hl7.org/CodeSystem/v3-ObservationValue|AIAST&code=89260-4',
      'area-below area-unit score',
    ],
    ['Observation?_security:not=AIAST&code=89260-4', 'area-below area-unit score'],
    ['Observation?_profile:missing=false', 'area'],
  ],
  'people and where they are reached': [
    ['Patient?telecom=%2B49 30 1', 'muller'],
    ['Patient?phone=%2B49 30 1', 'muller'],
    ['Patient?phone=anna@clinic.example', ''],
    ['Patient?email=anna@clinic.example', 'muller'],
    ['Patient?email=work|anna@clinic.example', 'muller'],
    ['Patient?email=home|anna@clinic.example', ''],
    ['Patient?active=true', 'muller'],
    ['Patient?active=false', ''],
    ['Patient?address=koln', 'muller'],
    ['Patient?address=weg', 'muller'],
    ['Patient?address-city=Köln', 'muller'],
    ['Patient?address-postalcode=506', 'muller'],
    ['Patient?address-country=DE&address-use=home', 'muller'],
    ['Patient?address-city:missing=true', 'nameless smith'],
    ['Patient?general-practitioner=Practitioner/gp', 'muller'],
  ],
  conditions: [
    ['Condition?subject=Patient/muller', 'sore'],
    ['Condition?category=problem-list-item', 'sore'],
    ['Condition?severity=severe', 'sore'],
    ['Condition?onset-date=2026-01', 'sore'],
    ['Condition?onset-date=lt2026', ''],
    ['Condition?recorded-date=ge2026-01-12', 'sore'],
    ['Condition?onset-age=gt60', 'old-sore'],
    ['Condition?abatement-string=last', 'old-sore'],
  ],
  tokens: [
    ['Observation?code=89260-4', 'area area-below area-mm area-unit score'],
    [`Observation?code=${LOINC}|89260-4`, 'area area-below area-mm area-unit'],
    [`Observation?code=${LOCAL}|89260-4`, 'score'],
    [`Observation?code=${LOCAL}|`, 'score'],
    ['Observation?code=|89260-4', ''],
    ['Observation?category=|exam', 'area'],
    ['Observation?code=89254-7,39116-9', 'exudate tissue'],
    [`Observation?code=${LOINC}|89254-7,${LOCAL}|89260-4,nothing`, 'score tissue'],
    ['Observation?code=89260-4&status=final', 'area area-mm score'],
    ['Observation?status=http://hl7.org/fhir/observation-status|amended', 'area-unit'],
    ['Observation?status=http://hl7.org/fhir/task-status|amended', ''],
    ['Observation?status:not=final', 'area-below area-unit'],
    ['Observation?status:not=final,amended', 'area-below'],
    ['Observation?code:text=wound', 'tissue'],
    ['Observation?code:text=area of', 'area area-below area-mm area-unit'],
    ['Observation?code:text=GROSSE', 'score'],
    ['Observation?component-code=tissue-slough', 'tissue'],
    ['Observation?combo-code=tissue-slough,39116-9', 'exudate tissue'],
    ['Observation?value-concept=6736007', 'exudate'],
    ['Observation?value-concept:missing=false', 'exudate'],
    ['Patient?identifier=urn:mrn|A\\|1', 'muller'],
    ['Patient?identifier=A\\|1', 'muller nameless'],
    ['Patient?identifier=urn:mrn|', 'muller smith'],
    ['Patient?identifier=|no-system', 'smith'],
    ['Patient?identifier:text=hospital', 'muller'],
    ['Patient?gender=female', 'muller'],
    ['Patient?gender:missing=true', 'nameless'],
    ['Device?_id=seg-1.4.0&status=active', 'seg-1.4.0'],
  ],
  references: [
    ['Observation?patient=muller', 'area'],
    ['Observation?patient=Patient/muller', 'area'],
    [`Observation?patient=${BASE}/Patient/muller`, 'area'],
    [`Observation?patient=${BASE}/R4/Patient/muller`, 'area'],
    ['Observation?subject=smith', 'area-mm area-unit'],
    ['Observation?subject=Group/smith', 'area-below'],
    ['Observation?patient=Group/smith', ''],
    ['Observation?subject:Patient=smith', 'area-unit'],
    ['Observation?subject=Patient/smith/_history/9', 'area-unit'],
    ['Observation?subject=Patient/muller,Group/smith', 'area area-below'],
    ['Observation?subject=Patient/muller,Group/smith&code=89260-4&status=final,amended', 'area'],
    ['Observation?subject=Patient/muller,Group/smith&focus=heel,foot', 'area'],
    ['Observation?subject=Patient/muller,Group/smith&_lastUpdated=gt2020&_sort=-_lastUpdated', 'area area-below'],
    ['Observation?subject=https://elsewhere.example/fhir/Patient/muller', 'tissue'],
    [`Observation?subject=https://sutura.example/other/Patient/smith`, ''],
    ['Observation?subject:identifier=urn:mrn|77', 'score'],
    ['Observation?subject:missing=true', 'exudate'],
    ['Observation?focus=BodyStructure/heel', 'area'],
    ['Observation?focus=heel', 'area'],
    ['Observation?focus=Condition/heel', ''],
  ],
  dates: [
    ['Observation?date=2026-03-01', 'area'],
    ['Observation?date=2026-03-01T09:12:00Z', 'area'],
    ['Observation?date=2026-03-01T10:12:00+01:00', 'area'],
    ['Observation?date=2026-03', 'area area-mm area-unit'],
    ['Observation?date=2026', 'area area-below area-mm area-unit'],
    ['Observation?date=ne2026-03', 'area-below tissue'],
    ['Observation?date=gt2026-03-01', 'area-below area-mm area-unit tissue'],
    ['Observation?date=ge2026-03-01', 'area area-below area-mm area-unit tissue'],
    ['Observation?date=lt2026-03-01', 'area-below'],
    ['Observation?date=lt2026-03-01T09:12:01Z', 'area area-below area-unit'],
    ['Observation?date=le2026-03-01', 'area area-below'],
    ['Observation?date=sa2026-03-01', 'area-mm tissue'],
    ['Observation?date=eb2026-03-02', 'area'],
    ['Observation?date=eb2026-04', 'area area-below area-mm area-unit'],
    ['Observation?date=ap2026-03-01', 'area area-below area-mm area-unit tissue'],
    ['Observation?date=ap2026-02-10', 'area-below'],
    ['Observation?date=ge2026-03-01&date=lt2026-03-02', 'area area-below area-unit'],
    ['Observation?date=2026-03-01,2026-03-02', 'area area-mm'],
    ['Observation?date:missing=true', 'exudate score'],
    ['Encounter?date=ge2026-02', 'since-march'],
    ['Encounter?date=lt2026-02', 'january'],
    ['Encounter?date=eb2026-02', 'january'],
    ['Encounter?date=2026-01', 'january'],
    ['Encounter?date:missing=true', 'undated'],
    ['Patient?birthdate=1950-02-03', 'muller'],
    ['Patient?birthdate=1950-02', 'muller smith'],
    ['Patient?birthdate=gt1950-02-20', 'smith'],
    ['Patient?birthdate=ne1950-02-03', 'smith'],
    ['Patient?birthdate:missing=true', 'nameless'],
  ],
  quantities: [
    [`Observation?value-quantity=12.4|${UCUM}|cm2`, 'area area-mm'],
    ['Observation?value-quantity=12.4||cm2', 'area area-mm area-unit'],
    ['Observation?value-quantity=1240||mm2', 'area area-mm'],
    ['Observation?value-quantity=12||cm2', 'area area-mm area-unit'],
    ['Observation?value-quantity=1.24e1||cm2', 'area area-mm area-unit'],
    ['Observation?value-quantity=gt12.4||cm2', 'area-unit'],
    ['Observation?value-quantity=ge12.4||cm2', 'area area-mm area-unit'],
    ['Observation?value-quantity=lt12.4||cm2', 'area-below'],
    ['Observation?value-quantity=le1240||mm2', 'area area-below area-mm'],
    ['Observation?value-quantity=lt4||cm2', 'area-below'],
    ['Observation?value-quantity=eb4||cm2', ''],
    ['Observation?value-quantity=eb6||cm2', 'area-below'],
    ['Observation?value-quantity=sa12.4||cm2', 'area-unit'],
    ['Observation?value-quantity=ne12.4||cm2', 'area-below'],
    ['Observation?value-quantity=ap12||cm2', 'area area-mm area-unit'],
    ['Observation?value-quantity=12|urn:units|points', 'score'],
    ['Observation?value-quantity=12||points', 'score'],
    ['Observation?value-quantity=12|urn:other|points', ''],
    // Without a unit it is the number as it was given (R4 search.html#quantity).
    ['Observation?value-quantity=12', 'area area-unit score'],
    ['Observation?value-quantity=gt5', 'area area-mm area-unit score'],
    ['Observation?value-quantity=gt5||', 'area area-mm area-unit score'],
    ['Observation?value-quantity=lt10', 'area-below'],
    ['Observation?value-quantity=1240', 'area-mm'],
    ['Observation?value-quantity=ap1200', 'area-mm'],
    ['Observation?value-quantity=sa13', 'area-mm'],
    ['Observation?code-value-quantity=89260-4$gt13', 'area-mm'],
    ['Observation?value-quantity:missing=true', 'exudate tissue'],
    ['Observation?component-value-quantity=gt50||%25', 'tissue'],
  ],
  composites: [
    ['Observation?component-code-value-quantity=tissue-slough$gt20', 'tissue'],
    [`Observation?component-code-value-quantity=${LOCAL}|tissue-slough$gt20||%25`, 'tissue'],
    ['Observation?component-code-value-quantity=tissue-slough$gt30', ''],
    ['Observation?component-code-value-quantity=72370-0$ge5&_sort=-status,date,_id', 'tissue'],
    ['Observation?component-code-value-quantity=tissue-necrosis$gt20', ''],
    [`Observation?component-code-value-quantity=${LOINC}|tissue-slough$gt20`, ''],
    ['Observation?component-code-value-quantity=tissue-necrosis$gt20,tissue-granulation$70', 'tissue'],
    [`Observation?code-value-quantity=${LOINC}|89260-4$ge12||cm2`, 'area area-mm area-unit'],
    ['Observation?code-value-quantity=89260-4$12|urn:units|points', 'score'],
  ],
  strings: [
    ['Patient?name=mull', 'muller smith'],
    ['Patient?name=MÜLLER', 'muller'],
    ['Patient?name=marie', 'muller'],
    ['Patient?name=dr.', 'muller'],
    ['Patient?name=ludenscheidt', ''],
    ['Patient?name:contains=ludenscheidt', 'muller'],
    ['Patient?family=mull', 'muller'],
    ['Patient?family:exact=Smith', 'smith'],
    ['Patient?family:exact=smith', ''],
    ['Patient?given=ann', 'muller smith'],
    ['Patient?given=Ann\\, Rose', 'smith'],
    ['Patient?given=marie,rose', 'muller'],
    ['Patient?name=%25', ''],
    ['Patient?name:contains=_', ''],
    ['Patient?name:missing=true', 'nameless'],
    ['Organization?name=ward', 'ward'],
    ['Organization?name=station', 'ward'],
    ['Organization?name:exact=Station Sieben', 'ward'],
    ['Device?model=SEG&manufacturer=sut', 'seg-1.4.0'],
  ],
  'chains and _has': [
    ['Observation?patient.identifier=urn:mrn|A\\|1', 'area'],
    ['Observation?patient.name=mull', 'area area-unit'],
    ['Observation?patient.name:exact=Smith', 'area-unit'],
    ['Observation?subject.family=smith', 'area-unit'],
    ['Observation?subject:Patient.gender:not=male', 'area'],
    ['Observation?patient._id=muller', 'area'],
    ['Observation?patient.identifier=nobody', ''],
    ['Observation?patient.birthdate=lt1960&code=89260-4&status=final', 'area'],
    ['Patient?_has:Observation:patient:code=89260-4', 'muller smith'],
    ['Patient?_has:Observation:patient:status=amended', 'smith'],
    ['Patient?_has:Observation:patient:status:not=final', 'smith'],
    ['Patient?_has:Observation:subject:date=2026-03-01', 'muller'],
    ['Patient?_has:Observation:patient:_id=area', 'muller'],
    ['Patient?_has:Observation:patient:code=39116-9', ''],
    ['Patient?_has:Observation:patient:code=89260-4&gender=male', 'smith'],
  ],
};

describe('what a search finds', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;
  let searching: Searching;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    const ground = new FhirGround(context);
    searching = new Searching(ground);
    tenant = await context.createTenant();
    const [neighbour, live] = [await context.createTenant(), { ...tenant, environment: 'live' as const }];
    // The same everywhere: what another tenant has must not show.
    for (const each of [tenant, neighbour, live])
      await ground.inTenant(each, async (transaction) => {
        for (const resource of RESOURCES) await ground.store.insert(transaction, resource, SERVICE);
      });
    await ground.inTenant(neighbour, (transaction) =>
      ground.store.insert(
        transaction,
        observation('neighbours', { subject: { reference: 'Patient/muller' }, status: 'amended' }),
        SERVICE,
      ),
    );
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  describe.each(Object.entries(FOUND))('by %s', (_, searches) => {
    it.each(searches)('%s', async (request, ids) => {
      const query = request.replace(
        /([?&])([^=&]+)=([^&]*)/g,
        (_whole, mark: string, name: string, value: string) => `${mark}${name}=${value.replaceAll('+', '%2B')}`,
      );
      const found = (await searching.ids(tenant, `${query}&_count=200`)).sort().join(' ');
      expect(found).toBe(ids);
      const counted = await searching.bundle(tenant, `${query}&_summary=count`);
      expect(counted.total).toBe(ids === '' ? 0 : ids.split(' ').length);
    });
  });

  it('is sorted by names, either way, page by page', async () => {
    const byName = await searching.ids(tenant, 'Patient?_sort=family');
    expect(byName).toEqual(['nameless', 'muller', 'smith']);
    expect(await searching.ids(tenant, 'Patient?_sort=-family')).toEqual(['smith', 'muller', 'nameless']);
    expect(await searching.ids(tenant, 'Patient?_sort=given,birthdate')).toEqual(['nameless', 'smith', 'muller']);
    const walked: string[] = [];
    for (let page: string | undefined = 'Patient?_sort=family&_count=1'; page !== undefined;) {
      const bundle = await searching.bundle(tenant, page);
      walked.push(...matchesOf(bundle).map(({ id }) => id!));
      page = linkOf(bundle, 'next');
    }
    expect(walked).toEqual(byName);
  });
});
