import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const REVIEWER = { id: 'N-7', name: 'Example Nurse' };

let gateway: SharedGateway;
let client: ApiClient;
let photos = 8800;

beforeAll(async () => {
  gateway = await sharedGateway();
  client = await gateway.createClient();
});

const ask = (path: string, by = client) => by.request('GET', `/api/v1${path}`);
const found = async (path: string, by = client): Promise<Answer['body'][]> =>
  expectStatus(200, await ask(path, by)).body.items as Answer['body'][];
const idsOf = async (path: string, by = client) => (await found(path, by)).map(({ id }) => id as string);
/** The job of a photo of its own, and the ids of report and wound. */
const visit = async (woundId: string, metadata?: object) => {
  const subject = { patientId: 'MRN-LOOK-UP', woundId };
  const job = await client.analyse(await drawSmallWoundPhoto({ seed: (photos += 1) }), {
    subject,
    ...(metadata === undefined ? {} : { metadata }),
  });
  const report = expectStatus(200, await client.request('GET', job.links.report as string));
  return {
    jobId: job.id as string,
    reportId: report.body.id as string,
    woundId: report.body.subject.woundRef as string,
    etag: report.headers.get('etag')!,
  };
};

describe('reports and wounds by the caller’s own references', () => {
  it.each([
    ['/reports', '/query'],
    ['/reports?limit=5', '/query'],
    ['/reports?case=1', '/query/case'],
    ['/reports?metadata=v', '/query/metadata'],
    ['/reports?metadata.=v', '/query/metadata.'],
    ['/reports?metadata.k=v&limit=0', '/query/limit'],
    ['/reports?metadata.k=v&cursor=burnt', '/query/cursor'],
    ['/reports?metadata.k=v&metadata.k=w', '/query/metadata.k'],
    ['/reports?metadata.a=1&metadata.b=1&metadata.c=1&metadata.d=1&metadata.e=1', '/query/metadata.e'],
    [`/wounds?metadata.${'k'.repeat(65)}=v`, `/query/metadata.${'k'.repeat(55)}`],
    ['/wounds?metadata.k=%00', '/query/metadata.k'],
    ['/wounds?burnt=1', '/query/burnt'],
  ])('refuses %s', async (path, pointer) => {
    const refused = await ask(path);
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      400,
      'request.invalid',
      pointer,
    ]);
  });

  it('finds those whose job has all the pairs, newest first, page by page, and nobody else’s', async () => {
    const first = await visit('W-1', { case: 'F-1/ä', ward: '3' });
    const second = await visit('W-2', { case: 'F-1/ä', ward: '4' });
    await visit('W-3');
    const pair = 'metadata.case=F-1%2F%C3%A4';
    expect(await idsOf(`/reports?${pair}`)).toEqual([second.reportId, first.reportId]);
    expect(await idsOf(`/wounds?${pair}`)).toEqual([second.woundId, first.woundId]);
    for (const [query, reports, wounds] of [
      [`${pair}&metadata.ward=3`, [first.reportId], [first.woundId]],
      ['metadata.ward=5', [], []],
      ['metadata.ward=', [], []],
      ['metadata.Ward=3', [], []],
    ] as const) {
      expect(await idsOf(`/reports?${query}`)).toEqual(reports);
      expect(await idsOf(`/wounds?${query}`)).toEqual(wounds);
    }
    expect(await idsOf(`/wounds?${pair}&woundId=W-1`)).toEqual([first.woundId]);
    const page = expectStatus(200, await ask(`/reports?${pair}&limit=1`)).body;
    expect(page.items).toMatchObject([
      { id: second.reportId, jobId: second.jobId, woundRef: second.woundId, version: 1, status: 'preliminary' },
    ]);
    const rest = expectStatus(200, await ask(`/reports?${pair}&limit=1&cursor=${page.nextCursor as string}`)).body;
    expect([rest.items[0].id, rest.nextCursor]).toEqual([first.reportId, null]);
    const stranger = await gateway.createClient();
    for (const path of [`/reports?${pair}`, `/wounds?${pair}`]) expect(await idsOf(path, stranger)).toEqual([]);
  });

  it('follows a report that was filed under another wound, and a wound that was joined into another', async () => {
    const wrong = await visit('W-4', { case: 'F-2' });
    const moved = expectStatus(
      201,
      await client.request('POST', `/api/v1/reports/${wrong.reportId}/reviews`, {
        json: { decision: 'reassign', reviewer: REVIEWER, subject: { patientId: 'MRN-LOOK-UP', woundId: 'W-5' } },
        headers: { 'if-match': wrong.etag },
      }),
    ).body;
    expect(await found('/reports?metadata.case=F-2')).toMatchObject([
      { id: moved.id, replaces: wrong.reportId, replacedBy: null },
      { id: wrong.reportId, status: 'entered-in-error', replacedBy: moved.id },
    ]);
    const right = moved.subject.woundRef as string;
    expect(await idsOf('/wounds?metadata.case=F-2')).toEqual([right]);
    const root = await visit('W-6');
    expectStatus(
      200,
      await client.request('POST', `/api/v1/wounds/${right}/merge`, {
        json: { into: root.woundId, reviewer: REVIEWER },
      }),
    );
    expect(await found('/wounds?metadata.case=F-2')).toEqual([
      expect.objectContaining({ id: root.woundId, mergedInto: null }),
      expect.objectContaining({ id: right, mergedInto: root.woundId }),
    ]);
  });
});
