import { randomUUID } from 'node:crypto';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { OpenedDesk } from '../../support/review-api.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const NURSE = { id: 'N-1', name: 'Example Nurse' };
const AT = '2025-01-13T10:00:00Z';
const eventOf = (number: number, wish: object = {}) => ({
  requestId: `01997f2e-7a00-4000-8000-00000000f0${String(number).padStart(2, '0')}`,
  type: 'dressing_change',
  occurredAt: AT,
  reviewer: NURSE,
  ...wish,
});

describe('what is stated of the wound at the desk', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let photo: Buffer;
  beforeAll(async () => {
    [gateway, photo] = await Promise.all([sharedGateway(), drawSmallWoundPhoto()]);
    client = await gateway.createClient();
  });

  async function visit(patientId: string, day: number, wish: object = {}): Promise<Answer> {
    const job = await client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      capturedAt: new Date(Date.UTC(2025, 0, day, 9)).toISOString(),
      calibration: { mmPerPixel: 0.2 },
      ...wish,
    });
    return expectStatus(200, await client.request('GET', job.links.report));
  }
  const open = (reportId: string, wish: object = {}) => OpenedDesk.open(gateway.baseUrl, client, reportId, wish);
  const tagOf = async (desk: OpenedDesk, id: string) => {
    const { headers } = expectStatus(200, await desk.ask('GET', `/reports/${id}`));
    return { 'if-match': headers.get('etag')! };
  };
  const formOf = async (desk: OpenedDesk, id: string) =>
    expectStatus(200, await desk.ask('GET', `/reports/${id}/form?lang=de`)).body;
  const standing = (wish: object) => ({
    requestId: randomUUID(),
    shown: 'open',
    status: 'closed',
    decidedAt: AT,
    reviewer: NURSE,
    ...wish,
  });
  /** As the service does after hours: what told a repeat by its answer is gone. */
  const forget = async (requestId: string) => {
    const gone = 'delete from idempotency_keys where key = $1 returning key';
    expect(await queryDatabase(gateway.databaseUrl, gone, [requestId])).toHaveLength(1);
  };
  const withdrawal = () => ({ requestId: randomUUID(), reviewer: NURSE });

  it('is refused at a desk for reading, and without the version on the screen', async () => {
    const { id } = (await visit('F-READ', 6)).body;
    const reading = await open(id, { mode: 'read' });
    const tag = await tagOf(reading, id);
    const form = await reading.ask('GET', `/reports/${id}/form`);
    expect([form.status, form.body.code]).toEqual([403, 'review.read_only']);
    for (const [path, body] of [
      ['events', eventOf(1)],
      ['standing', standing({ reason: 'healed' })],
      ['events/none/withdrawal', withdrawal()],
    ] as const) {
      const answer = await reading.ask('POST', `/reports/${id}/${path}`, body, tag);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'review.read_only']);
      const desk = await open(id);
      const unbound = await desk.ask('POST', `/reports/${id}/${path}`, body);
      expect([path, unbound.status, unbound.body.code]).toEqual([path, 428, 'request.precondition_required']);
    }
  });

  it('is refused of another version than the one on the screen, of a time to come, and without its parts', async () => {
    const { id } = (await visit('F-STALE', 6)).body;
    const desk = await open(id);
    const before = await tagOf(desk, id);
    const review = { decision: 'accept', reviewer: NURSE };
    expectStatus(201, await desk.ask('POST', `/reports/${id}/reviews`, review, before));
    const stale = await desk.ask('POST', `/reports/${id}/events`, eventOf(2), before);
    expect([stale.status, stale.body.code]).toEqual([412, 'report.stale']);
    const now = await tagOf(desk, id);
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const future = await desk.ask('POST', `/reports/${id}/events`, eventOf(3, { occurredAt: ahead }), now);
    expect([future.status, future.body.code]).toEqual([422, 'capture.future']);
    for (const wish of [{}, { reason: 'bored' }, { status: 'open' }, { shown: 'closed', reason: 'healed' }]) {
      const refused = await desk.ask('POST', `/reports/${id}/standing`, standing(wish), now);
      expect([wish, refused.status, refused.body.code]).toEqual([wish, 400, 'request.invalid']);
    }
    expect((await formOf(desk, id)).events).toEqual([]);
  });

  it('is recorded once, however often the request comes, and is taken back', async () => {
    const { id } = (await visit('F-EVENT', 6)).body;
    const desk = await open(id);
    const tag = await tagOf(desk, id);
    const note = '<img src=x onerror=alert(1)>';
    for (let time = 0; time < 2; time += 1)
      expectStatus(201, await desk.ask('POST', `/reports/${id}/events`, eventOf(4, { note }), tag));
    const [event, ...others] = (await formOf(desk, id)).events;
    expect([event, others]).toEqual([
      {
        id: expect.any(String) as string,
        type: 'dressing_change',
        occurredAt: '2025-01-13T10:00:00.000Z',
        note,
        by: NURSE.name,
      },
      [],
    ]);
    const path = `/reports/${id}/events/${event.id}/withdrawal`;
    expectStatus(200, await desk.ask('POST', path, withdrawal(), tag));
    expect((await formOf(desk, id)).events).toEqual([]);
  });

  it('ends in the draft that it was begun in with its recording, and is not recorded again when no answer is kept any more', async () => {
    const { id, version } = (await visit('F-DRAFT', 6)).body;
    const desk = await open(id);
    const body = eventOf(7, { type: 'debridement', requestId: randomUUID() });
    const woundStep = { kind: body.type, reason: '', at: '2025-01-13T10:00', note: '', requestId: body.requestId };
    const work = {
      outlines: null,
      mmPerPixel: null,
      reviewerName: '',
      note: 'Edge in the shade',
      reassignment: null,
      ruler: null,
      screen: { tool: 'points', isTissueShown: false },
    };
    const [revision, later] = [randomUUID(), randomUUID()];
    const keep = (sent: object) =>
      desk.ask('PUT', `/reports/${id}/draft`, { follows: [], reportVersion: version, ...sent });
    expectStatus(200, await keep({ revision, work: { ...work, woundStep } }));
    expectStatus(201, await desk.ask('POST', `/reports/${id}/events`, body, await tagOf(desk, id)));
    const kept = (await desk.ask('GET', `/reports/${id}/draft`)).body.draft;
    expect(kept).toMatchObject({ revision, work });
    expect(kept.work.woundStep).toBeUndefined();
    // A page that the answer never reached keeps it as begun, and its person comes back after days.
    expectStatus(200, await keep({ revision: later, follows: [revision], work: { ...work, woundStep } }));
    await forget(body.requestId);
    expectStatus(201, await desk.ask('POST', `/reports/${id}/events`, body, await tagOf(desk, id)));
    const [event, ...others] = (await formOf(desk, id)).events;
    expect(others).toEqual([]);
    expect((await desk.ask('GET', `/reports/${id}/draft`)).body.draft.work.woundStep).toBeUndefined();
    const path = `/reports/${id}/events/${event.id}/withdrawal`;
    expectStatus(200, await desk.ask('POST', path, withdrawal(), await tagOf(desk, id)));
    await forget(body.requestId);
    const again = await desk.ask('POST', `/reports/${id}/events`, body, await tagOf(desk, id));
    expect([again.status, again.body.code]).toEqual([422, 'idempotency.mismatch']);
    expect((await formOf(desk, id)).events).toEqual([]);
  });

  it('is recorded by another organization under the same id of a page', async () => {
    const other = await gateway.createClient();
    const job = await other.analyse(photo, { subject: { patientId: 'F-OTHER', woundId: 'W1' }, capturedAt: AT });
    const { id } = expectStatus(200, await other.request('GET', job.links.report)).body;
    const desk = await OpenedDesk.open(gateway.baseUrl, other, id);
    const own = (await visit('F-OWN', 6)).body.id as string;
    const mine = await open(own);
    expectStatus(201, await mine.ask('POST', `/reports/${own}/events`, eventOf(8), await tagOf(mine, own)));
    expectStatus(201, await desk.ask('POST', `/reports/${id}/events`, eventOf(8), await tagOf(desk, id)));
    expect((await formOf(desk, id)).events).toHaveLength(1);
  });

  it('closes at no moment before the photo on the screen, and without one now', async () => {
    const { id, issuedAt } = (await visit('F-NOW', 14)).body;
    const desk = await open(id);
    const tag = await tagOf(desk, id);
    const refused = await desk.ask('POST', `/reports/${id}/standing`, standing({ reason: 'healed' }), tag);
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/decidedAt' }]]);
    const { decidedAt: _, ...now } = standing({ reason: 'healed' });
    expectStatus(200, await desk.ask('POST', `/reports/${id}/standing`, now, tag));
    const { decidedAt } = (await formOf(desk, id)).wound.closing;
    expect(decidedAt > issuedAt).toBe(true);
    expect((await desk.ask('GET', `/reports/${id}`)).body.flags).toEqual([]);
  });

  it('is closed by a photo whose clock is ahead, and not shown open again by it', async () => {
    const capturedAt = new Date(Date.now() + 120_000).toISOString();
    const { id } = (await visit('F-AHEAD', 1, { capturedAt })).body;
    const desk = await open(id);
    const { decidedAt: _, ...now } = standing({ reason: 'healed' });
    expectStatus(200, await desk.ask('POST', `/reports/${id}/standing`, now, await tagOf(desk, id)));
    const report = (await desk.ask('GET', `/reports/${id}`)).body;
    expect(report.flags.map(({ code }: { code: string }) => code)).not.toContain('reopened');
  });

  it('answers a closing whose answer was lost as it did, and another one under its id not at all', async () => {
    const { id } = (await visit('F-LOST', 6)).body;
    const desk = await open(id);
    const tag = await tagOf(desk, id);
    const body = standing({ reason: 'healed' });
    const first = expectStatus(200, await desk.ask('POST', `/reports/${id}/standing`, body, tag)).body;
    const second = expectStatus(200, await desk.ask('POST', `/reports/${id}/standing`, body, tag)).body;
    expect(second).toEqual(first);
    const other = await desk.ask('POST', `/reports/${id}/standing`, { ...body, reason: 'died' }, tag);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency.mismatch']);
  });

  it('shows the end that counts, and not a closing that was taken back', async () => {
    const { id, links } = (await visit('F-ENDS', 6)).body;
    const desk = await open(id);
    const tag = () => tagOf(desk, id);
    const closing = standing({ reason: 'amputated', decidedAt: '2025-01-07T10:00:00Z' });
    expectStatus(200, await desk.ask('POST', `/reports/${id}/standing`, closing, await tag()));
    const reopening = standing({ shown: 'closed', status: 'open', decidedAt: '2025-01-08T10:00:00Z' });
    expectStatus(200, await desk.ask('POST', `/reports/${id}/standing`, reopening, await tag()));
    expect((await formOf(desk, id)).wound).toEqual({ status: 'open', closing: null });
    const job = await client.analyse(photo, {
      subject: { patientId: 'F-ENDS', woundId: 'W2' },
      capturedAt: '2025-01-06T09:00:00Z',
    });
    const whole = expectStatus(200, await client.request('GET', job.links.report)).body.links.wound as string;
    const idOf = (path: string) => path.split('/').at(-1)!;
    const json = { from: [idOf(links.wound), idOf(whole)], at: '2025-01-12T10:00:00Z', by: NURSE };
    expectStatus(201, await client.request('POST', `/api/v1/wounds/${idOf(whole)}/join`, { json }));
    expect((await formOf(desk, id)).wound).toEqual({
      status: 'closed',
      closing: { reason: 'merged', decidedAt: '2025-01-12T10:00:00.000Z', by: NURSE.name, note: null },
    });
  });

  it('makes another version where a treatment resets the area, and says which', async () => {
    await visit('F-RESET', 6);
    const { id, version } = (await visit('F-RESET', 13, { calibration: { mmPerPixel: 0.19 } })).body;
    const desk = await open(id);
    const body = eventOf(5, { type: 'debridement', occurredAt: '2025-01-10T10:00:00Z' });
    const told = expectStatus(201, await desk.ask('POST', `/reports/${id}/events`, body, await tagOf(desk, id))).body;
    const report = (await desk.ask('GET', `/reports/${id}`)).body;
    expect([told, report.version]).toEqual([{ version: version + 1 }, version + 1]);
    expect(report.comparison.reset).toMatchObject({ type: 'debridement' });
  });

  it('closes the wound as it was shown, and not one that somebody else closed', async () => {
    const { id } = (await visit('F-CLOSE', 6)).body;
    const newer = (await visit('F-CLOSE', 10)).body;
    const desk = await open(id);
    const tag = await tagOf(desk, id);
    expect(await formOf(desk, id)).toMatchObject({
      newerPhotoAt: newer.capturedAt,
      wound: { status: 'open', closing: null },
    });
    expectStatus(200, await desk.ask('POST', `/reports/${id}/standing`, standing({ reason: 'healed' }), tag));
    const again = await desk.ask(
      'POST',
      `/reports/${id}/standing`,
      standing({ reason: 'died' }),
      await tagOf(desk, id),
    );
    expect([again.status, again.body.code]).toEqual([412, 'report.stale']);
    expect((await formOf(desk, id)).wound).toEqual({
      status: 'closed',
      closing: { reason: 'healed', decidedAt: '2025-01-13T10:00:00.000Z', by: NURSE.name, note: null },
    });
    const later = (await visit('F-CLOSE', 20)).body;
    expect(later.flags.map(({ code }: { code: string }) => code)).toContain('reopened');
    const reopening = standing({ shown: 'closed', status: 'open', decidedAt: '2025-01-21T10:00:00Z' });
    expectStatus(200, await desk.ask('POST', `/reports/${id}/standing`, reopening, await tagOf(desk, id)));
    expect((await formOf(desk, id)).wound).toEqual({ status: 'open', closing: null });
  });

  it('begins with what was stated last time, in the words of the report, and takes nothing from it', async () => {
    await visit('F-LAST', 6, { clinicianObservations: { depthCm: 0.8, exudate: 'light' } });
    const { id, clinicianObservations } = (
      await visit('F-LAST', 13, {
        subject: { patientId: 'F-LAST', woundId: 'W1', woundType: { display: 'Pressure ulcer' } },
      })
    ).body;
    const desk = await open(id);
    const { lastTime, words } = await formOf(desk, id);
    expect(clinicianObservations).toBeNull();
    expect(lastTime).toMatchObject({
      depthCm: { value: 0.8, capturedAt: '2025-01-06T09:00:00.000Z' },
      exudate: { value: 'light' },
    });
    expect(words.labels.depth).toBe('Tiefe');
    expect(words.stages.map(({ value }: { value: string }) => value)).toEqual([
      'pressure 1',
      'pressure 2',
      'pressure 3',
      'pressure 4',
      'pressure unstageable',
      'pressure suspected_deep_tissue_injury',
      'pressure mucosal',
    ]);
  });

  it('signs with whom the link names, whatever the page says', async () => {
    const organizationId = await gateway.createOrganization();
    const key = await gateway.createKey(organizationId);
    expectStatus(200, await gateway.admin('PATCH', `/keys/${key.keyId}`, { namesPersons: true }));
    const own = new ApiClient(gateway.baseUrl, key.key);
    const subject = { patientId: 'F-SIGNED', woundId: 'W1' };
    const job = await own.analyse(photo, { subject, capturedAt: '2025-01-06T09:00:00Z' });
    const { id } = expectStatus(200, await own.request('GET', job.links.report)).body;
    const person = { id: 'HCP-0042', name: 'Known Reviewer' };
    const desk = await OpenedDesk.open(gateway.baseUrl, own, id, { person });
    expectStatus(201, await desk.ask('POST', `/reports/${id}/events`, eventOf(6), await tagOf(desk, id)));
    expect((await formOf(desk, id)).events).toMatchObject([{ by: 'Known Reviewer' }]);
  });
});
