import type { Browser, Page } from 'playwright-core';
import { PageServer } from '../../../sdk/javascript/test/browser/page-server.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

/** What a page can do with the library: text of an async function body with `sdk`, `file` and `given`. */
const IN_PAGE = (body: string, given: unknown, photo: Buffer): string => `(async () => {
  const sdk = await import('/dist/browser.mjs');
  const bytes = Uint8Array.from(atob('${photo.toString('base64')}'), (character) => character.charCodeAt(0));
  const file = new File([bytes], 'photo.jpg', { type: 'image/jpeg' });
  const given = ${JSON.stringify(given)};
  try { ${body} } catch (error) { return { name: error.name, status: error.status, code: error.code, message: error.message }; }
})()`;

describeInBrowser('a page of another origin with the JavaScript library', () => {
  let gateway: SharedGateway;
  let pages: PageServer;
  let browser: Browser;
  let page: Page;
  let photo: Buffer;
  let organization: string;
  let server: ApiClient;

  beforeAll(async () => {
    [gateway, pages, browser, photo] = await Promise.all([
      sharedGateway(),
      PageServer.start(),
      openBrowser(),
      drawSmallWoundPhoto(),
    ]);
    organization = await gateway.createOrganization();
    server = new ApiClient(gateway.baseUrl, (await gateway.createKey(organization)).key);
    page = await browser.newPage();
    await page.goto(pages.origin);
  });
  afterAll(async () => {
    pages?.stop();
    await browser?.close();
  });

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a page answers has every shape
  const inPage = (body: string, given: object = {}): Promise<any> =>
    page.evaluate(IN_PAGE(body, { baseUrl: gateway.baseUrl, apiKey: server.key, ...given }, photo));
  const usage = (given: object = {}): Promise<{ name?: string; code?: string; limit?: number }> =>
    inPage(`return await new sdk.SuturaClient({ ...given, maxRetries: 0 }).getUsage();`, given);

  it('is let in by no gateway before its organization asked for it', async () => {
    expect(await usage()).toMatchObject({ name: 'NetworkError' });
  });

  it('takes no live key, unless it is told to', async () => {
    const { name, message } = await inPage(`new sdk.SuturaClient(given)`, { apiKey: 'sut_live_0123456789' });
    expect([name, message]).toEqual(['ConfigurationError', expect.stringContaining('every patient')]);
    const told = { apiKey: 'sut_live_0123456789', dangerouslyAllowBrowser: true };
    expect(await inPage(`return new sdk.SuturaClient(given).baseUrl`, told)).toBe(gateway.baseUrl);
  });

  it('opens no path, and saves to none', async () => {
    expect(await inPage(`await new sdk.SuturaClient(given).analyzeImage({ file: 'photo.jpg' })`)).toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining('a page cannot open a path'),
    });
    const save = `await new sdk.SuturaClient(given).downloadArtifact({ jobId: 'a', artifact: 'mask', path: 'b' })`;
    expect(await inPage(save)).toMatchObject({ name: 'TypeError' });
  });

  describe('once its organization asked for it', () => {
    beforeAll(async () => {
      const browserOrigins = [pages.origin];
      expectStatus(200, await gateway.admin('PATCH', `/organizations/${organization}`, { browserOrigins }));
      await eventually('the page is let in', async () => (await usage()).limit);
    });

    it('is told why the key of another organization is refused', async () => {
      const { key } = await gateway.createKey(await gateway.createOrganization());
      expect(await usage({ apiKey: key })).toMatchObject({ name: 'ScopeError', code: 'auth.origin' });
    });

    it('uploads straight to the address that its server asked for, without a key', async () => {
      const ticket = expectStatus(201, await server.requestUpload({ contentType: 'image/jpeg' })).body;
      const told = await inPage(
        `const sent = [];
         const receipt = await sdk.uploadFileToSignedUrl({ ...given.ticket, file, onProgress: (step) => sent.push(step) });
         return { receipt, last: sent.at(-1) };`,
        { ticket },
      );
      expect(told).toEqual({
        receipt: { etag: expect.stringMatching(/^"[0-9a-f]{64}"$/), sizeBytes: photo.length },
        last: { phase: 'upload', sentBytes: photo.length, totalBytes: photo.length },
      });
      const job = await server.waitForJob((await server.startJob({ imageId: ticket.imageId })).id);
      expect(job.status).toBe('completed');
    });

    it('does the whole flow with a test key: photo, result, report, picture, and the headers', async () => {
      const told = await inPage(
        `const client = new sdk.SuturaClient(given);
         const job = await client.analyzeImageAndWait({ file, calibration: { mmPerPixel: 0.2 }, subject: { patientId: 'P1', woundId: 'W1' } });
         const report = await client.getReport(job.links.report);
         const pdf = await client.downloadReport(report.id, { format: 'pdf' });
         const picture = await client.request('GET', '/api/v1/analysis/jobs/' + job.id + '/artifacts/mask', { headers: { accept: 'image/*' } });
         const { headers } = await client.request('GET', '/api/v1/usage');
         return { status: job.status, etag: report.etag, pdf: String.fromCharCode(...pdf.slice(0, 4)), png: [...picture.body.slice(1, 4)], limit: headers['ratelimit-policy'] };`,
      );
      expect(told).toEqual({
        status: 'completed',
        etag: expect.stringContaining('"'),
        pdf: '%PDF',
        png: [...Buffer.from('PNG')],
        limit: expect.stringContaining('daily'),
      });
    });
  });
});
