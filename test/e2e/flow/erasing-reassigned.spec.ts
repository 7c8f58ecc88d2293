import { ApiClient, expectStatus } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

/** Of a photo that was filed under one patient after the other. */
interface Filed {
  readonly id: string;
  readonly patientId: string;
}

describe('erasing a patient whose photo was given to somebody else', () => {
  let gateway: SharedGateway;
  let organizationId: string;
  let client: ApiClient;
  let photos = 8800;
  beforeAll(async () => {
    gateway = await sharedGateway();
    organizationId = await gateway.createOrganization('enterprise');
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  });

  /** Once nothing of the patient is still being told. */
  const erase = (patient: string) =>
    eventually('the patient is not in use', async () => {
      const path = `/organizations/${organizationId}/patients/erase`;
      const answer = await gateway.admin('POST', path, { environment: 'test', patient });
      return answer.body.code === 'patient.in_use' ? undefined : answer;
    });
  const read = async (id: string) => client.request('GET', `/api/v1/reports/${id}`);

  /** Files a photo under the first, and gives it to each of the others in turn. Their reports. */
  async function file(first: string, ...others: readonly string[]): Promise<Filed[]> {
    const photo = await drawSmallWoundPhoto({ seed: (photos += 1) });
    const job = await client.analyse(photo, { subject: { patientId: first, woundId: 'W-1' } });
    const filed: Filed[] = [{ id: (job.links.report as string).split('/').at(-1)!, patientId: first }];
    for (const patientId of others) {
      const { id } = filed.at(-1)!;
      const moved = await client.request('POST', `/api/v1/reports/${id}/reviews`, {
        json: {
          decision: 'reassign',
          reviewer: { id: 'N-1', name: 'Nurse Beispiel' },
          subject: { patientId, woundId: 'W-1' },
        },
        headers: { 'if-match': (await read(id)).headers.get('etag')! },
      });
      filed.push({ id: expectStatus(201, moved).body.id as string, patientId });
    }
    return filed;
  }

  it('ends, and leaves the report of whom it was given to', async () => {
    const [, kept] = await file('ERS-1', 'ERS-2');
    expect(expectStatus(200, await erase('ERS-1')).body).toMatchObject({ state: 'done' });
    expect(expectStatus(200, await read(kept!.id)).body).toMatchObject({ replaces: null });
    expect((await erase('ERS-1')).status).toBe(404);
    expect(expectStatus(200, await erase('ERS-2')).body).toMatchObject({ state: 'done' });
    expect((await read(kept!.id)).status).toBe(404);
  });

  it('joins the reports before and after it, where a third had it in between', async () => {
    const [before, between, after] = await file('ERS-3', 'ERS-4', 'ERS-5');
    expect(expectStatus(200, await erase('ERS-4')).body).toMatchObject({ state: 'done' });
    expect((await read(between!.id)).status).toBe(404);
    expect(expectStatus(200, await read(after!.id)).body).toMatchObject({ replaces: before!.id });
    expect(expectStatus(200, await erase('ERS-3')).body).toMatchObject({ state: 'done' });
    expect(expectStatus(200, await read(after!.id)).body).toMatchObject({ replaces: null });
  });
});
