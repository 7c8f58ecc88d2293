import { randomUUID } from 'node:crypto';
import { ApiClient, expectStatus, send, type Answer } from '../../support/api-client.js';
import { AdminBrowser } from '../../support/admin-browser.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import type { SharedGateway } from '../../support/gateway.js';
import { OpenedDesk } from '../../support/review-api.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const PETRA = { id: 'N-1', name: 'Petra Pflege' };
const QUENTIN = { id: 'N-2', name: 'Quentin Quer' };
const MARKER = 'Zwischenstand-Fistelgang';
const TRIANGLE = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 10],
      [60, 10],
      [60.5, 70],
      [10, 10],
    ],
  ],
};

const work = (changes: object = {}) => ({
  outlines: [TRIANGLE],
  mmPerPixel: null,
  reviewerName: '',
  note: ` ${MARKER} `,
  reassignment: null,
  ruler: null,
  screen: { tool: 'erase', isTissueShown: false },
  ...changes,
});
const draft = (changes: object = {}) => ({
  revision: randomUUID(),
  follows: [],
  reportVersion: 1,
  work: work(),
  ...changes,
});

describe('a draft at the review desk', () => {
  let gateway: SharedGateway;
  let organizationId: string;
  let client: ApiClient;
  let photo: Buffer;

  beforeAll(async () => {
    [gateway, photo] = await Promise.all([sharedGateway(), drawSmallWoundPhoto()]);
    organizationId = await gateway.createOrganization();
    client = await trustedClient(organizationId);
  });

  async function trustedClient(ofOrganization: string): Promise<ApiClient> {
    const json = {
      environment: 'test',
      scopes: ['images:write', 'analysis:write', 'analysis:read', 'analysis:review', 'patients:erase', 'audit:read'],
      namesPersons: true,
    };
    const made = await gateway.admin('POST', `/organizations/${ofOrganization}/keys`, json);
    return new ApiClient(gateway.baseUrl, expectStatus(201, made).body.key as string);
  }
  async function assess(patientId: string, woundId = 'W1'): Promise<Answer['body']> {
    const job = await client.analyse(photo, { subject: { patientId, woundId }, calibration: { mmPerPixel: 0.2 } });
    return expectStatus(200, await client.request('GET', job.links.report)).body;
  }
  const open = (reportId: string, person: object | null = PETRA, wish: object = {}) =>
    OpenedDesk.open(gateway.baseUrl, client, reportId, { ...(person === null ? {} : { person }), ...wish });
  const read = async (desk: OpenedDesk, id: string) =>
    expectStatus(200, await desk.ask('GET', `/reports/${id}/draft`)).body.draft;
  const keep = (desk: OpenedDesk, id: string, json: object) => desk.ask('PUT', `/reports/${id}/draft`, json);
  const decide = async (desk: OpenedDesk, id: string, query = '', changes: object = {}) => {
    const { headers } = await desk.ask('GET', `/reports/${id}`);
    const json = { decision: 'accept', reviewer: PETRA, ...changes };
    return desk.ask('POST', `/reports/${id}/reviews${query}`, json, { 'if-match': headers.get('etag')! });
  };

  it('is refused from a link for reading, about another report, without its token, and after the desk has ended', async () => {
    const [report, other] = [await assess('refused'), await assess('refused-other')];
    const reading = await open(report.id, PETRA, { mode: 'read' });
    expect((await keep(reading, report.id, draft())).body.code).toBe('review.read_only');
    const own = draft();
    expectStatus(200, await keep(await open(report.id), report.id, own));
    expect((await reading.ask('GET', `/reports/${report.id}/draft`)).body.code).toBe('review.read_only');
    const gone = await reading.ask('DELETE', `/reports/${report.id}/draft`, { revisions: [own.revision] });
    expect(gone.body.code).toBe('review.read_only');
    const told = await reading.ask('POST', `/reports/${report.id}/presence`, { tabId: randomUUID() });
    expect(told.body.draftRevision).toBeNull();
    const desk = await open(report.id);
    expect((await keep(desk, other.id, draft())).body.code).toBe('report.not_found');
    expect((await desk.ask('GET', `/reports/${other.id}/draft`)).body.code).toBe('report.not_found');
    const untold = await desk.ask('PUT', `/reports/${report.id}/draft`, draft(), { 'x-csrf-token': 'x' });
    expect(untold.body.code).toBe('auth.csrf');
    expectStatus(204, await desk.ask('DELETE', '/session'));
    expect((await keep(desk, report.id, draft())).body.code).toBe('review.session');
    expect((await read(await open(report.id), report.id)).revision).toBe(own.revision);
  });

  it.each([
    ['a text with NUL', { note: 'a\0b' }, 'request.invalid'],
    ['half a character', { note: 'a\ud800b' }, 'request.invalid'],
    ['a field that it has not', { tissue: 1 }, 'request.invalid'],
    ['a text over its length', { note: 'x'.repeat(2001) }, 'request.invalid'],
    ['more than a body may have', { outlines: Array(999).fill(bigPolygon(30)) }, 'request.too_large'],
  ])('is refused with %s', async (_, changes, code) => {
    const report = await assess('unfit');
    const desk = await open(report.id);
    expect((await keep(desk, report.id, draft({ work: work(changes) }))).body.code).toBe(code);
    expect(await read(desk, report.id)).toBeNull();
  });

  it('is refused in its own words with more than 192 KiB, below what a body may have', async () => {
    const report = await assess('large');
    const desk = await open(report.id);
    const ring = Array.from({ length: 950 }, (_, place) => [1000 + place + Math.PI / 4, 1000 + place + Math.E / 4]);
    const of = (outlines: number) => work({ outlines: Array(outlines).fill({ type: 'Polygon', coordinates: [ring] }) });
    const { body } = await keep(desk, report.id, draft({ work: of(6) }));
    expect([body.code, body.detail]).toEqual(['request.too_large', expect.stringContaining('at most 192 KiB')]);
    expectStatus(200, await keep(desk, report.id, draft({ work: of(4) })));
  });

  it('leaves a name that was typed at another link out: somebody else may sit there', async () => {
    const report = await assess('names');
    const ward = { headers: { 'x-sutura-user': 'WARD-3' } };
    const openWard = async () => {
      const json = { mode: 'review', of: 'report' };
      const made = await client.request('POST', `/api/v1/reports/${report.id}/review-links`, { json, ...ward });
      return OpenedDesk.openAt(gateway.baseUrl, expectStatus(201, made).body.url as string);
    };
    const anna = await openWard();
    expectStatus(200, await keep(anna, report.id, draft({ work: work({ reviewerName: 'Anna Alt' }) })));
    expect((await read(anna, report.id)).work).toMatchObject({ reviewerName: 'Anna Alt', note: ` ${MARKER} ` });
    expect((await read(await openWard(), report.id)).work).toMatchObject({ reviewerName: '', note: ` ${MARKER} ` });
  });

  it('is brought back by no request that comes after its decision, and by its person’s word', async () => {
    const report = await assess('late');
    const desk = await open(report.id);
    const [one, first] = [draft(), draft()];
    expectStatus(200, await keep(desk, report.id, one));
    expectStatus(201, await decide(desk, report.id, `?draft=${one.revision}`));
    const late = draft({ follows: [one.revision] });
    for (const sent of [late, one, first])
      expect((await keep(desk, report.id, sent)).body.code).toBe('review.draft_changed');
    expect(await read(desk, report.id)).toBeNull();
    expectStatus(200, await keep(desk, report.id, { ...late, isChosen: true }));
    expect((await read(desk, report.id)).revision).toBe(late.revision);
  });

  it('does not come back where its decision and a late request for it meet', async () => {
    const report = await assess('meet');
    const desk = await open(report.id);
    for (let version = 1; version <= 5; version += 1) {
      const kept = draft({ reportVersion: version });
      const [decided, saved] = await Promise.all([
        decide(desk, report.id, `?draft=${kept.revision}`),
        keep(desk, report.id, kept),
      ]);
      expect([decided.status, [200, 409].includes(saved.status)]).toEqual([201, true]);
      expect(await read(desk, report.id)).toBeNull();
    }
  });

  it('comes back exactly, at another link of the same person, and each look at it is in the trail', async () => {
    const report = await assess('back');
    const kept = draft({
      work: work({
        mmPerPixel: 0.173,
        reassignment: { patientId: ' 47', woundId: '' },
        ruler: {
          line: [
            [1, 2],
            [3.25, 4],
          ],
          distance: '5,',
          unit: 'cm',
        },
      }),
    });
    const { savedAt } = expectStatus(200, await keep(await open(report.id), report.id, kept)).body;
    const { revision, reportVersion } = kept;
    expect(await read(await open(report.id), report.id)).toEqual({ revision, reportVersion, savedAt, work: kept.work });
    const rows = await queryDatabase<{ query: string; patient: boolean }>(
      gateway.databaseUrl,
      `select query, patient_id is not null as patient from audit_events where organization_id = $1 and query = 'review draft'
         and resources::text like '%' || $2 || '%'`,
      [organizationId, report.id],
    );
    expect(rows).toEqual([{ query: 'review draft', patient: true }]);
  });

  it('is nobody else’s: not of another person, of that number in another numbering, of a link without a person, of a user of that name, or of another key’s organization', async () => {
    const report = await assess('private');
    const unnamed = await open(report.id, null);
    const own = draft({ work: work({ note: 'of nobody' }) });
    expectStatus(200, await keep(await open(report.id), report.id, draft()));
    expectStatus(200, await keep(unnamed, report.id, own));
    expect(await read(await open(report.id, QUENTIN), report.id)).toBeNull();
    for (const system of ['urn:example:staff', 'urn:example:agency'])
      expect(await read(await open(report.id, { ...PETRA, system }), report.id)).toBeNull();
    expect(await read(await open(report.id, null), report.id)).toBeNull();
    expect((await read(unnamed, report.id)).work.note).toBe('of nobody');
    expect((await read(await open(report.id), report.id)).work.note).toBe(` ${MARKER} `);
    const name = `N-1-${randomUUID()}`;
    const roles = [{ organizationId, role: 'reviewer' }];
    const invited = expectStatus(
      201,
      await gateway.admin('POST', '/users', { name, displayName: 'Petra Pflege', roles }),
    );
    const user = await new AdminBrowser(gateway).enter({ name, setupCode: invited.body.setupCode as string });
    const link = await user.ask('POST', `/organizations/${organizationId}/reports/${report.id}/review-links`, {
      environment: 'test',
      of: 'report',
    });
    const atConsole = await OpenedDesk.openAt(gateway.baseUrl, expectStatus(201, link).body.url as string);
    expect(await read(atConsole, report.id)).toBeNull();
    expectStatus(200, await keep(atConsole, report.id, draft({ work: work({ note: 'of the user' }) })));
    expect((await read(await open(report.id), report.id)).work.note).toBe(` ${MARKER} `);
  });

  it('is written over only by who knows the revision that stands, and a repeat whose answer was lost is no conflict', async () => {
    const report = await assess('revisions');
    const [first, second] = [await open(report.id), await open(report.id)];
    const one = draft();
    expectStatus(200, await keep(first, report.id, one));
    expectStatus(200, await keep(first, report.id, one));
    const blind = await keep(second, report.id, draft());
    expect([blind.status, blind.body.code]).toEqual([409, 'review.draft_changed']);
    const two = draft({ follows: [one.revision] });
    expectStatus(200, await keep(second, report.id, two));
    expect((await keep(first, report.id, draft({ follows: [one.revision] }))).body.code).toBe('review.draft_changed');
    const gone = (revisions: string[]) => first.ask('DELETE', `/reports/${report.id}/draft`, { revisions });
    expect((await gone([one.revision])).body.code).toBe('review.draft_changed');
    expect((await read(first, report.id)).revision).toBe(two.revision);
    expectStatus(204, await gone([two.revision]));
    expectStatus(204, await gone([two.revision]));
    expect(await read(first, report.id)).toBeNull();
  });

  it('lets one of many writers at once win, and tells the others', async () => {
    const report = await assess('race');
    const desks = await Promise.all(Array.from({ length: 6 }, () => open(report.id)));
    const sent = desks.map(() => draft());
    const answers = await Promise.all(desks.map((desk, place) => keep(desk, report.id, sent[place]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const won = answers.findIndex(({ status }) => status === 200);
    expect((await read(desks[0]!, report.id)).revision).toBe(sent[won]!.revision);
  });

  it('ends with the decision that was made of it, and with no other', async () => {
    const report = await assess('decided');
    const [desk, elsewhere, colleague] = [await open(report.id), await open(report.id), await open(report.id, QUENTIN)];
    const [one, theirs] = [draft(), draft()];
    expectStatus(200, await keep(desk, report.id, one));
    expectStatus(200, await keep(colleague, report.id, theirs));
    const stale = { 'if-match': '"9"' };
    const refused = await desk.ask(
      'POST',
      `/reports/${report.id}/reviews?draft=${one.revision}`,
      { decision: 'accept', reviewer: PETRA },
      stale,
    );
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect((await read(desk, report.id)).revision).toBe(one.revision);
    const two = draft({ follows: [one.revision] });
    expectStatus(200, await keep(elsewhere, report.id, two));
    expectStatus(201, await decide(desk, report.id, `?draft=${one.revision}`));
    expect((await read(desk, report.id)).revision).toBe(two.revision);
    expectStatus(201, await decide(desk, report.id, `?draft=${two.revision}`));
    expect(await read(desk, report.id)).toBeNull();
    expect(await read(colleague, report.id)).toMatchObject({ revision: theirs.revision, reportVersion: 1 });
  });

  it('leaves by no exit: its words are in no report, resource, document, trail or log', async () => {
    const report = await assess('marked');
    const desk = await open(report.id);
    expectStatus(200, await keep(desk, report.id, draft()));
    expect((await keep(desk, report.id, draft())).status).toBe(409);
    expect((await keep(desk, report.id, draft({ revision: 'none' }))).status).toBe(400);
    const answers = await Promise.all([
      client.request('GET', `/api/v1/reports/${report.id}`),
      client.request('GET', `/api/v1/reports/${report.id}`, { headers: { accept: 'text/plain' } }),
      client.request('GET', `/fhir/DiagnosticReport/${report.id}`),
      client.request('GET', `/fhir/Observation?_count=100`),
      send('GET', `${gateway.baseUrl}/metrics`),
    ]);
    for (const { bytes } of answers) expect(bytes.toString('utf8')).not.toContain(MARKER);
    const elsewhere = await tablesWith(MARKER);
    expect(elsewhere).toEqual(['review_drafts']);
    expect(gateway.logs).not.toContain(MARKER);
  });

  /** Every table of the database in which a row has this text. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await queryDatabase<{ name: string; isOwned: boolean }>(
      gateway.databaseUrl,
      `select relname as name, exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id') as "isOwned" from pg_class join pg_namespace n on n.oid = relnamespace where nspname = 'public' and relkind = 'r'`,
      [],
    );
    const found: string[] = [];
    for (const { name, isOwned } of tables) {
      const mine = isOwned ? 'organization_id = $2' : '$2::uuid is not null';
      const sql = `select 1 from "${name}" t where ${mine} and t::text like '%' || $1 || '%' limit 1`;
      const rows = await queryDatabase(gateway.databaseUrl, sql, [text, organizationId]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('goes with its patient, and loses the numbers of one whom it would have given the photo', async () => {
    const [report, other] = [await assess('erased'), await assess('kept')];
    await assess('named-there');
    expectStatus(200, await keep(await open(report.id), report.id, draft()));
    const naming = draft({ work: work({ reassignment: { patientId: 'named-there ', woundId: 'W1' } }) });
    expectStatus(200, await keep(await open(other.id), other.id, naming));
    const left = () =>
      queryDatabase<{ id: string }>(
        gateway.databaseUrl,
        'select report_id as id from review_drafts where report_id = any ($1)',
        [[report.id, other.id]],
      );
    const desk = await open(report.id);
    await desk.ask('POST', `/reports/${report.id}/presence`, { tabId: randomUUID() });
    await erase('erased');
    expect(await left()).toEqual([{ id: other.id }]);
    expect((await keep(desk, report.id, draft())).body.code).toBe('report.not_found');
    await erase('named-there');
    const { revision, work: stays } = await read(await open(other.id), other.id);
    expect([revision, stays.reassignment, stays.note]).toEqual([naming.revision, null, ` ${MARKER} `]);
    const numbers = await queryDatabase(
      gateway.databaseUrl,
      `select from review_drafts d where report_id = $1 and d::text like '%named-there%'`,
      [other.id],
    );
    expect(numbers).toEqual([]);
  });

  it('stands in the way of no erasure while a desk saves and tells that it is open', async () => {
    const report = await assess('busy');
    const desk = await open(report.id);
    let [isOpen, last] = [true, randomUUID() as string];
    const statuses = new Set<number>();
    const saving = (async () => {
      while (isOpen) {
        const next = draft({ follows: [last] });
        const answers = await Promise.all([
          keep(desk, report.id, { ...next, isChosen: true }),
          desk.ask('POST', `/reports/${report.id}/presence`, { tabId: randomUUID() }),
        ]);
        for (const { status } of answers) statuses.add(status);
        last = next.revision;
      }
    })();
    await erase('busy');
    isOpen = false;
    await saving;
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  });

  /** Waits for other work about the patient, and for no fault. */
  async function erase(patientId: string): Promise<void> {
    const faults: number[] = [];
    await eventually('the patient is erased', async () => {
      const path = `/organizations/${organizationId}/patients/erase`;
      const { status } = await gateway.admin('POST', path, { environment: 'test', patient: patientId });
      if (status >= 500) faults.push(status);
      return status === 200;
    });
    expect(faults).toEqual([]);
  }
});

describe('who else has a report open', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let report: Answer['body'];

  beforeAll(async () => {
    gateway = await sharedGateway();
    const organizationId = await gateway.createOrganization();
    const json = {
      environment: 'test',
      scopes: ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'],
    };
    const made = await gateway.admin('POST', `/organizations/${organizationId}/keys`, { ...json, namesPersons: true });
    client = new ApiClient(gateway.baseUrl, expectStatus(201, made).body.key as string);
    const job = await client.analyse(await drawSmallWoundPhoto(), { subject: { patientId: 'P', woundId: 'W' } });
    report = expectStatus(200, await client.request('GET', job.links.report)).body;
  });

  const open = (wish: object) => OpenedDesk.open(gateway.baseUrl, client, report.id, wish);
  const tell = async (desk: OpenedDesk, tabId: string, changes: object = {}) =>
    expectStatus(200, await desk.ask('POST', `/reports/${report.id}/presence`, { tabId, ...changes })).body;

  it('is told to each page: others by name, other pages of the same person as such, and nobody who left or fell silent', async () => {
    const [petra, again, quentin, nobody] = [
      await open({ person: PETRA }),
      await open({ person: PETRA }),
      await open({ person: QUENTIN, mode: 'read' }),
      await open({}),
    ];
    const tabs = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
    expect((await tell(petra, tabs[0])).others).toEqual([]);
    await tell(again, tabs[1]);
    await tell(quentin, tabs[2]);
    const { others, reportVersion, draftRevision, asOf } = await tell(nobody, tabs[3]);
    expect([reportVersion, draftRevision]).toEqual([1, null]);
    const since = expect.any(String);
    expect(others).toEqual([
      { name: 'Petra Pflege', canDecide: true, isSamePerson: false, since },
      { name: 'Petra Pflege', canDecide: true, isSamePerson: false, since },
      { name: 'Quentin Quer', canDecide: false, isSamePerson: false, since },
    ]);
    expect(Date.parse(others[0].since)).toBeLessThanOrEqual(Date.parse(asOf));
    const seen = await tell(petra, tabs[0]);
    expect(
      seen.others.map(({ name, isSamePerson }: { name: string; isSamePerson: boolean }) => [name, isSamePerson]),
    ).toEqual([
      ['Petra Pflege', true],
      ['Quentin Quer', false],
      [null, false],
    ]);
    await tell(quentin, tabs[2], { isLeaving: true });
    await queryDatabase(
      gateway.databaseUrl,
      `update review_presence set seen_at = now() - interval '2 minutes' where tab_id = $1`,
      [tabs[3]],
    );
    expect((await tell(petra, tabs[0])).others).toHaveLength(1);
    await petra.ask('POST', `/reports/${report.id}/presence`, { tabId: tabs[0], isLeaving: true });
    await again.ask('POST', `/reports/${report.id}/presence`, { tabId: tabs[1], isLeaving: true });
  });

  it('is not ended by a page’s leaving of another report, which comes late', async () => {
    const assess = async (seed: number) => {
      const subject = { patientId: 'P-2', woundId: 'W' };
      const job = await client.analyse(await drawSmallWoundPhoto({ seed }), {
        subject,
        capturedAt: `2026-01-0${seed}T10:00:00Z`,
      });
      return expectStatus(200, await client.request('GET', job.links.report)).body.id as string;
    };
    const [left, stays] = [await assess(1), await assess(2)];
    const at = (wish: object) => OpenedDesk.open(gateway.baseUrl, client, stays, wish);
    const [petra, quentin] = [await at({ person: PETRA, of: 'wound' }), await at({ person: QUENTIN })];
    const tabId = randomUUID();
    const say = (id: string, changes: object = {}) =>
      petra.ask('POST', `/reports/${id}/presence`, { tabId, ...changes });
    await say(left);
    await say(stays);
    expectStatus(200, await say(left, { isLeaving: true }));
    const told = await quentin.ask('POST', `/reports/${stays}/presence`, { tabId: randomUUID() });
    expect(expectStatus(200, told).body.others).toMatchObject([{ name: 'Petra Pflege' }]);
  });

  it('says which version and which draft stand', async () => {
    const desk = await open({ person: PETRA });
    const tabId = randomUUID();
    const kept = draft();
    expectStatus(200, await desk.ask('PUT', `/reports/${report.id}/draft`, kept));
    expect(await tell(desk, tabId)).toMatchObject({ reportVersion: 1, draftRevision: kept.revision });
    expect(await tell(await open({ person: QUENTIN }), randomUUID())).toMatchObject({ draftRevision: null });
    const { headers } = await desk.ask('GET', `/reports/${report.id}`);
    const json = { decision: 'accept', reviewer: QUENTIN };
    expectStatus(
      201,
      await client.request('POST', `/api/v1/reports/${report.id}/reviews`, {
        json,
        headers: { 'if-match': headers.get('etag')! },
      }),
    );
    expect(await tell(desk, tabId)).toMatchObject({ reportVersion: 2, draftRevision: kept.revision });
  });
});

function bigPolygon(points: number): object {
  return {
    type: 'Polygon',
    coordinates: [Array.from({ length: points }, (_, place) => [place + 0.123, place + 0.456])],
  };
}
