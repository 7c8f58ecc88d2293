import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { answerWith, ID_TOKEN_FAULTS, type Fault, type LaunchFault } from '../../support/fake-ehr/index.js';
import type { SharedGateway } from '../../support/gateway.js';
import { LaunchBrowser, outcomeOf } from '../../support/launch-browser.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  LaunchGround,
  PATIENT_SYSTEM,
  SCOPES,
  type KnownPatient,
} from '../../support/launch-ground.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const HTML = { accept: 'text/html' };

/** Wrong answers of the authorization server that are not the id_token's, and what is said of each. */
const FAULTS: readonly (readonly [LaunchFault, string])[] = [
  ['access-denied', 'launch.refused'],
  ['server-error', 'launch.refused'],
  ['wrong-state', 'launch.state'],
  ['no-state', 'launch.state'],
  ['no-code', 'launch.answer'],
  ['other-iss', 'launch.answer'],
  ['invalid-grant', 'launch.answer'],
  ['invalid-client', 'launch.answer'],
  ['no-patient', 'launch.patient_unknown'],
  ['no-access-token', 'launch.answer'],
  ['token-type-mac', 'launch.answer'],
];
/** Who they name is the matter, not how. */
const OF_PERSONS: Partial<Record<LaunchFault, string>> = {
  'id-no-fhir-user': 'launch.person',
  'id-fhir-user-is-patient': 'launch.person',
};

const answering = (status: number, headers: Readonly<Record<string, string>>, body: string): Fault => ({
  kind: 'answer',
  answer: { status, headers, bytes: Buffer.from(body) },
});
const patientBody = (fields: object) =>
  answering(200, { 'content-type': 'application/fhir+json' }, JSON.stringify({ resourceType: 'Patient', ...fields }));

