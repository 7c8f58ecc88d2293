import { ApiClient, expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startFakeEhr, type FakeEhr } from '../../support/fake-ehr/index.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const PATIENTS = 'https://hospital.example/push-mrn';

describe('a result that an EHR files', () => {
  let gateway: SharedGateway;
  let ehr: FakeEhr;
  let organizationId: string;
  let client: ApiClient;

  beforeAll(async () => {
    [gateway, ehr] = [await sharedGateway(), await startFakeEhr({ dialect: 'us-core-note' })];
    ehr.control.open();
    ehr.control.addPatient({ identifiers: [{ system: PATIENTS, value: 'PUSH-1' }] });
    organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  });
  afterAll(() => ehr?.stop());

  const registration = (push: object) => ({
    name: 'EHR',
    environment: 'test',
    fhirBaseUrl: ehr.fhirBaseUrl,
    patientSystem: PATIENTS,
    push: { enabled: true, dialect: 'us-core-note', send: ['pdf'], ...push },
  });
  async function review(path: string, decision: object): Promise<void> {
    const report = expectStatus(200, await client.request('GET', path));
    const reviewed = await client.request('POST', `/api/v1/reports/${report.body.id as string}/reviews`, {
      json: { ...decision, reviewer: { id: 'N-1', name: 'Nurse Example' } },
      headers: { 'if-match': report.headers.get('etag')! },
    });
    expectStatus(201, reviewed);
  }
  const counts = async (): Promise<unknown> => {
    const { body } = expectStatus(200, await gateway.admin('GET', `/organizations/${organizationId}/ehrs`));
    return (body.items as { deliveries: unknown }[])[0]!.deliveries;
  };

  it('is not promised to one that could not: the setting to change is named', async () => {
    const push = { dialect: 'epic', send: ['pdf', 'observations'], encounterRule: 'period' };
    const refused = await gateway.admin('POST', `/organizations/${organizationId}/ehrs`, registration(push));
    expect([refused.status, refused.body.code]).toEqual([400, 'request.invalid']);
    expect(JSON.stringify(refused.body.errors)).toContain('codes');
  });

  it('is there as PDF once a person has accepted it, and is marked when it is withdrawn; the queue never had more than ids', async () => {
    const made = await gateway.admin('POST', `/organizations/${organizationId}/ehrs`, registration({}));
    const { id } = expectStatus(201, made).body as { id: string };
    const tested = await gateway.admin('POST', `/organizations/${organizationId}/ehrs/${id}/test`);
    expectStatus(200, tested);
    const job = await client.analyse(await drawSmallWoundPhoto({ seed: 7 }), {
      subject: { patientId: 'PUSH-1', patientSystem: PATIENTS, woundId: 'W-1' },
    });
    await review(job.links.report as string, { decision: 'accept' });
    const document = await eventually('the document in the EHR', () => ehr.control.resources('DocumentReference')[0]);
    expect(JSON.stringify(document)).toContain('"contentType":"application/pdf"');
    await review(job.links.report as string, { decision: 'reject', note: 'Wrong photo' });
    await eventually(
      'the withdrawal',
      () => ehr.control.resources('DocumentReference')[0]?.['status'] === 'entered-in-error',
    );
    await eventually('both to be written down', async () =>
      /"waiting":0,"sent":[2-9]/.test(JSON.stringify(await counts())),
    );
    const lost = { push: { dialect: 'transaction' } };
    const refused = await gateway.admin('PATCH', `/organizations/${organizationId}/ehrs/${id}`, lost);
    expect([refused.status, refused.body.code]).toEqual([409, 'ehr.filed']);
    expect(ehr.verify()).toEqual([]);
    expect(ehr.control.objections).toEqual([]);
    const rows = await queryDatabase<{ body: Buffer }>(
      gateway.databaseUrl,
      `select body from ehr_deliveries where organization_id = '${organizationId}'`,
    );
    expect(rows.map(({ body }) => body.toString('utf8')).join()).not.toContain('PUSH-1');
  });
});
