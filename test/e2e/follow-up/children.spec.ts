import type { DiagnosticReport, Observation, Patient } from '@medplum/fhirtypes';
import { expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { fieldOf, Hl7Hospital, orderMessage, valuesOf, type OrderOptions } from '../../support/hl7-hospital.js';
import { readDocument } from '../../support/read-document.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const LANGUAGES = {
  en: ['not tested on newborns', 'a leg at this patient’s age'],
  de: ['nicht an Neugeborenen geprüft', 'eines Beins in diesem Alter'],
  es: ['no se probaron en recién nacidos', 'a esta edad'],
  fr: ['pas été testés chez le nouveau-né', 'à cet âge'],
} as const;

let gateway: SharedGateway;
let hospital: Hl7Hospital;
beforeAll(async () => {
  gateway = await sharedGateway();
  hospital = await Hl7Hospital.open(gateway);
  const policy = `update organizations set result_policy = 'auto-final' where id = $1`;
  await queryDatabase(gateway.databaseUrl, policy, [hospital.organizationId]);
}, 120_000);
afterAll(() => hospital?.close());

const send = async (order: string, seed: number, options: Partial<OrderOptions>) => {
  const photo = await drawWoundPhoto({ seed });
  await hospital.send(orderMessage({ order, photo, mrn: order, taken: '20260315', ...options }));
  return hospital.result(order);
};
const get = async (path: string, accept = 'application/json') =>
  expectStatus(200, await hospital.client.request('GET', path, { headers: { accept } }));
const woundOf = async (patient: string) =>
  (await get(`/api/v1/wounds?patientId=${patient}`)).body.items[0].id as string;
const lastOf = async (patient: string) =>
  (await get(`/api/v1/wounds/${await woundOf(patient)}/timeline`)).body.assessments.at(-1);
const words = async (reportId: string, language: string) =>
  readDocument((await get(`/api/v1/reports/${reportId}?lang=${language}`, 'text/plain')).bytes, 'text');

describe('a photo of a child, where results are final without a review', () => {
  it('is not final at any exit before a person has looked, and each says why', async () => {
    const result = await send('MRN-BABY', 401, { birthDate: '20260301' });
    expect(fieldOf(result, 'OBR', 25)).toBe('P');
    expect(valuesOf(result, 'attention')).toEqual([]);
    expect(result).toContain('not tested on newborns');
    const { reportId, reportStatus, ageGroup } = await lastOf('MRN-BABY');
    expect([reportStatus, ageGroup]).toEqual(['preliminary', 'newborn']);
    const report = await hospital.read<DiagnosticReport>(`DiagnosticReport/${reportId}`);
    expect([report.status, report.conclusion]).toEqual([
      'preliminary',
      expect.stringContaining('not tested on newborns'),
    ]);
    const area = await hospital.read<Observation>(`Observation/${reportId}-area`);
    expect(area.note!.map(({ text }) => text).join(' ')).toContain('not tested on newborns');
    for (const [language, [caution]] of Object.entries(LANGUAGES))
      expect(await words(reportId, language)).toContain(caution);
  }, 120_000);

  it('waits where the area is larger than a leg at that age, and an adult’s of that size does not', async () => {
    const adult = await send('MRN-ADULT', 402, { mmPerPixel: 1 });
    expect([fieldOf(adult, 'OBR', 25), valuesOf(adult, 'attention')]).toEqual(['F', []]);
    const newborn = await send('MRN-LEG', 403, { mmPerPixel: 1, birthDate: '20260301' });
    expect(valuesOf(newborn, 'attention').map((value) => value.split('^')[0])).toEqual(['area_implausible']);
    const { reportId, attention } = await lastOf('MRN-LEG');
    expect(attention).toEqual(['area_implausible']);
    const { conclusionCode } = await hospital.read<DiagnosticReport>(`DiagnosticReport/${reportId}`);
    expect(conclusionCode!.flatMap(({ coding }) => coding!.map(({ code }) => code))).toContain('area-implausible');
    for (const [language, [, limit]] of Object.entries(LANGUAGES))
      expect(await words(reportId, language)).toContain(limit);
  }, 120_000);

  it('waits where it is dated before the birth', async () => {
    const result = await send('MRN-UNBORN', 404, { taken: '20260301', birthDate: '20260310' });
    expect(valuesOf(result, 'attention').map((value) => value.split('^')[0])).toEqual(['before_birth']);
    expect(await lastOf('MRN-UNBORN')).toMatchObject({ attention: ['before_birth'], reportStatus: 'preliminary' });
  }, 120_000);

  it('is a child’s from when the birth date is known, and no longer once it is corrected to an adult’s', async () => {
    await send('MRN-LATER', 405, { birthDate: '' });
    expect(await lastOf('MRN-LATER')).toMatchObject({ reportStatus: 'final' });
    const [patient] = (await hospital.read<{ entry: { resource: Patient }[] }>('Patient?identifier=MRN-LATER')).entry;
    const put = (birthDate: string) =>
      hospital.client.request('PUT', `/fhir/Patient/${patient!.resource.id}`, {
        json: { ...patient!.resource, birthDate },
        headers: { 'content-type': 'application/fhir+json' },
      });
    expectStatus(200, await put('2020-01-01'));
    const ofChild = await eventually('the report of a child', async () => {
      const last = await lastOf('MRN-LATER');
      return last.ageGroup === undefined ? undefined : last;
    });
    expect(ofChild).toMatchObject({ ageGroup: 'under_10', reportVersion: 2 });
    expectStatus(200, await put('1951-07-14'));
    await eventually(
      'the report of an adult',
      async () => (await lastOf('MRN-LATER')).ageGroup === undefined || undefined,
    );
  }, 120_000);
});