describe('a launch that opens nothing', () => {
  let gateway: SharedGateway;
  let ground: LaunchGround;
  let ehrId: string;
  let known: KnownPatient;

  beforeAll(async () => {
    gateway = await sharedGateway();
    ground = await LaunchGround.start(gateway);
    ehrId = await ground.register();
    known = await ground.know(['W1']);
  });
  afterEach(() => {
    ground.ehr.control.mend();
    ground.ehr.control.changeDiscovery({});
  });
  afterAll(() => ground?.ehr.stop());

  const browse = () => new LaunchBrowser(gateway.baseUrl, HTML);
  /** What was read of the EHR before may not answer for what it says now. */
  const anew = () => ground.change(ehrId, { name: `Fake EHR ${performance.now()}` });
  const outcome = async (context: Parameters<LaunchGround['launch']>[1] = {}, patientId = known.ehrId) =>
    outcomeOf(await browse().follow(ground.launch(patientId, context)));
  const linksMade = async (): Promise<number> =>
    (
      await queryDatabase<{ n: number }>(
        gateway.databaseUrl,
        'select count(*)::int as n from review_links where organization_id = $1',
        [ground.organizationId],
      )
    )[0]!.n;

  it.each(ID_TOKEN_FAULTS)('is one with a wrong id_token: %s', async (fault) => {
    const before = await linksMade();
    expect(await outcome({ fault })).toBe(OF_PERSONS[fault] ?? 'launch.answer');
    expect(await linksMade()).toBe(before);
  });

  it.each(FAULTS)('is one whose authorization server answers with %s', async (fault, code) => {
    const before = await linksMade();
    expect(await outcome({ fault })).toBe(code);
    expect(await linksMade()).toBe(before);
  });

  it('is one of an iss that is not registered, and nothing is asked of it', async () => {
    let asked = 0;
    const stranger = createServer((_request, response) => {
      asked += 1;
      response.end('{}');
    });
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    const iss = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/fhir`;
    const { fhirBaseUrl } = ground.ehr;
    const foreign = [
      iss,
      `${fhirBaseUrl}2`,
      `${fhirBaseUrl}?x=1`,
      `${fhirBaseUrl}#x`,
      fhirBaseUrl.replace('://', '://a:b@'),
      'javascript:1',
      'fhir',
    ];
    for (const one of foreign)
      expect(
        outcomeOf(
          await browse().follow(`${ground.launchUrl}?${new URLSearchParams({ iss: one, launch: 'x' }).toString()}`),
        ),
      ).toBe('launch.unknown');
    expect(asked).toBe(0);
    await new Promise((done) => stranger.close(done));
  });

  it('is one without iss or launch, with either twice, or too long', async () => {
    const iss = encodeURIComponent(ground.ehr.fhirBaseUrl);
    const queries = [
      '',
      `iss=${iss}`,
      'launch=x',
      `iss=${iss}&iss=${iss}&launch=x`,
      `iss=${iss}&launch=${'x'.repeat(4097)}`,
    ];
    for (const query of queries)
      expect(outcomeOf(await browse().follow(`${ground.launchUrl}?${query}`))).toBe('request.invalid');
  });

  it('is one whose answer comes a second time, to another browser, or to one without its cookie', async () => {
    const browser = browse();
    const { asked } = await browser.follow(ground.launch(known.ehrId));
    const callback = asked.at(-1)!;
    expect(outcomeOf({ answer: await browser.go(callback), location: null, asked })).toBe('launch.state');

    const other = browse();
    await other.go(ground.launch(known.ehrId));
    const victim = browse();
    const swapped = await victim.follow(ground.launch(known.ehrId), async (url) => {
      if (!url.includes('/callback')) return url;
      // The answer arrives where another launch was begun.
      const answer = await other.go(url);
      expect(answer.bytes.toString('utf8')).toContain('<code>launch.state</code>');
      return url;
    });
    expect(outcomeOf(swapped)).toBe('launch.state');

    const forgetful = browse();
    const lost = await forgetful.follow(ground.launch(known.ehrId), (url) => {
      if (url.includes('/callback')) forgetful.forgetCookies();
      return url;
    });
    expect(outcomeOf(lost)).toBe('launch.cookie');
    expect(lost.answer.bytes.toString('utf8')).toMatch(/<a href="[^"]+\/launch\?iss=[^"]+" target="_blank"/);
  });

  it('is one with a code that was redeemed before, or that comes from elsewhere', async () => {
    let code = '';
    const first = await browse().follow(ground.launch(known.ehrId), (url) => {
      code = new URL(url).searchParams.get('code') ?? code;
      return url;
    });
    expect(outcomeOf(first)).toBe('opened');
    const withCode = (text: string) => (url: string) => {
      const address = new URL(url);
      if (address.searchParams.has('code')) address.searchParams.set('code', text);
      return address.href;
    };
    for (const text of [code, 'made-up'])
      expect(outcomeOf(await browse().follow(ground.launch(known.ehrId), withCode(text)))).toBe('launch.answer');
    const twice = await browse().follow(ground.launch(known.ehrId), (url) =>
      url.includes('code=') ? `${url}&code=x` : url,
    );
    expect(outcomeOf(twice)).toBe('launch.answer');
  });

  it('is one that comes back to the redirect address of another registration, which redeems nothing', async () => {
    const elsewhere = await LaunchGround.start(gateway);
    try {
      const otherId = await elsewhere.register();
      const tokensAsked = () => ground.ehr.control.calls.filter(({ path }) => path.endsWith('/token')).length;
      const before = tokensAsked();
      for (const other of [otherId, ehrId.toUpperCase(), 'x']) {
        const browser = browse();
        const ended = await browser.follow(ground.launch(known.ehrId), (url) =>
          url.includes('/callback/') ? url.replace(ehrId, other) : url,
        );
        expect([other, outcomeOf(ended)]).toEqual([other, 'launch.state']);
        // It is used up, at its own address too.
        const own = ended.asked.at(-1)!.replace(`/callback/${other}`, `/callback/${ehrId}`);
        if (other === otherId)
          expect(outcomeOf({ answer: await browser.go(own), location: null, asked: [] })).toBe('launch.state');
      }
      const unnamed = await browse().follow(ground.launch(known.ehrId), (url) =>
        url.replace(`/callback/${ehrId}`, '/callback'),
      );
      expect(unnamed.answer.status).toBe(404);
      expect(tokensAsked()).toBe(before);
    } finally {
      await elsewhere.ehr.stop();
    }
  });

  it('is one whose answer does not say who gives it, where the EHR states that it does', async () => {
    await anew();
    ground.ehr.control.changeDiscovery({ authorization_response_iss_parameter_supported: true });
    expect(await outcome()).toBe('launch.answer');
    ground.ehr.control.changeDiscovery({});
    await anew();
  });

  it('is one that is signed with the keys of another organization than the EHR trusts', async () => {
    const elsewhere = await LaunchGround.start(gateway);
    try {
      await elsewhere.register('asymmetric');
      const mine = await elsewhere.know(['W1']);
      const here = async () => outcomeOf(await browse().follow(elsewhere.launch(mine.ehrId)));
      expect(await here()).toBe('opened');
      const { keys } = ground.addresses;
      elsewhere.ehr.control.registerClient({
        clientId: CLIENT_ID,
        type: 'asymmetric',
        redirectUris: [elsewhere.addresses.redirect],
        scopes: SCOPES,
        jwksUrl: keys,
      });
      expect(await here()).toBe('launch.answer');
    } finally {
      await elsewhere.ehr.stop();
    }
  });

  it('is one whose registration is changed between its return and its desk', async () => {
    const act = async (): Promise<void> => {
      expect((await ground.change(ehrId, { origins: ['https://login.example.org'] })).status).toBe(200);
    };
    ground.ehr.control.plan({ kind: 'before', act }, { path: `/fhir/Patient/${known.ehrId}` });
    expect(await outcome()).toBe('launch.state');
    // Those that there were have ended, too.
    expect(await linksMade()).toBe(0);
    await ground.change(ehrId, { origins: [] });
    expect(await outcome()).toBe('opened');
  });

  it('is one that is too old, or whose registration lost its launch meanwhile', async () => {
    const onTheWay = (sql: string) => async (url: string) => {
      if (url.includes('/callback')) await queryDatabase(gateway.databaseUrl, sql, []);
      return url;
    };
    const old = await browse().follow(
      ground.launch(known.ehrId),
      onTheWay(
        `update ehr_launches set expires_at = now() - interval '1 second' where organization_id = '${ground.organizationId}'`,
      ),
    );
    expect(outcomeOf(old)).toBe('launch.state');
    const off = await browse().follow(ground.launch(known.ehrId), async (url) => {
      if (url.includes('/callback')) expect((await ground.change(ehrId, { launch: null })).status).toBe(200);
      return url;
    });
    // What was on its way ends with what it was let in by.
    expect(outcomeOf(off)).toBe('launch.state');
    expect(await outcome()).toBe('launch.unknown');
    const again = await ground.change(ehrId, {
      launch: { clientId: CLIENT_ID, clientType: 'symmetric', clientSecret: CLIENT_SECRET, people: 'review' },
    });
    expect(again.status).toBe(200);
    expect(await outcome()).toBe('opened');
  });

  it.each<readonly [string, object]>([
    ['offers plain PKCE', { code_challenge_methods_supported: ['plain'] }],
    ['offers no PKCE', { code_challenge_methods_supported: undefined }],
    ['authorizes at another origin', { authorization_endpoint: 'https://evil.example/authorize' }],
    ['redeems at another origin', { token_endpoint: 'https://evil.example/token' }],
    ['redeems at an address inside', { token_endpoint: 'http://169.254.169.254/latest/meta-data' }],
    ['has its keys at another port of this machine', { jwks_uri: 'http://127.0.0.1:1/keys' }],
  ])('is one of an EHR that %s', async (_what, changes) => {
    await anew();
    ground.ehr.control.changeDiscovery({ ...changes });
    expect(await outcome()).toBe('launch.answer');
  });

  it('is one of an EHR whose discovery is a redirect, a page of a proxy, too large, or broken off', async () => {
    const place = { path: '/.well-known/smart-configuration' };
    const faults: readonly (readonly [Fault, string])[] = [
      [answering(302, { location: `${ground.ehr.fhirBaseUrl}/.well-known/smart-configuration` }, ''), 'launch.answer'],
      [{ kind: 'garbage' }, 'launch.answer'],
      [{ kind: 'huge', bytes: 4 * 1024 * 1024 }, 'launch.answer'],
      [{ kind: 'drop-before' }, 'launch.unreachable'],
      [answerWith(503), 'launch.answer'],
    ];
    for (const [fault, code] of faults) {
      await anew();
      ground.ehr.control.mend();
      ground.ehr.control.plan(fault, place);
      expect(await outcome()).toBe(code);
    }
    // What went wrong once is not remembered.
    expect(await outcome()).toBe('opened');
  });

  it('is one of an EHR whose token endpoint or keys redirect, are too large, or break off', async () => {
    const faults: readonly (readonly [Fault, string, string])[] = [
      [
        answering(302, { location: `${ground.ehr.authorizationOrigin}/oauth2/token` }, ''),
        '/oauth2/token',
        'launch.answer',
      ],
      [answering(204, {}, ''), '/oauth2/token', 'launch.answer'],
      [{ kind: 'huge', bytes: 4 * 1024 * 1024 }, '/oauth2/token', 'launch.answer'],
      [{ kind: 'drop-after' }, '/oauth2/token', 'launch.unreachable'],
      [answering(301, { location: 'https://evil.example/keys' }, ''), '/oauth2/jwks', 'launch.answer'],
      [{ kind: 'garbage' }, '/oauth2/jwks', 'launch.answer'],
      [{ kind: 'drop-before' }, '/oauth2/jwks', 'launch.unreachable'],
    ];
    for (const [fault, path, code] of faults) {
      ground.ehr.control.mend();
      ground.ehr.control.plan(fault, { path });
      expect([path, await outcome()]).toEqual([path, code]);
    }
  });

  it('is one of an EHR that takes longer than ten seconds', async () => {
    await anew();
    ground.ehr.control.plan({ kind: 'hang-before' }, { path: '/.well-known/smart-configuration' });
    expect(await outcome()).toBe('launch.unreachable');
  });

  it('is one whose Patient is another, may not be read, or is none', async () => {
    const place = { path: `/fhir/Patient/${known.ehrId}` };
    const other = await ground.know([]);
    const faults: readonly (readonly [Fault, string])[] = [
      [
        patientBody({ id: other.ehrId, identifier: [{ system: PATIENT_SYSTEM, value: known.number }] }),
        'launch.answer',
      ],
      [answerWith(403), 'launch.answer'],
      [answerWith(500), 'launch.answer'],
      [
        answering(200, { 'content-type': 'application/fhir+json' }, '{"resourceType":"Group","id":"1"}'),
        'launch.answer',
      ],
      [patientBody({ id: known.ehrId }), 'launch.patient_unknown'],
      [
        patientBody({ id: known.ehrId, identifier: [{ system: 'urn:oid:2.999.9', value: known.number }] }),
        'launch.patient_unknown',
      ],
      [
        patientBody({ id: known.ehrId, identifier: [{ system: PATIENT_SYSTEM, value: known.number, use: 'old' }] }),
        'launch.patient_unknown',
      ],
      [
        patientBody({
          id: known.ehrId,
          identifier: [{ system: PATIENT_SYSTEM, value: known.number, period: { end: '2026-01-01' } }],
        }),
        'launch.patient_unknown',
      ],
    ];
    for (const [fault, code] of faults) {
      ground.ehr.control.mend();
      ground.ehr.control.plan(fault, place);
      expect(await outcome()).toBe(code);
    }
  });

  it('is one of a patient who is not known or has several numbers, or whose Encounter is another’s; the trail has it', async () => {
    // An organization of its own: the trail names nobody where many kinds of refusals fall into one minute.
    const own = await LaunchGround.start(gateway);
    const ownEhrId = await own.register();
    const ownKnown = await own.know(['W1']);
    const outcomeHere = async (context: Parameters<LaunchGround['launch']>[1] = {}, patientId = ownKnown.ehrId) =>
      outcomeOf(await browse().follow(own.launch(patientId, context)));
    const other = await own.know([]);
    const encounterId = own.ehr.control.addEncounter({ patientId: ownKnown.ehrId });
    const subject = { reference: `Patient/${other.ehrId}` };
    const swapped = JSON.stringify({ resourceType: 'Encounter', id: encounterId, subject });
    own.ehr.control.plan(answering(200, { 'content-type': 'application/fhir+json' }, swapped), {
      path: `/fhir/Encounter/${encounterId}`,
    });
    expect(await outcomeHere({ encounterId })).toBe('launch.patient_unclear');

    const stranger = await own.know([]);
    expect(await outcomeHere({}, stranger.ehrId)).toBe('launch.patient_unknown');

    const both = await own.know(['W1']);
    const second = await own.know(['W1']);
    const ehrPatient = own.ehr.control.addPatient({
      identifiers: [both.number, second.number].map((value) => ({ system: PATIENT_SYSTEM, value })),
    });
    expect(await outcomeHere({}, ehrPatient)).toBe('launch.patient_unknown');

    await eventually('the refusals are in the trail', async () => {
      const rows = await queryDatabase<{ refusal: string; person: string; key: string; door: string }>(
        gateway.databaseUrl,
        `select distinct refusal, person, key_id as key, door from audit_events
          where organization_id = $1 and person is not null and refusal like 'launch.patient_%' order by refusal`,
        [own.organizationId],
      );
      const person = `Practitioner/${own.practitionerId}`;
      expect(rows).toEqual([
        { refusal: 'launch.patient_unclear', person, key: ownEhrId, door: 'ehr' },
        { refusal: 'launch.patient_unknown', person, key: ownEhrId, door: 'ehr' },
      ]);
      return true;
    });
    await own.ehr.stop();
  });

  it('is one of a patient whose birth date here is another', async () => {
    const value = `B${performance.now()}`;
    const born = (birthDate: string) => ({
      resourceType: 'Patient',
      identifier: [{ system: PATIENT_SYSTEM, value }],
      birthDate,
    });
    await ground.announce(value, '1951-07-14');
    await ground.report(value, 'W1', 1);
    expect(await outcome({}, ground.ehr.control.addResource(born('1951-07-15')))).toBe('launch.patient_unclear');
    expect(await outcome({}, ground.ehr.control.addResource(born('1951-07-14')))).toBe('opened');
  });

  it('is one to another redirect address than the EHR has registered', async () => {
    ground.registerClient('symmetric', ['https://elsewhere.example/launch/callback']);
    const { answer } = await browse().follow(ground.launch(known.ehrId));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    ground.registerClient('symmetric');
    expect(await outcome()).toBe('opened');
  });

  it('shows nothing of another organization, though its patient has the same number', async () => {
    const elsewhere = await LaunchGround.start(gateway);
    try {
      await elsewhere.register();
      const ehrPatient = elsewhere.ehr.control.addPatient({
        identifiers: [{ system: PATIENT_SYSTEM, value: known.number }],
      });
      const ended = await browse().follow(elsewhere.launch(ehrPatient));
      expect(outcomeOf(ended)).toBe('launch.patient_unknown');
      const { status, body } = await gateway.admin('POST', `/organizations/${elsewhere.organizationId}/ehrs`, {
        environment: 'live',
        name: 'Somebody else’s',
        fhirBaseUrl: ground.ehr.fhirBaseUrl,
      });
      expect([status, body.code]).toEqual([409, 'ehr.taken']);
    } finally {
      await elsewhere.ehr.stop();
    }
  });

  it('tells a program as every route does, and keeps tokens, codes and names out of the log', async () => {
    const program = new LaunchBrowser(gateway.baseUrl, { accept: 'application/json' });
    const ended = await program.follow(
      ground.launch(known.ehrId, { fault: 'id-wrong-nonce', userName: 'Nobody Inthelog' }),
    );
    expect([ended.answer.status, ended.answer.body.code]).toEqual([401, 'launch.answer']);
    const code = new URL(ended.asked.at(-1)!).searchParams.get('code')!;
    expect(gateway.events('launch.refused').at(-1)).toMatchObject({ ehrId, code: 'launch.answer' });
    for (const secret of [code, known.number, 'Inthelog', CLIENT_SECRET]) expect(gateway.logs).not.toContain(secret);
  });
});
