import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { LaunchBrowser, outcomeOf, type EndedLaunch } from '../../support/launch-browser.js';
import { CLIENT_ID, LaunchGround, PATIENT_SYSTEM, SCOPES } from '../../support/launch-ground.js';
import { OpenedDesk } from '../../support/review-api.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const HTML = { accept: 'text/html' };
const FRAME = 'https://ehr.example.org';

interface Opened {
  readonly desk: OpenedDesk;
  readonly session: Answer['body'];
  readonly linkId: string;
}

let gateway: SharedGateway;

beforeAll(async () => {
  gateway = await sharedGateway();
});

describe('a launch from the chart of an EHR', () => {
  let ground: LaunchGround;
  let ehrId: string;

  beforeAll(async () => {
    ground = await LaunchGround.start(gateway);
    ehrId = await ground.register();
  });
  afterAll(() => ground?.ehr.stop());

  const browse = (headers = {}) => new LaunchBrowser(gateway.baseUrl, { ...HTML, ...headers });
  async function openAt({ location }: EndedLaunch): Promise<Opened> {
    const desk = await OpenedDesk.openAt(gateway.baseUrl, location!);
    const session = expectStatus(200, await desk.ask('GET', '/session')).body;
    return { desk, session, linkId: new URL(location!).pathname.split('/')[2]! };
  }
  async function open(patientId: string, context: Parameters<LaunchGround['launch']>[1] = {}): Promise<Opened> {
    const ended = await browse().follow(ground.launch(patientId, context));
    expect(outcomeOf(ended)).toBe('opened');
    return openAt(ended);
  }
  const trailOf = (patientNumber: string) =>
    queryDatabase<{ query: string; person: string; key: string }>(
      gateway.databaseUrl,
      `select query, person, key_id as key from audit_events where interaction = '$launch' and patient_id =
         (select patient_id from patient_identifiers where value = $1) order by id`,
      [patientNumber],
    );

  it('opens all wounds of the patient, and nobody else’s, for the clinician whom the EHR names', async () => {
    const known = await ground.know(['W1', 'W2']);
    const other = await ground.know(['W1']);
    const encounterId = ground.ehr.control.addEncounter({ patientId: known.ehrId });
    const { desk, session } = await open(known.ehrId, { encounterId });
    expect(session).toMatchObject({
      of: 'patient',
      mode: 'review',
      person: `Practitioner/${ground.practitionerId}`,
      personName: 'Ada Winter',
      idleS: 900,
    });
    expect(session.wounds.map(({ label }: { label: string }) => label)).toEqual([
      expect.stringContaining('W1'),
      expect.stringContaining('W2'),
    ]);
    expect(session.series.map(({ reportId }: { reportId: string }) => reportId)).toEqual(known.reportIds);
    // The last photo first.
    expect(session.reportId).toBe(known.reportIds[1]);
    for (const id of known.reportIds) expect((await desk.ask('GET', `/reports/${id}`)).status).toBe(200);
    for (const path of ['', '/photo', '/banner', '/course', '/form', '/draft'])
      expect((await desk.ask('GET', `/reports/${other.reportIds[0]!}${path}`)).body.code).toBe('report.not_found');
    expect(await trailOf(known.number)).toEqual([
      { query: `launch review; Encounter/${encounterId}`, person: `Practitioner/${ground.practitionerId}`, key: ehrId },
    ]);
    expect(ground.ehr.control.objections).toEqual([]);
  });

  it('signs decisions as that clinician, whatever the page says', async () => {
    const known = await ground.know(['W1']);
    const { desk } = await open(known.ehrId);
    const [id] = known.reportIds;
    const report = expectStatus(200, await desk.ask('GET', `/reports/${id!}`));
    const decided = await desk.ask(
      'POST',
      `/reports/${id!}/reviews`,
      { decision: 'accept', reviewer: { id: 'somebody', name: 'Somebody Else' } },
      { 'if-match': report.headers.get('etag')! },
    );
    expect(expectStatus(201, decided).body.review.reviewer).toEqual({
      id: `Practitioner/${ground.practitionerId}`,
      name: 'Ada Winter',
      system: ground.ehr.fhirBaseUrl,
    });
  });

  it('opens the wound that a card’s link names, and this patient’s list where it is another’s', async () => {
    const [known, other] = [await ground.know(['W1', 'W2']), await ground.know(['W1'])];
    const woundOf = async (reportId: string): Promise<string> =>
      (await ground.client.request('GET', `/api/v1/reports/${reportId}`)).body.subject.woundRef as string;
    const own = await open(known.ehrId, { appContext: await woundOf(known.reportIds[0]!) });
    expect(own.session.reportId).toBe(known.reportIds[0]);
    const foreign = await open(known.ehrId, { appContext: await woundOf(other.reportIds[0]!) });
    expect(foreign.session.reportId).toBe(known.reportIds[1]);
    const unknown = await open(known.ehrId, { appContext: "no wound' or 1=1" });
    expect(unknown.session.reportId).toBe(known.reportIds[1]);
    expect((await trailOf(known.number)).map(({ query }) => query)).toEqual([
      'launch review; one wound',
      "launch review; appContext named another patient's wound, which was not shown",
      'launch review; appContext named no wound of this organization',
    ]);
    expect(await trailOf(other.number)).toEqual([]);
  });

  it('finds a patient who is known by the number alone', async () => {
    const known = await ground.know(['W1'], null);
    expect((await open(known.ehrId)).session.reportId).toBe(known.reportIds[0]);
  });

  it('says that there is no report where the patient is known and has none', async () => {
    const known = await ground.know([]);
    await ground.announce(known.number);
    expect(outcomeOf(await browse().follow(ground.launch(known.ehrId)))).toBe('launch.no_report');
  });

  it('goes on with fewer scopes than it asked for, without the encounter', async () => {
    const known = await ground.know(['W1']);
    const encounterId = ground.ehr.control.addEncounter({ patientId: known.ehrId });
    ground.registerClient(
      'symmetric',
      undefined,
      SCOPES.filter((scope) => !scope.includes('Encounter')),
    );
    expect((await open(known.ehrId, { encounterId })).session.reportId).toBe(known.reportIds[0]);
    expect((await trailOf(known.number)).map(({ query }) => query)).toEqual(['launch review']);
    ground.registerClient('symmetric');
  });

  it('shortens the banner in a frame alone, where the EHR shows whose chart it is', async () => {
    const known = await ground.know(['W1']);
    expect((await ground.change(ehrId, { frameAncestors: [FRAME] })).status).toBe(200);
    const isShort = async (headers: object, needPatientBanner: boolean): Promise<boolean> => {
      const ended = await browse(headers).follow(ground.launch(known.ehrId, { needPatientBanner }));
      const [row] = await queryDatabase<{ short: boolean }>(
        gateway.databaseUrl,
        'select is_banner_short as short from review_links where id = $1',
        [new URL(ended.location!).pathname.split('/')[2]!],
      );
      return row!.short;
    };
    const inFrame = { 'sec-fetch-dest': 'iframe', 'x-forwarded-proto': 'https' };
    expect([await isShort({}, false), await isShort(inFrame, true), await isShort(inFrame, false)]).toEqual([
      false,
      false,
      true,
    ]);
    await ground.change(ehrId, { frameAncestors: [] });
  });

  it('ends at once where the registration means another EHR, other patients or other people, and through no other change', async () => {
    const known = await ground.know(['W1']);
    const { desk } = await open(known.ehrId);
    const session = async () => (await desk.ask('GET', '/session')).status;
    expect((await ground.change(ehrId, { name: 'Ward EHR', frameAncestors: [FRAME] })).status).toBe(200);
    expect(await session()).toBe(200);
    const origins = [ground.ehr.authorizationOrigin, 'https://login.example.org'];
    for (const terms of [
      { origins },
      { origins: [] },
      { patientSystem: 'urn:oid:2.999.54.9' },
      { patientSystem: PATIENT_SYSTEM },
    ]) {
      const opened = terms.patientSystem === undefined ? await open(known.ehrId) : null;
      expect((await ground.change(ehrId, terms)).status).toBe(200);
      expect(await session()).not.toBe(200);
      if (opened !== null) expect((await opened.desk.ask('GET', '/session')).body.code).toBe('review.session');
    }
    expect((await ground.change(ehrId, { frameAncestors: [] })).status).toBe(200);
  });

  it('tells whoever gives a report to another patient what became of it, and shows it at no other desk', async () => {
    const [known, other] = [await ground.know(['W1']), await ground.know(['W1'])];
    const second = ground.ehr.control.addPractitioner({ identifiers: [], family: 'Sommer', given: 'Ben' });
    const own = await open(known.ehrId);
    const colleague = await open(known.ehrId, { user: `Practitioner/${second}`, userName: 'Ben Sommer' });
    const path = `/reports/${known.reportIds[0]!}`;
    const { headers } = expectStatus(200, await own.desk.ask('GET', path));
    const decision = {
      decision: 'reassign',
      note: 'The photo is of somebody else.',
      reviewer: { id: 'x', name: 'X' },
      subject: { patientId: other.number, woundId: 'W1', patientSystem: PATIENT_SYSTEM },
    };
    const given = await own.desk.ask('POST', `${path}/reviews`, decision, { 'if-match': headers.get('etag')! });
    expectStatus(201, given);
    expect(expectStatus(200, await own.desk.ask('GET', path)).body.status).toBe('entered-in-error');
    for (const at of [path, `${path}/photo`])
      expect((await colleague.desk.ask('GET', at)).body.code).toBe('report.not_found');
  });

  it('has a report no longer that was given to another patient meanwhile, nor its photo', async () => {
    const [known, other] = [await ground.know(['W1', 'W2']), await ground.know(['W1'])];
    const { desk } = await open(known.ehrId);
    const given = known.reportIds[1]!;
    const report = expectStatus(200, await ground.client.request('GET', `/api/v1/reports/${given}`));
    const moved = await ground.client.request('POST', `/api/v1/reports/${given}/reviews`, {
      json: {
        decision: 'reassign',
        reviewer: { id: 'N-1', name: 'Nurse Beispiel' },
        subject: { patientId: other.number, patientSystem: PATIENT_SYSTEM, woundId: 'W1' },
      },
      headers: { 'if-match': report.headers.get('etag')! },
    });
    const anew = expectStatus(201, moved).body.id as string;
    for (const id of [given, anew])
      for (const path of ['', '/photo', '/banner', '/course', '/form', '/draft'])
        expect((await desk.ask('GET', `/reports/${id}${path}`)).body.code).toBe('report.not_found');
    const session = expectStatus(200, await desk.ask('GET', '/session')).body;
    expect(session.series.map(({ reportId }: { reportId: string }) => reportId)).toEqual([known.reportIds[0]]);
    expect(session.reportId).toBe(known.reportIds[0]);
  });

  it('reads and decides nothing where the registration’s people may only read, at once', async () => {
    const known = await ground.know(['W1']);
    const reviewing = await open(known.ehrId);
    expect((await ground.change(ehrId, { launch: { people: 'read' } })).status).toBe(200);
    try {
      expect((await reviewing.desk.ask('GET', '/session')).body.code).toBe('review.session');
      const { desk, session } = await open(known.ehrId);
      expect(session.mode).toBe('read');
      const decision = { decision: 'accept', reviewer: { id: 'a', name: 'A' } };
      const decided = await desk.ask('POST', `/reports/${known.reportIds[0]!}/reviews`, decision, {
        'if-match': '"1"',
      });
      expect([decided.status, decided.body.code]).toEqual([403, 'review.read_only']);
    } finally {
      await ground.change(ehrId, { launch: { people: 'review' } });
    }
  });

  it('ends after fifteen minutes in which nobody was there, though the page stayed open', async () => {
    const known = await ground.know(['W1']);
    const { desk, linkId } = await open(known.ehrId);
    const [id] = known.reportIds;
    const agoMin = (minutes: number) =>
      queryDatabase(
        gateway.databaseUrl,
        'update review_links set used_at = now() - make_interval(mins => $2) where id = $1',
        [linkId, minutes],
      );
    const usedAgoS = async () =>
      (
        await queryDatabase<{ ago: number }>(
          gateway.databaseUrl,
          'select extract(epoch from now() - used_at)::float as ago from review_links where id = $1',
          [linkId],
        )
      )[0]!.ago;
    await agoMin(10);
    await desk.ask('POST', `/reports/${id!}/presence`, { tabId: 'tab-1' });
    await desk.ask('GET', '/session');
    expect(await usedAgoS()).toBeGreaterThan(500);
    const lasting = expectStatus(200, await desk.ask('GET', '/session?used=true')).body;
    expect(Object.keys(lasting)).toEqual(['expiresAt']);
    expect(await usedAgoS()).toBeLessThan(500);
    await agoMin(10);
    expect((await desk.ask('GET', `/reports/${id!}`)).status).toBe(200);
    expect(await usedAgoS()).toBeLessThan(500);
    await agoMin(16);
    expect((await desk.ask('GET', `/reports/${id!}`)).body.code).toBe('review.session');
  });

  it('is a desk of its own beside that of another person in the same browser', async () => {
    const known = await ground.know(['W1']);
    const second = ground.ehr.control.addPractitioner({ identifiers: [], family: 'Sommer', given: 'Ben' });
    const browser = browse();
    const first = await openAt(await browser.follow(ground.launch(known.ehrId)));
    const later = await openAt(
      await browser.follow(ground.launch(known.ehrId, { user: `Practitioner/${second}`, userName: 'Ben Sommer' })),
    );
    expect(later.session.personName).toBe('Ben Sommer');
    expect(later.linkId).not.toBe(first.linkId);
    expect((await first.desk.ask('GET', '/session')).body.personName).toBe('Ada Winter');
  });

  it('stands in the frames that the registration names, with cookies that are kept apart, and otherwise in a window of its own', async () => {
    const known = await ground.know(['W1']);
    const inFrame = { 'sec-fetch-dest': 'iframe', 'accept-language': 'de', 'x-forwarded-proto': 'https' };
    const outside = await browse(inFrame).follow(ground.launch(known.ehrId));
    const page = outside.answer.bytes.toString('utf8');
    expect(outcomeOf(outside)).toBe('launch.frame');
    expect(page).toContain('In eigenem Fenster öffnen');
    expect((await ground.change(ehrId, { frameAncestors: [FRAME] })).status).toBe(200);
    const begun = await browse(inFrame).go(ground.launch(known.ehrId));
    expect(begun.headers.get('set-cookie')).toMatch(/^__Host-sutura-launch=.*SameSite=None; Secure; Partitioned$/);
    const ended = await browse(inFrame).follow(ground.launch(known.ehrId));
    expect(outcomeOf(ended)).toBe('opened');
    const { pathname, hash } = new URL(ended.location!);
    const desk = await fetch(`${gateway.baseUrl}${pathname}`);
    expect(desk.headers.get('content-security-policy')).toContain(`frame-ancestors ${FRAME}`);
    const opened = await send('POST', `${gateway.baseUrl}${pathname.replace('/review/', '/review/api/v1/')}/session`, {
      json: { link: hash.slice(1) },
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(opened.headers.get('set-cookie')).toMatch(/SameSite=None; Secure; Partitioned$/);
    await ground.change(ehrId, { frameAncestors: [] });
    const closed = await fetch(`${gateway.baseUrl}${pathname}`);
    expect(closed.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

/** Inferno's client list (suite `smart_client_stu2_2`), by its ids: the EHR of the tests checks what a launched client has to send, and says what was wrong. */
describe.each([
  ['public', 'alp'],
  ['symmetric', 'alcs'],
  ['asymmetric', 'alca'],
] as const)('smart_client_stu2_2 with a client that is %s', (clientType, suffix) => {
  let ground: LaunchGround;
  let patientId: string;
  let ended: EndedLaunch;

  beforeAll(async () => {
    ground = await LaunchGround.start(gateway, { hasAuthorizationElsewhere: true });
    await ground.register(clientType);
    const known = await ground.know(['W1']);
    patientId = known.ehrId;
    ended = await new LaunchBrowser(gateway.baseUrl, HTML).follow(ground.launch(patientId));
  });
  afterAll(() => ground?.ehr.stop());

  it(`smart_client_registration_${suffix}: is the registered client at its registered addresses`, () => {
    const [, authorize] = ended.asked;
    expect(new URL(authorize!).searchParams.get('client_id')).toBe(CLIENT_ID);
    expect(new URL(authorize!).origin).toBe(ground.ehr.authorizationOrigin);
  });

  it(`smart_client_access_${suffix}_interaction: gets a token and reads what it was given access to`, () => {
    expect(outcomeOf(ended)).toBe('opened');
    expect(ground.ehr.control.objections).toEqual([]);
  });

  it('smart_client_authorization_request_verification: says everything that an authorization needs, once each', () => {
    const [launch, authorize] = ended.asked.map((url) => new URL(url).searchParams);
    expect([...authorize!.keys()].sort()).toEqual(
      [
        'aud',
        'client_id',
        'code_challenge',
        'code_challenge_method',
        'launch',
        'nonce',
        'redirect_uri',
        'response_type',
        'scope',
        'state',
      ].sort(),
    );
    expect(Object.fromEntries(authorize!)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: ground.addresses.redirect,
      launch: launch!.get('launch'),
      aud: ground.ehr.fhirBaseUrl,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
      scope: 'launch openid fhirUser patient/Patient.r patient/Encounter.rs',
    });
    // 256 bits each; the least are 122.
    for (const name of ['state', 'nonce']) expect(authorize!.get(name)!.length).toBeGreaterThanOrEqual(43);
  });

  it(`smart_client_token_request_${suffix}_verification: redeems the code of this session, with another jti and verifier each time`, async () => {
    const before = ground.ehr.control.calls.filter(({ path }) => path === '/oauth2/token').length;
    const again = await new LaunchBrowser(gateway.baseUrl, HTML).follow(ground.launch(patientId));
    expect(outcomeOf(again)).toBe('opened');
    const calls = ground.ehr.control.calls.filter(({ path }) => path === '/oauth2/token');
    expect(calls.slice(before).map(({ status }) => status)).toEqual([200]);
    const challenges = [ended, again].map(({ asked }) => new URL(asked[1]!).searchParams.get('code_challenge'));
    expect(new Set(challenges).size).toBe(2);
    expect(ground.ehr.control.objections).toEqual([]);
  });

  it('smart_client_token_use_verification: reads the open chart with the token, and nothing else', () => {
    const read = ground.ehr.control.calls.filter(
      ({ path }) => path.startsWith('/fhir/') && !path.includes('.well-known'),
    );
    expect(new Set(read.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set([`GET /fhir/Patient/${patientId}`, `GET /fhir/Practitioner/${ground.practitionerId}`]),
    );
    expect(read.every(({ query }) => query === '')).toBe(true);
  });
});
