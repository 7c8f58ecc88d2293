import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { readDocument } from '../../support/read-document.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const WEEK_MS = 7 * 86_400_000;
const FIRST = Date.UTC(2025, 0, 6, 9);
const REVIEWER = { id: 'HCP-0042', name: 'Example Reviewer' };
const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const SQUARE = {
  type: 'Polygon',
  coordinates: [
    [
      [20, 20],
      [120, 20],
      [120, 120],
      [20, 120],
      [20, 20],
    ],
  ],
};

describe('wounds and reports', () => {
  let gateway: Gateway;
  let client: ApiClient;
  let readOnly: ApiClient;
  let photo: Buffer;
  /** Refusals leave it as it is. */
  let toCorrect: Promise<Answer> | undefined;

  beforeAll(async () => {
    // A clock that is put forward and back: no figure may depend on it.
    gateway = await startGateway({ env: { TZ: 'Europe/Berlin' } });
    const organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId, 'test')).key);
    readOnly = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId, 'test', ['analysis:read'])).key);
    photo = await drawSmallWoundPhoto();
  });
  afterAll(() => gateway?.stop());

  /** A completed job's report, as JSON. */
  const assess = (woundId: string, week = 0): Promise<Answer> =>
    assessAt(woundId, new Date(FIRST + week * WEEK_MS).toISOString());
  async function assessAt(woundId: string, capturedAt: string): Promise<Answer> {
    const job = await client.analyse(photo, {
      subject: { patientId: 'MRN-1', woundId },
      capturedAt,
      calibration: { mmPerPixel: 0.2 },
    });
    return expectStatus(200, await client.request('GET', job.links.report));
  }
  const review = (id: string, json: unknown, headers: Record<string, string> = {}) =>
    client.request('POST', `/api/v1/reports/${id}/reviews`, { json, headers });
  const tagOf = ({ headers }: Answer) => headers.get('etag')!;
  const shown = (id: string, accept: string, query = '', language?: string) =>
    client.request('GET', `/api/v1/reports/${id}${query}`, {
      headers: { accept, ...(language === undefined ? {} : { 'accept-language': language }) },
    });

  it('takes decisions from keys with the scope for reviews only', async () => {
    const report = await assess('scopes');
    const headers = { 'if-match': tagOf(report) };
    const wound = `/api/v1/wounds/${report.body.subject.woundRef}`;
    const answers = await Promise.all([
      readOnly.request('POST', `/api/v1/reports/${report.body.id}/reviews`, {
        json: { decision: 'accept', reviewer: REVIEWER },
        headers,
      }),
      ...['merge', 'unmerge', 'close', 'reopen'].map((action) =>
        readOnly.request('POST', `${wound}/${action}`, { json: { into: UNKNOWN } }),
      ),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'auth.scope']));
    expect((await readOnly.request('GET', wound)).status).toBe(200);
  });

  it('takes no decision without knowing what it is about: 428 without If-Match, 412 with an old or foreign tag', async () => {
    const report = await assess('preconditions');
    const { id } = report.body;
    const accept = { decision: 'accept', reviewer: REVIEWER };
    expect((await review(id, accept)).body).toMatchObject({ status: 428, code: 'request.precondition_required' });
    for (const tag of ['"x"', '*', 'W/"9.abc"', '"9.abc"'])
      expect((await review(id, accept, { 'if-match': tag })).body).toMatchObject({ status: 412, code: 'report.stale' });
    expectStatus(201, await review(id, accept, { 'if-match': tagOf(report) }));
    expect((await review(id, accept, { 'if-match': tagOf(report) })).body).toMatchObject({
      status: 412,
      code: 'report.stale',
    });
  });

  it.each([
    [
      'a contour beyond the photo',
      {
        contour: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [9e6, 0],
              [9e6, 9],
              [0, 0],
            ],
          ],
        },
      },
      '/contour',
    ],
    ['an outline that is not there', { outlines: [99] }, '/outlines'],
    ['shares above 1', { tissue: { granulation: 1, slough: 1, necrosis: 0, other: 0 } }, '/tissue'],
    ['nothing', {}, '/decision'],
  ])('refuses a correction with %s, and names the field', async (_, correction, pointer) => {
    toCorrect ??= assess('corrections');
    const report = await toCorrect;
    const answer = await review(
      report.body.id,
      { decision: 'correct', reviewer: REVIEWER, ...correction },
      { 'if-match': tagOf(report) },
    );
    expect(answer.body).toMatchObject({ status: 400, code: 'request.invalid', errors: [{ pointer }] });
  });

  it('knows no other wounds, reports and versions than its own', async () => {
    const report = await assess('unknowns');
    for (const id of [UNKNOWN, 'x', '..%2f', report.body.id.toUpperCase()]) {
      expect((await client.request('GET', `/api/v1/reports/${id}`)).body).toMatchObject({
        status: 404,
        code: 'report.not_found',
      });
      expect((await client.request('GET', `/api/v1/wounds/${id}/timeline`)).body).toMatchObject({
        status: 404,
        code: 'wound.not_found',
      });
      expect(
        (await review(id, { decision: 'accept', reviewer: REVIEWER }, { 'if-match': '"1.x"' })).body,
      ).toMatchObject({ status: 404, code: 'report.not_found' });
    }
    expect((await client.request('GET', `/api/v1/reports/${report.body.id}/versions/2`)).body).toMatchObject({
      status: 404,
      code: 'report.not_found',
    });
  });

  it('serves no report as what it is not, and in no language that it has not', async () => {
    const { id } = (await assess('representations')).body;
    expect((await shown(id, 'image/png')).body).toMatchObject({ status: 406, code: 'request.not_acceptable' });
    expect((await shown(id, 'text/html', '?lang=it')).body).toMatchObject({
      status: 400,
      code: 'request.invalid',
      errors: [{ pointer: '/query/lang' }],
    });
    expect((await shown(id, 'text/html', '?language=de')).body).toMatchObject({ status: 400, code: 'request.invalid' });
    expect((await client.request('GET', '/api/v1/wounds?limit=0')).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/query/limit' }],
    });
    expect((await client.request('GET', `/api/v1/wounds/${UNKNOWN}/timeline?from=yesterday`)).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/query/from' }],
    });
  });

  it('serves one report as JSON, page, document and text, with the same area in each', async () => {
    const report = (await assess('documents')).body;
    const area = report.findings.figures.area.cm2.value.toFixed(2);
    const [page, pdf, text] = [
      await shown(report.id, 'text/html'),
      await shown(report.id, 'application/pdf'),
      await shown(report.id, 'text/plain', '?lang=de'),
    ];
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).toContain('img-src data:');
    expect(page.bytes.toString()).toContain(area);
    expect(page.bytes.toString()).toContain('data:image/jpeg');
    expect([pdf.headers.get('content-type'), pdf.bytes.subarray(0, 5).toString()]).toEqual([
      'application/pdf',
      '%PDF-',
    ]);
    expect(pdf.headers.get('content-disposition')).toContain(`report-${report.id}-v1.pdf`);
    expect([text.headers.get('content-language'), text.bytes.toString().includes(area.replace('.', ','))]).toEqual([
      'de',
      true,
    ]);
    expect((await shown(report.id, 'text/plain', '', 'fr-CA, en;q=0.3')).headers.get('content-language')).toBe('fr');
    expect(
      (await shown(report.id, 'text/html;q=0.2, application/pdf;q=0.9, */*;q=0.1')).headers.get('content-type'),
    ).toBe('application/pdf');
    expect((await shown(report.id, '*/*')).body.id).toBe(report.id);
  });

  it('answers 304 for a representation that the caller has', async () => {
    const { id } = (await assess('tags')).body;
    const html = await shown(id, 'text/html');
    const again = await client.request('GET', `/api/v1/reports/${id}`, {
      headers: { accept: 'text/html', 'if-none-match': tagOf(html) },
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect(tagOf(await shown(id, 'application/json'))).not.toBe(tagOf(html));
  });

  it('gives the first answer again where a decision is repeated under its key', async () => {
    const report = await assess('repeats');
    const headers = { 'if-match': tagOf(report), 'idempotency-key': 'decision-1' };
    const body = { decision: 'correct', contour: SQUARE, reviewer: REVIEWER };
    const first = expectStatus(201, await review(report.body.id, body, headers));
    const again = expectStatus(201, await review(report.body.id, body, headers));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([again.body, tagOf(again)]).toEqual([first.body, tagOf(first)]);
    expect(first.body).toMatchObject({
      version: 2,
      status: 'final',
      reason: 'reviewed',
      findings: { figures: { area: { cm2: { value: 4 } } } },
    });
    expect((await client.request('GET', `/api/v1/reports/${report.body.id}/versions`)).body.items).toHaveLength(2);
    const original = await client.request('GET', `/api/v1/reports/${report.body.id}/versions/1`);
    expect(original.body).toMatchObject({ version: 1, status: 'preliminary', reason: 'created' });
    expect((await client.request('GET', report.body.links.job)).body.result).not.toMatchObject({
      wounds: [{ area: { cm2: { value: 4 } } }],
    });
  });

  it('says in the result how the wound compares with the photo before', async () => {
    const first = (await assess('summary', 0)).body;
    const second = (await assess('summary', 1)).body;
    const job = (await client.request('GET', second.links.job)).body;
    expect(job.result.followUp).toMatchObject({
      previousJobId: first.jobId,
      daysSincePrevious: 7,
      areaChangePct: 0,
      beyondDetectable: false,
    });
    expect(second).toMatchObject({
      sequence: 2,
      comparison: { previous: { reportId: first.id }, trend: 'within_detectable_change' },
    });
  });

  it('orders photos by the moment of each, also in the hour that a clock shows twice, and counts the time between', async () => {
    const [second, first] = [
      await assessAt('clocks', '2025-10-26T02:30:00+01:00'),
      await assessAt('clocks', '2025-10-26T02:30:00+02:00'),
    ];
    const last = await assessAt('clocks', '2025-11-02T02:30:00+01:00');
    const { assessments } = (await client.request('GET', last.body.links.timeline)).body;
    expect(assessments.map(({ reportId, capturedAt }: Answer['body']) => [reportId, capturedAt])).toEqual([
      [first.body.id, '2025-10-26T00:30:00.000Z'],
      [second.body.id, '2025-10-26T01:30:00.000Z'],
      [last.body.id, '2025-11-02T01:30:00.000Z'],
    ]);
    expect(assessments[1].sincePrevious).toMatchObject({ days: 0, areaCm2PerWeek: null });
    expect(assessments[2].sincePrevious).toMatchObject({ days: 7, areaCm2PerWeek: 0 });
    expect(readDocument((await shown(second.body.id, 'application/pdf')).bytes, 'pdf')).toContain('01:30:00 UTC');
  });

  it('knows the 29th of February, in the years that have one', async () => {
    const imageId = await client.uploadPhoto(photo);
    const refused = await client.createJob({ imageId, capturedAt: '2025-02-29T09:00:00Z' });
    expect(refused.body).toMatchObject({ status: 400, code: 'request.invalid', errors: [{ pointer: '/capturedAt' }] });
    const [leap] = [await assessAt('leap', '2024-02-29T09:00:00Z'), await assessAt('leap', '2024-02-22T09:00:00Z')];
    const after = await assessAt('leap', '2024-03-07T09:00:00Z');
    expect(after.body.comparison).toMatchObject({
      previous: { reportId: leap.body.id },
      sincePrevious: { days: 7 },
      sinceBaseline: { days: 14 },
    });
    expect(readDocument((await shown(leap.body.id, 'text/html')).bytes, 'html')).toContain('29 Feb 2024, 09:00:00 UTC');
  });

  it('answers with every figure once its photo was deleted, and says that the photo is not there', async () => {
    const [first, second] = [await assess('deleted', 0), await assess('deleted', 1)];
    const { id, imageId, links } = second.body;
    const area = second.body.findings.figures.area.cm2.value.toFixed(2);
    const pictures = async () => (await shown(id, 'text/html')).bytes.toString().split('data:image/jpeg').length - 1;
    const withBoth = await pictures();
    expect(withBoth).toBeGreaterThanOrEqual(2);
    expectStatus(204, await client.request('DELETE', `/api/v1/images/${imageId}`));
    const erasedAt = expect.any(String) as string;
    expect((await shown(id, 'application/json')).body).toEqual({
      ...second.body,
      version: 2,
      reason: 'photo_erased',
      issuedAt: erasedAt,
      erasedPhotos: [{ imageId, erasedAt }],
    });
    for (const [format, accept] of [
      ['html', 'text/html'],
      ['pdf', 'application/pdf'],
    ] as const) {
      const text = readDocument(expectStatus(200, await shown(id, accept)).bytes, format);
      expect(text).toContain('The photo of this assessment was deleted on ');
      expect(text).toContain('The photo of this assessment is not available.');
      expect(text).toContain(area);
      const before = expectStatus(200, await client.request('GET', `${links.versions}/1`, { headers: { accept } }));
      expect(readDocument(before.bytes, format)).toContain('The photo of this assessment was deleted on ');
    }
    expect(expectStatus(200, await shown(id, 'text/plain')).bytes.toString()).toContain(area);
    expect(await pictures()).toBeLessThan(withBoth);

    expectStatus(204, await client.request('DELETE', `/api/v1/images/${first.body.imageId}`));
    expect(await pictures()).toBe(0);
    const course = await client.request('GET', `${links.wound}/report`, { headers: { accept: 'application/pdf' } });
    expect(readDocument(expectStatus(200, course).bytes, 'pdf')).toContain(
      'The photos of the first and the last assessment are not available.',
    );
    expect((await client.request('GET', links.timeline)).body.assessments).toHaveLength(2);
  });

  it('closes and reopens a wound, with and without saying who', async () => {
    const { subject } = (await assess('closing')).body;
    const wound = `/api/v1/wounds/${subject.woundRef}`;
    const closed = expectStatus(
      200,
      await client.request('POST', `${wound}/close`, { json: { reviewer: REVIEWER, note: 'Epithelialised.' } }),
    );
    expect(closed.body).toMatchObject({
      status: 'closed',
      events: [{ decision: 'closed', reviewer: REVIEWER, note: 'Epithelialised.' }],
    });
    expect((await client.request('GET', '/api/v1/wounds?status=closed&patientId=MRN-1')).body.items).toMatchObject([
      { id: subject.woundRef },
    ]);
    const reopened = expectStatus(200, await client.request('POST', `${wound}/reopen`));
    expect(reopened.body).toMatchObject({
      status: 'open',
      events: [{ decision: 'closed' }, { decision: 'reopened', reviewer: null }],
    });
  });

  it('pages through wounds, newest first', async () => {
    await assess('paging-1');
    await assess('paging-2');
    const first = (await client.request('GET', '/api/v1/wounds?limit=1')).body;
    const second = (await client.request('GET', `/api/v1/wounds?limit=1&cursor=${first.nextCursor}`)).body;
    expect([first.items[0].woundId, second.items[0].woundId]).toEqual(['paging-2', 'paging-1']);
  });

  it('writes the course of a wound over a period', async () => {
    const [, second] = [await assess('course', 0), await assess('course', 1)];
    const course = `${second.body.links.wound}/report`;
    const json = (await client.request('GET', `${course}?to=${new Date(FIRST + 1000).toISOString()}`)).body;
    expect(json.reports).toHaveLength(1);
    const pdf = await client.request('GET', course, { headers: { accept: 'application/pdf' } });
    expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    expect((await client.request('GET', `${course}?from=2031-01-01T00:00:00Z`)).body).toMatchObject({
      status: 404,
      code: 'report.not_found',
    });
  });
});
