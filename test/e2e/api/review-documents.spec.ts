import { ApiClient, expectStatus } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { OpenedDesk } from '../../support/review-api.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const NURSE = { id: 'N-1', name: 'Example Nurse' };

describe('documents, versions and curve at the desk', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let photo: Buffer;
  beforeAll(async () => {
    [gateway, photo] = await Promise.all([sharedGateway(), drawSmallWoundPhoto()]);
    client = await gateway.createClient();
  });

  async function visit(patientId: string, day: number): Promise<string> {
    const job = await client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      capturedAt: new Date(Date.UTC(2025, 0, day, 9)).toISOString(),
      calibration: { mmPerPixel: 0.2 },
    });
    return expectStatus(200, await client.request('GET', job.links.report)).body.id as string;
  }
  const open = (reportId: string, wish: object = {}) => OpenedDesk.open(gateway.baseUrl, client, reportId, wish);

  it('are not there for another report than the link names, nor without the cookie of the link', async () => {
    const [own, other] = [await visit('DOC-OWN', 6), await visit('DOC-OTHER', 6)];
    const desk = await open(own, { mode: 'read' });
    for (const part of ['versions', 'versions/1/document', 'versions/1/document?as=html', 'curve']) {
      const answer = await desk.ask('GET', `/reports/${other}/${part}`);
      expect([part, answer.status, answer.body.code]).toEqual([part, 404, 'report.not_found']);
      const stranger = await desk.ask('GET', `/reports/${own}/${part}`, undefined, { cookie: '' });
      expect([part, stranger.status, stranger.body.code]).toEqual([part, 401, 'review.session']);
    }
    const unknown = await desk.ask('GET', `/reports/${own}/versions/9/document`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'report.not_found']);
    const alone = await desk.ask('GET', `/reports/${own}/curve`);
    expect([alone.status, alone.body.code]).toEqual([404, 'artifact.not_found']);
  });

  it('show each version with its document, in the language that is asked for', async () => {
    const id = await visit('DOC-VERSIONS', 6);
    const json = { decision: 'accept', reviewer: NURSE, note: 'As seen at the bed.' };
    const headers = { 'if-match': '"1.x"' };
    expectStatus(201, await client.request('POST', `/api/v1/reports/${id}/reviews`, { json, headers }));
    const desk = await open(id, { mode: 'read' });
    const { items } = expectStatus(200, await desk.ask('GET', `/reports/${id}/versions`)).body;
    expect(items).toMatchObject([
      { id, version: 1, review: null },
      { id, version: 2, review: { decision: 'accept', reviewer: NURSE, note: 'As seen at the bed.' } },
    ]);
    const pdf = expectStatus(200, await desk.ask('GET', `/reports/${id}/versions/2/document?lang=de`));
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const page = expectStatus(200, await desk.ask('GET', `/reports/${id}/versions/1/document?as=html&lang=de`));
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(page.bytes.toString('utf8')).toMatch(/<html lang="de">[^]*Überholt durch Version 2/);
  });

  it('draw the curve of the photos up to the one on the screen, without script and without anything fetched', async () => {
    const [first, second] = [await visit('DOC-CURVE', 6), await visit('DOC-CURVE', 13)];
    const desk = await open(second, { of: 'wound', mode: 'read' });
    const curve = expectStatus(200, await desk.ask('GET', `/reports/${second}/curve?lang=fr`));
    expect(curve.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(curve.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    const svg = curve.bytes.toString('utf8');
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"[^>]*>[^]*Surface[^]*<\/svg>$/);
    const { curve: told } = expectStatus(200, await desk.ask('GET', `/reports/${second}/course?lang=fr`)).body;
    expect(svg).toContain(`aria-label="${told.alt as string}"`);
    expect(svg).not.toMatch(/<script|href=|url\(/);
    expect((await desk.ask('GET', `/reports/${first}/curve`)).status).toBe(404);
  });
});
