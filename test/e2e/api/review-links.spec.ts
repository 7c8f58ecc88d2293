import { randomInt } from 'node:crypto';
import { AdminBrowser, PASSWORD } from '../../support/admin-browser.js';
import { ApiClient, expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type CreatedKey, type Gateway } from '../../support/gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const ORIGIN = 'https://ehr.example.org';
const PERSON = 'HCP-0042';
const REVIEWER = { id: PERSON, name: 'Example Reviewer' };
const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const SCOPES = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'];

/** A desk as the browser of a person holds it. */
interface Desk {
  readonly path: string;
  readonly cookie: string;
  readonly csrfToken: string;
  readonly body: Answer['body'];
}

describe('a link to the review desk', () => {
  let gateway: Gateway;
  let organizationId: string;
  let trusted: CreatedKey;
  let client: ApiClient;
  let photo: Buffer;

  beforeAll(async () => {
    gateway = await startGateway({ env: { SUTURA_READS_PER_S: '2', SUTURA_READ_BURST: '150' } });
    organizationId = await gateway.createOrganization();
    trusted = await createKey();
    client = new ApiClient(gateway.baseUrl, trusted.key);
    photo = await drawSmallWoundPhoto();
    await gateway.admin('PATCH', `/organizations/${organizationId}`, { reviewFrameOrigins: [ORIGIN] });
  });
  afterAll(() => gateway?.stop());

  const createKey = async (scopes = SCOPES): Promise<CreatedKey> =>
    expectStatus(
      201,
      await gateway.admin('POST', `/organizations/${organizationId}/keys`, {
        environment: 'test',
        scopes,
        namesPersons: true,
      }),
    ).body;
  async function assess(patientId: string, woundId = 'W1', day = 6): Promise<Answer['body']> {
    const job = await client.analyse(photo, {
      subject: { patientId, woundId },
      capturedAt: new Date(Date.UTC(2025, 0, day, 9)).toISOString(),
      calibration: { mmPerPixel: 0.2 },
    });
    return expectStatus(200, await client.request('GET', job.links.report)).body;
  }
  const ask = (reportId: string, json: object, key = trusted.key): Promise<Answer> =>
    send('POST', `${gateway.baseUrl}/api/v1/reports/${reportId}/review-links`, {
      key,
      json,
      headers: { 'x-sutura-user': PERSON },
    });
  const partsOf = (url: string) => {
    const { pathname, hash } = new URL(url);
    return { path: pathname.replace('/review/', '/review/api/v1/'), page: pathname, secret: hash.slice(1) };
  };
  const openAt = (path: string, secret: string, headers: Record<string, string> = {}) =>
    send('POST', `${gateway.baseUrl}${path}/session`, { json: { link: secret }, headers });
  async function open(reportId: string, wish: object = {}, key = trusted.key): Promise<Desk> {
    const made = expectStatus(201, await ask(reportId, { mode: 'review', of: 'report', ...wish }, key)).body;
    const { path, secret } = partsOf(made.url);
    const opened = expectStatus(201, await openAt(path, secret));
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
    return { path, cookie, csrfToken: opened.body.csrfToken, body: opened.body };
  }
  const at = (desk: Desk, path: string, headers: Record<string, string> = {}) =>
    send('GET', `${gateway.baseUrl}${desk.path}${path}`, { headers: { cookie: desk.cookie, ...headers } });
  const decide = (desk: Desk, reportId: string, headers: Record<string, string> = {}, decision: object = {}) =>
    send('POST', `${gateway.baseUrl}${desk.path}/reports/${reportId}/reviews`, {
      json: { decision: 'accept', reviewer: REVIEWER, ...decision },
      headers: { cookie: desk.cookie, 'x-csrf-token': desk.csrfToken, ...headers },
    });
  const codeOf = ({ status, body }: Answer) => [status, body.code];

  it('is made by no key without the scope for what it allows, for no origin that was not allowed, and for own reports alone', async () => {
    const { id } = await assess('refused');
    const reader = await createKey(['analysis:read']);
    const review = { mode: 'review', of: 'report' };
    expect(codeOf(await ask(id, review, reader.key))).toEqual([403, 'auth.scope']);
    expect((await ask(id, { ...review, mode: 'read' }, reader.key)).status).toBe(201);
    expect(codeOf(await ask(id, { ...review, frameOrigin: 'https://other.example.org' }))).toEqual([
      422,
      'review.frame',
    ]);
    for (const wrong of [{ minutes: 0 }, { minutes: 61 }, { frameOrigin: "https://ehr.example.org 'self'" }])
      expect(codeOf(await ask(id, { ...review, ...wrong }))).toEqual([400, 'request.invalid']);
    expect(codeOf(await ask(UNKNOWN, review))).toEqual([404, 'report.not_found']);
    const other = (await gateway.createKey(await gateway.createOrganization())).key;
    const foreign = await send('POST', `${gateway.baseUrl}/api/v1/reports/${id}/review-links`, {
      key: other,
      json: review,
    });
    expect(codeOf(foreign)).toEqual([404, 'report.not_found']);
  });

  it('opens once, of two at the same time for one, and not by its address alone', async () => {
    const { id } = await assess('once');
    const { body } = await ask(id, { mode: 'read', of: 'report' });
    const { path, page, secret } = partsOf(body.url);
    for (let look = 0; look < 2; look += 1)
      expect((await fetch(`${gateway.baseUrl}${page}`)).headers.get('content-security-policy')).toContain(
        "frame-ancestors 'none'",
      );
    expect(codeOf(await openAt(path, 'x'.repeat(43)))).toEqual([410, 'review.link']);
    expect(codeOf(await openAt(path, secret, { 'sec-fetch-site': 'cross-site' }))).toEqual([403, 'auth.csrf']);
    const both = await Promise.all([openAt(path, secret), openAt(path, secret)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 410]);
    expect(codeOf(await openAt(path, secret))).toEqual([410, 'review.link']);
    const stored = await queryDatabase<{ readonly row: string }>(
      gateway.databaseUrl,
      'select review_links::text as row from review_links where id = $1',
      [body.id],
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]!.row).not.toContain(secret);
  });

  it('has ended after its minutes, before and after it was opened', async () => {
    const { id } = await assess('late');
    const desk = await open(id);
    const { url } = (await ask(id, { mode: 'read', of: 'report' })).body;
    await queryDatabase(gateway.databaseUrl, "update review_links set expires_at = now() - interval '1 second'", []);
    const { path, secret } = partsOf(url);
    expect(codeOf(await openAt(path, secret))).toEqual([410, 'review.link']);
    expect(codeOf(await at(desk, '/session'))).toEqual([401, 'review.session']);
  });

  it('ends with its key', async () => {
    const { id } = await assess('revoked');
    const key = await createKey();
    const desk = await open(id, {}, key.key);
    expect((await at(desk, `/reports/${id}`)).status).toBe(200);
    expectStatus(204, await gateway.admin('DELETE', `/keys/${key.keyId}`));
    expect(codeOf(await at(desk, `/reports/${id}`))).toEqual([401, 'review.session']);
  });

  it('shows nothing but the report that it is of; with the cookie of another link nothing at all', async () => {
    const [own, later] = [await assess('own'), await assess('own', 'W1', 13)];
    const desk = await open(own.id);
    for (const path of [`/reports/${later.id}`, `/reports/${later.id}/photo`, `/reports/${UNKNOWN}`])
      expect(codeOf(await at(desk, path))).toEqual([404, 'report.not_found']);
    expect(codeOf(await decide(desk, later.id, { 'if-match': '"1.x"' }))).toEqual([404, 'report.not_found']);
    const other = await open(later.id);
    expect(codeOf(await at({ ...desk, cookie: other.cookie }, `/reports/${own.id}`))).toEqual([401, 'review.session']);
    expect(codeOf(await at({ ...desk, cookie: 'sutura-review=' }, '/session'))).toEqual([401, 'review.session']);
  });

  it('decides nothing where it is for reading, without its token, for the page of another site, or about an old version', async () => {
    const { id } = await assess('decisions');
    const reading = await open(id, { mode: 'read' });
    const tag = (await at(reading, `/reports/${id}`)).headers.get('etag')!;
    expect(codeOf(await decide(reading, id, { 'if-match': tag }))).toEqual([403, 'review.read_only']);
    const desk = await open(id);
    expect(codeOf(await decide(desk, id, { 'if-match': tag, 'x-csrf-token': 'x' }))).toEqual([403, 'auth.csrf']);
    expect(codeOf(await decide(desk, id, { 'if-match': tag, origin: ORIGIN }))).toEqual([403, 'auth.csrf']);
    expect(codeOf(await decide(desk, id))).toEqual([428, 'request.precondition_required']);
    expect(codeOf(await decide(desk, id, { 'if-match': '"9.x"' }))).toEqual([412, 'report.stale']);
    expect((await client.request('GET', `/api/v1/reports/${id}`)).body.version).toBe(1);
  });

  it('shows nothing of a patient who was erased', async () => {
    const { id } = await assess('erased');
    const desk = await open(id, { of: 'wound' });
    await eventually('the patient is erased', async () => {
      const path = `/organizations/${organizationId}/patients/erase`;
      return (await gateway.admin('POST', path, { environment: 'test', patient: 'erased' })).status === 200;
    });
    expect((await at(desk, '/session')).status).toBe(404);
    expect((await at(desk, `/reports/${id}`)).status).toBe(404);
    expect((await at(desk, `/reports/${id}/photo`)).status).toBe(404);
  });

  it('lets a person look and decide, by the rules of the public route, and the audit trail names them', async () => {
    const { id } = await assess('good');
    const desk = await open(id, { language: 'de' });
    expect(desk.body).toMatchObject({ mode: 'review', of: 'report', person: PERSON, language: 'de', reportId: id });
    const report = await at(desk, `/reports/${id}`);
    const picture = await fetch(`${gateway.baseUrl}${desk.path}/reports/${id}/photo`, {
      headers: { cookie: desk.cookie },
    });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const decided = expectStatus(201, await decide(desk, id, { 'if-match': report.headers.get('etag')! }));
    expect(decided.body).toMatchObject({ version: 2, status: 'final', review: { decision: 'accept' } });
    const rows = await queryDatabase<{ readonly person: string; readonly interaction: string }>(
      gateway.databaseUrl,
      // Refusals of the tests before are written behind them, grouped.
      'select person, interaction from audit_events where organization_id = $1 and refusal is null order by id desc limit 3',
      [organizationId],
    );
    expect(rows.map(({ person, interaction }) => [person, interaction])).toEqual([
      [PERSON, 'update'],
      [PERSON, 'read'],
      [PERSON, 'read'],
    ]);
  });

  it('of a wound shows its reports in order; in a frame of the origin that it names, and of no other', async () => {
    const [first, second] = [await assess('series'), await assess('series', 'W1', 13)];
    const { body } = await ask(second.id, { mode: 'read', of: 'wound', frameOrigin: ORIGIN });
    const { path, page, secret } = partsOf(body.url);
    const policyOf = async () => (await fetch(`${gateway.baseUrl}${page}`)).headers.get('content-security-policy');
    expect(await policyOf()).toContain(`frame-ancestors ${ORIGIN}`);
    const opened = expectStatus(201, await openAt(path, secret));
    expect(opened.body.series.map((one: Answer['body']) => one.reportId)).toEqual([first.id, second.id]);
    const desk = { path, cookie: opened.headers.get('set-cookie')!.split(';')[0]!, csrfToken: '', body: null };
    expect((await at(desk, `/reports/${first.id}`)).body.id).toBe(first.id);
    await gateway.admin('PATCH', `/organizations/${organizationId}`, { reviewFrameOrigins: [] });
    expect(await policyOf()).toContain("frame-ancestors 'none'");
    await gateway.admin('PATCH', `/organizations/${organizationId}`, { reviewFrameOrigins: [ORIGIN] });
  });

  it('of a list is refused with reports that are not there, or another organization’s, or without any', async () => {
    const { id } = await assess('list-refused');
    const stranger = await gateway.createClient();
    const foreign = expectStatus(200, await stranger.request('GET', (await stranger.analyse(photo)).links.report)).body;
    const list = (reports: unknown, of = 'list') => ask(id, { mode: 'review', of, reports });
    expect(codeOf(await list([UNKNOWN]))).toEqual([404, 'report.not_found']);
    expect(codeOf(await list([foreign.id]))).toEqual([404, 'report.not_found']);
    for (const reports of [undefined, [], ['no id'], Array.from({ length: 50 }, () => UNKNOWN)])
      expect(codeOf(await list(reports))).toEqual([400, 'request.invalid']);
    expect(codeOf(await list([UNKNOWN], 'report'))).toEqual([400, 'request.invalid']);
  });

  it('of a list shows its reports of any patients in its order, says which wait, and nothing else', async () => {
    const [first, second, beside] = [await assess('list-1'), await assess('list-2'), await assess('list-2', 'W2')];
    const desk = await open(first.id, { of: 'list', reports: [second.id, first.id] });
    const entry = (reportId: string, number: string, waits: boolean) => ({
      reportId,
      label: expect.stringContaining(number) as string,
      waits,
    });
    expect(desk.body).toMatchObject({ of: 'list', reportId: first.id, series: [], wounds: [] });
    expect(desk.body.list).toEqual([entry(first.id, 'list-1', true), entry(second.id, 'list-2', true)]);
    expect(codeOf(await at(desk, `/reports/${beside.id}`))).toEqual([404, 'report.not_found']);
    const tag = (await at(desk, `/reports/${second.id}`)).headers.get('etag')!;
    expectStatus(201, await decide(desk, second.id, { 'if-match': tag }));
    const { list } = (await at(desk, '/session')).body;
    expect(list).toEqual([entry(first.id, 'list-1', true), entry(second.id, 'list-2', false)]);
    const behind = await open(second.id, { of: 'list', reports: [first.id] });
    expect(behind.body.reportId).toBe(second.id);
    await eventually('the patient is erased', async () => {
      const path = `/organizations/${organizationId}/patients/erase`;
      return (await gateway.admin('POST', path, { environment: 'test', patient: 'list-2' })).status === 200;
    });
    expect((await at(desk, '/session')).body.list).toEqual([entry(first.id, 'list-1', true)]);
    expect(codeOf(await at(desk, `/reports/${second.id}`))).toEqual([404, 'report.not_found']);
    // It opens on the first that is left.
    expect((await at(behind, '/session')).body).toMatchObject({ reportId: first.id });
  });

  it('sets a cookie that scripts cannot read, for its own address alone', async () => {
    const { id } = await assess('cookie');
    const { path, secret } = partsOf((await ask(id, { mode: 'read', of: 'report' })).body.url);
    const cookie = (await openAt(path, secret)).headers.get('set-cookie')!;
    expect(cookie).toContain(`Path=${path};`);
    expect(cookie).toContain('HttpOnly; SameSite=Strict');
  });

  it('gives a photo to a patient who is known, with a reason, and answers with nothing of that patient', async () => {
    const [{ id }, other] = [await assess('typed-wrong'), await assess('typed-right', 'W7')];
    const desk = await open(id);
    const tag = (await at(desk, `/reports/${id}`)).headers.get('etag')!;
    const reassign = (subject: object, more: object = { note: 'Wrong bed.' }) =>
      decide(desk, id, { 'if-match': tag }, { decision: 'reassign', subject, ...more });
    const pointerOf = ({ body }: Answer) => body.errors[0].pointer;
    expect(pointerOf(await reassign({ patientId: 'typed-right', woundId: 'W7' }, {}))).toBe('/note');
    expect(pointerOf(await reassign({ patientId: 'typed-right' }))).toBe('/subject');
    expect(pointerOf(await reassign({ patientId: 'typo', woundId: 'W7' }))).toBe('/subject/patientId');
    expect((await client.request('GET', `/api/v1/reports/${id}`)).body.version).toBe(1);
    const done = expectStatus(201, await reassign({ patientId: 'typed-right', woundId: 'W7' }));
    expect(done.body).toEqual({ id, status: 'entered-in-error' });
    const now = (await client.request('GET', `/api/v1/reports/${id}`)).body;
    const moved = (await client.request('GET', `/api/v1/reports/${now.replacedBy}`)).body;
    expect(moved.subject).toMatchObject({ patient: { id: 'typed-right' }, woundRef: other.subject.woundRef });
    expect(codeOf(await at(desk, `/reports/${now.replacedBy}`))).toEqual([404, 'report.not_found']);
  });

  it('has a turn of its own for reading: one that asks without end is slowed down, and no other one', async () => {
    const { id } = await assess('busy');
    const [busy, calm] = [await open(id, { mode: 'read' }), await open(id, { mode: 'read' })];
    // More than it gives back meanwhile, however slow the machine is.
    const answers = await Promise.all(Array.from({ length: 210 }, () => at(busy, '/session')));
    expect(answers.filter(({ body }) => body.code === 'rate.limited').length).toBeGreaterThan(0);
    expect((await at(calm, '/session')).status).toBe(200);
    expect((await client.request('GET', `/api/v1/reports/${id}`)).status).toBe(200);
  });

  it('takes a scale that a person found, and refuses one that no photo has', async () => {
    const { id } = await assess('scaled');
    const desk = await open(id);
    const tag = (await at(desk, `/reports/${id}`)).headers.get('etag')!;
    const scaled = (mmPerPixel: number) =>
      decide(desk, id, { 'if-match': tag }, { decision: 'correct', calibration: { mmPerPixel } });
    expect(codeOf(await scaled(6))).toEqual([422, 'calibration.implausible']);
    const { findings } = expectStatus(201, await scaled(0.4)).body;
    expect(findings).toMatchObject({ outlineSource: 'model', scale: { source: 'reviewer', mmPerPixel: 0.4 } });
  });

  describe('of a user of the console', () => {
    const enter = async (role: string): Promise<AdminBrowser & { readonly userId: string }> => {
      const wish = { name: `${role}-${randomInt(1e9)}`, roles: [{ organizationId, role }] };
      const { body } = await gateway.admin('POST', '/users', wish);
      return Object.assign(await new AdminBrowser(gateway).enter(body), { userId: body.id as string });
    };
    const linkFor = (browser: AdminBrowser, reportId: string, environment = 'test', of = organizationId) =>
      browser.ask('POST', `/organizations/${of}/reports/${reportId}/review-links`, { environment });
    const openFor = async (browser: AdminBrowser, reportId: string): Promise<Desk> => {
      const { path, secret } = partsOf(expectStatus(201, await linkFor(browser, reportId)).body.url);
      const opened = expectStatus(201, await openAt(path, secret));
      const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
      return { path, cookie, csrfToken: opened.body.csrfToken, body: opened.body };
    };

    it('is made for nobody without the role, not by the token that is nobody’s, and for reports of that organization and environment alone', async () => {
      const { id } = await assess('console-refused');
      const reviewer = await enter('reviewer');
      for (const role of ['viewer', 'integrator'])
        expect(codeOf(await linkFor(await enter(role), id))).toEqual([403, 'auth.role']);
      const address = `/organizations/${organizationId}/reports/${id}/review-links`;
      expect(codeOf(await gateway.admin('POST', address, { environment: 'test' }))).toEqual([401, 'auth.session']);
      for (const unknown of [UNKNOWN, 'no-id'])
        expect(codeOf(await linkFor(reviewer, unknown))).toEqual([404, 'report.not_found']);
      expect(codeOf(await linkFor(reviewer, id, 'live'))).toEqual([404, 'report.not_found']);
      const elsewhere = await gateway.createOrganization();
      expect(codeOf(await linkFor(reviewer, id, 'test', elsewhere))).toEqual([403, 'auth.role']);
    });

    it('decides under the user’s name, which review, trail and Provenance state', async () => {
      const { id } = await assess('console-decided');
      const reviewer = await enter('reviewer');
      const desk = await openFor(reviewer, id);
      const tag = (await at(desk, `/reports/${id}`)).headers.get('etag')!;
      expectStatus(201, await decide(desk, id, { 'if-match': tag }));
      const { name } = (await reviewer.ask('GET', '/session')).body.user;
      expect((await client.request('GET', `/api/v1/reports/${id}`)).body.review).toMatchObject({
        decision: 'accept',
        enteredBy: name,
      });
      const rows = await queryDatabase<{ readonly interaction: string; readonly door: string }>(
        gateway.databaseUrl,
        `select door, interaction from audit_events where key_id = $1 and $2 = any (resources) order by id`,
        [`user:${name}`, `DiagnosticReport/${id}`],
      );
      expect(rows.map(({ door, interaction }) => `${door} ${interaction}`)).toEqual(
        expect.arrayContaining(['admin $review-link', 'rest read']),
      );
    });

    it('ends with the role, and with the user', async () => {
      const { id } = await assess('console-ended');
      const admin = await enter('admin');
      for (const change of [{ roles: [{ organizationId, role: 'viewer' }] }, { disabled: true }]) {
        const reviewer = await enter('reviewer');
        const desk = await openFor(reviewer, id);
        expect((await at(desk, `/reports/${id}`)).status).toBe(200);
        expectStatus(200, await gateway.admin('PATCH', `/users/${reviewer.userId}`, change));
        expect(codeOf(await at(desk, `/reports/${id}`))).toEqual([401, 'review.session']);
      }
      expect((await at(await openFor(admin, id), `/reports/${id}`)).status).toBe(200);
    });

    it('ends with the credentials of whoever opened it: whoever had the old ones has no desk left', async () => {
      const { id } = await assess('console-reset');
      const next = { password: PASSWORD, newPassword: 'four moons under a bridge' };
      for (const end of [
        async (user: { readonly userId: string }) => gateway.admin('POST', `/users/${user.userId}/reset`),
        async (user: AdminBrowser) => user.ask('POST', '/session/password', next),
      ]) {
        const reviewer = await enter('reviewer');
        const desk = await openFor(reviewer, id);
        expect((await at(desk, `/reports/${id}`)).status).toBe(200);
        expect((await end(reviewer)).status).toBeLessThan(205);
        expect(codeOf(await at(desk, `/reports/${id}`))).toEqual([401, 'review.session']);
      }
    });
  });
});
