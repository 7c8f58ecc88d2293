import { readFileSync } from 'node:fs';
import { randomInt, randomUUID } from 'node:crypto';
// The gateway says how long a caller waits: the wait is what it asked for.
// eslint-disable-next-line sutura/no-waiting-for-time
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEvent, Bundle, CapabilityStatement } from '@medplum/fhirtypes';
import { SignJWT } from 'jose';
import { ALL_SCOPES, startGateway, type Gateway } from '../../support/gateway.js';
import { ApiClient, expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { askToken, makeClientKey, signAssertion, type ClientKey } from '../../support/smart-client.js';
import { AdminBrowser } from '../../support/admin-browser.js';
import { keepHeldItem } from '../../support/held-item.js';
import { roundsOf } from '../../support/rounds.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { routesOfCapabilities, routesOfOpenApi, routesOfOperations, type MatrixRoute } from './matrix-routes.js';
import { OPERATION_SCOPES, PAGE, rowAbout, TYPE_RIGHTS } from './matrix-page.js';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const LETTERS = ['c', 'r', 'u', 'd', 's'] as const;
const FHIR_JSON = { 'content-type': 'application/fhir+json' };
const MRN = 'MRN-MATRIX-4711';
const AT_ONCE = 12;

/** At night every caller asks for everything. */
const IS_NIGHT = roundsOf(1) > 1;

/** Every `of`-th, from `place` on: of what a guard says alike of each, where another caller is asked for all. */
function shareOf<T>(all: readonly T[], place: number, of: number): readonly T[] {
  return IS_NIGHT ? all : all.filter((_, index) => index % of === place % of);
}

/** Whether a caller with these scopes of keys may ask for it. */
function opens(route: MatrixRoute, scopes: readonly string[], writer = false): boolean {
  const named = route.oneOf.length === 0 || route.oneOf.some((scope) => scopes.includes(scope));
  return route.allOf.every((scope) => scopes.includes(scope)) && (named || writer);
}

describe('every route, asked by every kind of caller, as docs/conformance/access.md says', () => {
  let gateway: Gateway;
  let organization: string;
  let routes: MatrixRoute[];
  let owner: ApiClient;
  let clientKey: ClientKey;
  let clientId: string;
  let revokedClientId: string;

  beforeAll(async () => {
    // Refused tries are counted for each address, and all requests of the test come from one.
    gateway = await startGateway({
      roles: 'api,worker',
      env: {
        TRUST_PROXY: 'loopback',
        SUTURA_ALLOW_RESEARCH_MODEL: 'true',
        FHIR_ERASE: 'true',
        SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8',
      },
    });
    organization = await gateway.createOrganization();
    owner = new ApiClient(gateway.baseUrl, (await gateway.createKey(organization)).key);
    clientKey = await makeClientKey('ES384');
    clientId = await register(organization, 'test');
    revokedClientId = await register(organization, 'test');
    const capabilities = (await owner.request('GET', '/fhir/metadata')).body as CapabilityStatement;
    const operations = routesOfOperations(capabilities, OPERATION_SCOPES, TYPE_RIGHTS);
    const served = await answersOf(operations, owner.key);
    routes = [
      ...routesOfOpenApi(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as never),
      ...routesOfCapabilities(capabilities, TYPE_RIGHTS),
      ...operations.filter(({ name }) => served.get(name) !== '404 route-not-found'),
    ];
  });
  afterAll(() => gateway?.stop());

  const addressOf = () => ({
    'x-forwarded-for': `192.0.2.${randomInt(1, 255)}, 198.51.${randomInt(256)}.${randomInt(256)}`,
  });

  const ask = (
    route: MatrixRoute,
    key: string | null,
    idFor: (name: string) => string = () => UNKNOWN,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => idFor(name));
    const json =
      route.json === undefined ? undefined : JSON.parse(JSON.stringify(route.json).replaceAll('{id}', idFor('id')));
    return send(route.method, `${gateway.baseUrl}${path}`, {
      key,
      headers: { ...route.headers, ...addressOf(), ...more },
      ...(json === undefined ? {} : { json }),
    });
  };

  const said = ({ status, body }: Answer): string =>
    `${status} ${body?.code ?? body?.issue?.[0]?.details?.coding?.[0]?.code ?? ''}`.trim();

  /** What each route said, by its name. */
  async function answersOf(
    asked: readonly MatrixRoute[],
    key: string | null,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Map<string, string>> {
    const answers = new Map<string, string>();
    for (let first = 0; first < asked.length; first += AT_ONCE) {
      const some = asked.slice(first, first + AT_ONCE);
      const got = await Promise.all(some.map((route) => ask(route, key, undefined, more)));
      some.forEach(({ name }, place) => answers.set(name, said(got[place]!)));
    }
    return answers;
  }

  const register = async (of: string, environment: 'test' | 'live'): Promise<string> => {
    const answer = await gateway.admin('POST', `/organizations/${of}/clients`, {
      name: 'EHR',
      environment,
      scopes: ['system/*.cruds', 'system/AuditEvent.rs'],
      jwks: { keys: [clientKey.publicJwk] },
    });
    return expectStatus(201, answer).body.clientId as string;
  };

  const tokenOf = async (client: string, scope = 'system/*.cruds'): Promise<string> => {
    const tokenUrl = `${gateway.baseUrl}/auth/token`;
    for (;;) {
      const assertion = await signAssertion(client, tokenUrl, clientKey);
      const answer = await askToken(tokenUrl, { scope, client_assertion: assertion });
      if (answer.status !== 429) return expectStatus(200, answer).body.access_token as string;
      await delay(Number(answer.headers.get('retry-after')) * 1000);
    }
  };

  /** A token as the service signed it six minutes ago. */
  const expiredToken = async (): Promise<string> => {
    await tokenOf(clientId);
    const [kept] = await queryDatabase<{ version: number; secret: Buffer }>(
      gateway.databaseUrl,
      `select version, secret from service_secrets where name = 'access-token'`,
    );
    const nowS = Math.floor(Date.now() / 1000);
    return new SignJWT({ org: organization, env: 'test', scope: 'system/*.cruds' })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: String(kept!.version) })
      .setIssuer('sutura')
      .setSubject(clientId)
      .setJti(randomUUID())
      .setIssuedAt(nowS - 360)
      .setExpirationTime(nowS - 60)
      .sign(kept!.secret);
  };

  const revokedKey = async (): Promise<string> => {
    const { key, keyId } = await gateway.createKey(organization);
    await gateway.admin('DELETE', `/keys/${keyId}`);
    return key;
  };

  const expiredKey = async (): Promise<string> => {
    const { key, keyId } = await gateway.createKey(organization);
    await queryDatabase(
      gateway.databaseUrl,
      `update api_keys set expires_at = now() - interval '1 hour' where id = $1`,
      [keyId],
    );
    return key;
  };

  const ELSEWHERE = ['203.0.113.0/24', '2001:db8::/32'];
  const keyOfElsewhere = async (): Promise<string> => {
    const { key, keyId } = await gateway.createKey(organization);
    expectStatus(200, await gateway.admin('PATCH', `/keys/${keyId}`, { allowedNetworks: ELSEWHERE }));
    return key;
  };

  const tokenOfElsewhere = async (): Promise<string> => {
    const client = await register(organization, 'test');
    const token = await tokenOf(client);
    expectStatus(200, await gateway.admin('PATCH', `/clients/${client}`, { allowedNetworks: ELSEWHERE }));
    return token;
  };

  const tokenOfRevokedClient = async (): Promise<string> => {
    const token = await tokenOf(revokedClientId);
    await gateway.admin('DELETE', `/clients/${revokedClientId}`);
    return token;
  };

  it('knows the routes of every door', () => {
    const count = (door: MatrixRoute['door']) => routes.filter((route) => route.door === door).length;
    expect(count('native')).toBeGreaterThan(30);
    expect(count('admin')).toBeGreaterThan(30);
    expect(count('fhir')).toBeGreaterThan(100);
  });

  it('without a credential', async () => {
    const expected = rowAbout('without a credential');
    const answers = await answersOf(routes, null);
    expect(answers).toEqual(new Map(routes.map(({ name, door }) => [name, expected[door]])));
  });

  it.each<[string, () => Promise<string>, number]>([
    ['with a key that is not ours', async () => `sut_test_${'0'.repeat(38)}`, 0],
    ['with a token that is not ours', async () => 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6IjEifQ.e30.AAAA', 1],
    ['with a revoked key', revokedKey, 2],
    ['with an expired key', expiredKey, 3],
    ['with a key or token outside its networks', keyOfElsewhere, 0],
    ['with a key or token outside its networks', tokenOfElsewhere, 1],
    ['with a token of a revoked client', tokenOfRevokedClient, 6],
    ['with an expired token', expiredToken, 7],
  ])('%s', async (caller, credential, place) => {
    const expected = rowAbout(caller);
    // Of two credentials of one kind each is asked for the half that the other is not.
    const asked = shareOf(routes, place, caller.includes('networks') ? 2 : 3);
    const answers = await answersOf(asked, await credential());
    expect(answers).toEqual(new Map(asked.map(({ name, door }) => [name, expected[door]])));
  });

  it.each<[string, () => Promise<string>, number]>([
    ['key', async () => owner.key!, 0],
    ['token', () => tokenOf(clientId), 1],
  ])('with a person whom its key or token may not name: a %s', async (_, credential, place) => {
    const expected = rowAbout('with a person whom its key or token may not name');
    const asked = shareOf(routes, place, 2);
    const answers = await answersOf(asked, await credential(), { 'x-sutura-user': 'HCP-0042' });
    expect(answers).toEqual(new Map(asked.map(({ name, door }) => [name, expected[door]])));
  });

  it.each<[string, () => string | null]>([
    ['with the operator’s credential', () => gateway.adminToken],
    ['with a key that has every scope', () => owner.key],
  ])('%s', async (caller, credential) => {
    const expected = rowAbout(caller);
    // What an operator's example would change is of no organization that there is.
    const needsPerson = ({ role, operationId }: MatrixRoute) => role === 'session' || operationId === 'openReviewDesk';
    const asked = routes.filter((route) => !needsPerson(route) || credential() !== gateway.adminToken);
    const answers = await answersOf(asked, credential());
    for (const { name, door } of asked) {
      if (expected[door] === 'served')
        expect([name, answers.get(name)]).toEqual([name, expect.not.stringMatching(/^(401|403|5)/)]);
      else expect([name, answers.get(name)]).toEqual([name, expected[door]]);
    }
  });

  describe('with the session of a user', () => {
    const ROLES = ['viewer', 'reviewer', 'integrator', 'admin'] as const;
    const needs = (route: MatrixRoute): string => {
      const cell = PAGE.find(([names = '']) => names.split(', ').includes(`\`${route.operationId}\``))?.[1];
      if (cell === undefined) throw new Error(`${route.operationId} is in no row of access.md.`);
      return cell;
    };
    const mayAsk = (role: string, need: string): boolean =>
      need === 'any session' ||
      need === 'role viewer' ||
      (need.startsWith('role ') && (role === 'admin' || need === `role ${role}`));
    /** Apart from the organization that nothing may change in. */
    let governed: string;
    beforeAll(async () => {
      governed = await gateway.createOrganization();
    });
    const admins = () => routes.filter(({ door }) => door === 'admin');
    const enter = async (role: string, of: string): Promise<AdminBrowser> => {
      const user = { name: `matrix-${role}-${randomInt(1e9)}`, roles: [{ organizationId: of, role }] };
      return new AdminBrowser(gateway).enter(expectStatus(201, await gateway.admin('POST', '/users', user)).body);
    };
    const headersOf = ({ cookie, csrfToken }: AdminBrowser) => ({ cookie, 'x-csrf-token': csrfToken });

    it('the page and the OpenAPI document say the same of each operation', () => {
      const stated = (role: string | undefined) =>
        role === undefined ? 'installation admin' : role === 'session' ? 'any session' : `role ${role}`;
      expect(admins().map((route) => [route.operationId, needs(route)])).toEqual(
        admins().map((route) => [route.operationId, stated(route.role)]),
      );
    });

    it.each(ROLES)('who is %s of the organization', async (role) => {
      const browser = await enter(role, governed);
      const refused = rowAbout('with the session of a user without the role').admin;
      // Those that end the session come last.
      const ends = ['logOut', 'changePassword'];
      const asked = admins().filter(({ operationId }) => !ends.includes(operationId!));
      const wrong: string[] = [];
      for (const route of asked) {
        const answer = await ask(ofOrganization(route, governed), null, () => governed, headersOf(browser));
        const isOwned = route.path.includes('{organizationId}') || ofOrganization(route, governed) !== route;
        const isOpen = mayAsk(role, needs(route)) && (isOwned || needs(route) === 'any session');
        const isRight = isOpen ? said(answer) !== refused && answer.status < 500 : said(answer) === refused;
        if (!isRight) wrong.push(`${route.name} as ${role}: ${said(answer)}`);
      }
      expect(wrong).toEqual([]);
    });

    it.each<[string, (browser: AdminBrowser) => Record<string, string>]>([
      ['with the session of a user of another organization', headersOf],
      ['with a session that ended', () => ({ cookie: `sutura-session=${'A'.repeat(43)}` })],
      [
        'with a session of which another site’s page makes use',
        (browser) => ({ ...headersOf(browser), origin: 'https://evil.example' }),
      ],
    ])('%s', async (caller, headers) => {
      const expected = rowAbout(caller);
      const browser = await enter('admin', await gateway.createOrganization());
      const asked = routes.filter(({ role }) => role !== 'session' || !caller.includes('another organization'));
      const answers = new Map<string, string>();
      for (const route of asked) {
        const named = route.door === 'admin' ? ofOrganization(route, governed) : route;
        answers.set(route.name, said(await ask(named, null, () => governed, headers(browser))));
      }
      expect(answers).toEqual(new Map(asked.map(({ name, door }) => [name, expected[door]])));
    });

    /** With the organization in query and body, where the operation has it there. */
    function ofOrganization(route: MatrixRoute, id: string): MatrixRoute {
      if (QUERIED.includes(route.operationId!)) return { ...route, path: `${route.path}?organizationId=${id}` };
      const json = route.json as Readonly<Record<string, unknown>> | undefined;
      if (json === undefined || !('organizationId' in json)) return route;
      return { ...route, json: { ...json, organizationId: id } };
    }
    const QUERIED = [
      'listHl7Listeners',
      'listHl7Destinations',
      'listHl7Messages',
      'exportHl7Messages',
      'listDeliveries',
      'listOrganizationWebhooks',
    ];
  });

  /** All that is closed to a caller, and every `of`-th of what is open, from `place` on: who has everything is asked for all of it. */
  const expectScopes = async (
    key: string,
    isOpen: (route: MatrixRoute) => boolean,
    [place, of]: readonly [place: number, of: number],
  ): Promise<void> => {
    const { native, fhir, admin } = rowAbout('with a key or token that lacks the scope');
    const share = new Set(shareOf(routes, place, of));
    const updates = routes.filter(({ door, name }) => door === 'fhir' && name.startsWith('PUT '));
    const isDeletion = ({ name }: MatrixRoute): boolean => name.startsWith('DELETE ');
    const asked = routes.filter((route) => !isOpen(route) || share.has(route));
    // An update of what is not there is a creation: all is there, and nothing is deleted before it was updated.
    await answersOf(updates, owner.key);
    const answers = new Map([
      ...(await answersOf(
        asked.filter((route) => !isDeletion(route)),
        key,
      )),
      ...(await answersOf(asked.filter(isDeletion), key)),
    ]);
    const wrong = asked.flatMap((route) => {
      const answer = answers.get(route.name)!;
      if (route.door === 'admin') return answer === admin ? [] : [`${route.name}: ${answer}`];
      const refusal = route.door === 'native' ? native : fhir;
      const isRight = isOpen(route) ? !/^(401|403|5)/.test(answer) : answer === refusal;
      return isRight ? [] : [`${route.name}: ${answer}, should ${isOpen(route) ? 'be served' : `be ${refusal}`}`];
    });
    expect(wrong).toEqual([]);
  };

  it.each(ALL_SCOPES)('with a key that lacks %s', async (scope) => {
    const scopes = ALL_SCOPES.filter((other) => other !== scope);
    const { key, keyId } = await gateway.createKey(organization, 'test', scopes);
    const isOpen = (route: MatrixRoute): boolean => {
      const write = TYPE_RIGHTS.get(route.type ?? '')?.write.replace(/`/g, '');
      return opens(route, scopes, route.isOwnReached && scopes.some((each) => each === write));
    };
    await expectScopes(key, isOpen, [ALL_SCOPES.indexOf(scope), ALL_SCOPES.length]);
    // A plan allows ten keys at once.
    expectStatus(204, await gateway.admin('DELETE', `/keys/${keyId}`));
  });

  /** The scopes of keys that a token has, by the table of the page. */
  const nativeScopesOf = (letters: string): string[] =>
    PAGE.flatMap(([scope = '', needed = '', types]) =>
      /^`[a-z]+:[a-z]+`$/.test(scope) &&
      types?.includes('Patient, BodyStructure') !== undefined &&
      [...needed.replace(/`/g, '')].every((letter) => letters.includes(letter))
        ? [scope.replace(/`/g, '')]
        : [],
    );

  it.each(LETTERS)('with a token that lacks the letter %s', async (letter) => {
    const letters = LETTERS.filter((other) => other !== letter).join('');
    const scopes = nativeScopesOf(letters);
    expect(scopes).not.toEqual([]);
    const isOpen = (route: MatrixRoute): boolean =>
      route.letter === undefined ? opens(route, scopes) : route.oneOf.length === 0 || route.letter !== letter;
    const token = await tokenOf(clientId, `system/*.${letters}`);
    await expectScopes(token, isOpen, [LETTERS.indexOf(letter), LETTERS.length]);
  });

  it('with a token that lacks the type', async () => {
    const interactions = routes.filter(({ type, oneOf }) => type !== undefined && oneOf.length > 0);
    const asked = [...new Set(interactions.map((route) => route.type!))];
    const tokenWithout = (missing: string | null) =>
      tokenOf(
        clientId,
        [...TYPE_RIGHTS.keys()]
          .filter((type) => type !== missing)
          .map((type) => `system/${type}.cruds`)
          .join(' '),
      );
    const isRefused = async (of: readonly MatrixRoute[], missing: string | null) =>
      [...(await answersOf(of, await tokenWithout(missing)))].map(([name, answer]) => [
        name,
        answer === '403 auth-scope',
      ]);
    expect(await isRefused(interactions, null)).toEqual(interactions.map(({ name }) => [name, false]));
    // Each token is asked for its own type and the next one.
    for (const [place, missing] of asked.entries()) {
      const pair = [missing, asked[(place + 1) % asked.length]];
      const some = interactions.filter(({ type }) => IS_NIGHT || pair.includes(type));
      expect([missing, await isRefused(some, missing)]).toEqual([
        missing,
        some.map(({ name, type }) => [name, type === missing]),
      ]);
    }
  });

  describe('and what belongs to another', () => {
    const strangers: Record<string, string> = {};
    let ids: Map<string, string>;
    let resources: { type: string; id: string }[];
    let before: string;

    beforeAll(async () => {
      const live = (await gateway.createKey(organization, 'live')).key;
      const other = await gateway.createOrganization();
      Object.assign(strangers, {
        'the same organization’s live key': live,
        'a key of another organization': (await gateway.createKey(other)).key,
        'a token of another organization’s client': await tokenOf(await register(other, 'test')),
        'a token of the same organization’s live client': await tokenOf(await register(organization, 'live')),
      });
      const job = await owner.analyse(await drawWoundPhoto(), { subject: { patientId: MRN, woundId: 'W-1' } });
      const webhook = expectStatus(
        201,
        await owner.request('POST', '/api/v1/webhooks', { json: { url: 'http://127.0.0.1:65000/x' } }),
      ).body;
      const report = (job.links.report as string).split('/').at(-1)!;
      const { body } = await owner.request('GET', `/api/v1/reports/${report}`);
      ids = new Map([
        ['/api/v1/analysis/jobs', job.id as string],
        ['/api/v1/images', job.imageId as string],
        ['/api/v1/reports', report],
        ['/api/v1/wounds', body.subject.woundRef as string],
        ['/api/v1/webhooks', webhook.id as string],
        ['/api/v1/held', await keepHeldItem(gateway.databaseUrl, organization)],
      ]);
      for (const [type, more] of [
        [
          'Encounter',
          { status: 'finished', class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' } },
        ],
        ['Organization', { name: 'Ward Beispiel' }],
        ['Practitioner', { name: [{ text: 'Nurse Beispiel' }] }],
      ] as const)
        expectStatus(
          201,
          await owner.request('POST', `/fhir/${type}`, { json: { resourceType: type, ...more }, headers: FHIR_JSON }),
        );
      resources = await resourcesOf(owner.key);
      before = await snapshot();
    });

    const typesSearched = () =>
      routes.filter(({ type, letter, method }) => type !== undefined && letter === 's' && method === 'GET');

    /** Everything that searches without criteria find, but for definitions, devices and the cards of models, which are the service's own. */
    const resourcesOf = async (key: string | null): Promise<{ type: string; id: string }[]> => {
      const found: { type: string; id: string }[] = [];
      for (const { path, type, oneOf } of typesSearched()) {
        // The trail grows with each request, those of strangers included.
        if (oneOf.length === 0 || type === 'Device' || type === 'AuditEvent') continue;
        const { body } = expectStatus(200, await send('GET', `${gateway.baseUrl}${path}`, { key }));
        for (const { resource } of (body as Bundle).entry ?? [])
          if (!resource!.id!.endsWith('-model-card')) found.push({ type: type!, id: resource!.id! });
      }
      return found;
    };

    /** All that the owner's tenant holds, but the trail of who asked, events on their way, and what the service counts by the clock. */
    const snapshot = async (): Promise<string> => {
      const tables = await queryDatabase<{ name: string }>(
        gateway.databaseUrl,
        `select table_name as name from information_schema.columns
           where table_schema = 'public' and column_name in ('organization_id', 'environment') and table_name !~ '^(audit_|api_|oauth_|webhook_|outbox_|event_logs|logged_events|service_samples)'
           group by table_name having count(*) = 2 order by table_name`,
      );
      expect(tables.length).toBeGreaterThan(10);
      const sums = tables.map(({ name }) =>
        queryDatabase(
          gateway.databaseUrl,
          `select count(*), md5(string_agg(t::text, ' ' order by t::text)) from ${name} t where organization_id = $1 and environment = 'test'`,
          [organization],
        ).then(([sum]) => [name, sum]),
      );
      return JSON.stringify(await Promise.all(sums));
    };

    /** Whose a credential is counts, not its kind: both keys are asked for all, each token for half. */
    const partOf = <T>(name: string, all: readonly T[]): readonly T[] =>
      name.startsWith('a token') ? shareOf(all, NAMES.indexOf(name), 2) : all;
    const NAMES = [
      'the same organization’s live key',
      'a key of another organization',
      'a token of another organization’s client',
      'a token of the same organization’s live client',
    ];

    it.each(NAMES)('%s gets for each native id what it gets for one that does not exist', async (name) => {
      const stranger = strangers[name]!;
      // Samples are the service's own, and everybody's.
      const withId = routes.filter(
        ({ door, path }) => door === 'native' && path.includes('{') && !path.startsWith('/api/v1/samples'),
      );
      for (const route of withId) {
        const own = [...ids].find(([prefix]) => route.path.startsWith(prefix))?.[1];
        if (own === undefined) throw new Error(`${route.name} has ids that this test does not know.`);
        const [foreign, missing] = [
          await ask(route, stranger, namesOf(own)),
          await ask(route, stranger, namesOf(UNKNOWN)),
        ];
        const isClosed = !opens(route, name.startsWith('a token') ? nativeScopesOf('cruds') : ALL_SCOPES);
        expect([route.name, foreign.status]).toEqual([route.name, isClosed ? 403 : 404]);
        expect([route.name, nameless(foreign, own)]).toEqual([route.name, nameless(missing, UNKNOWN)]);
      }
    });

    it.each(NAMES)('%s gets for each FHIR id what it gets for one that does not exist', async (name) => {
      const stranger = strangers[name]!;
      const withId = routes.filter(({ door, path }) => door === 'fhir' && path.includes('{id}'));
      const typeOf = ({ path }: MatrixRoute): string => path.split('/')[2]!;
      // By types, so that a DELETE follows each PUT.
      const types = partOf(name, [...new Set(withId.map(typeOf))]);
      for (const route of withId.filter((one) => types.includes(typeOf(one)))) {
        const type = typeOf(route);
        const own = resources.find((resource) => resource.type === type)?.id;
        if (own === undefined) continue;
        const [missing, foreign] = [
          await ask(route, stranger, namesOf(UNKNOWN)),
          await ask(route, stranger, namesOf(own)),
        ];
        expect([route.name, said(foreign)]).toEqual([route.name, said(missing)]);
        // A stranger's own PUT to the id makes a resource of theirs, which their DELETE takes away again: bare ones.
        if (route.method === 'GET' && foreign.status === 200)
          expect([route.name, JSON.stringify(foreign.body)]).not.toEqual([
            route.name,
            expect.stringMatching(/"(?:name|identifier|subject|patient|code)":/),
          ]);
        else if (route.method === 'GET')
          expect([route.name, [404, 410].includes(foreign.status)]).toEqual([route.name, true]);
      }
    });

    it.each(NAMES)('%s finds nothing of it, by whatever list, search, history or bundle', async (name) => {
      const stranger = strangers[name]!;
      const mine = [...ids.values(), ...resources.map(({ id }) => id), MRN];
      const lists = [
        ...routes
          .filter(({ door, method, path }) => door === 'native' && method === 'GET' && !path.includes('{'))
          .map(({ path }) => path),
        ...typesSearched().flatMap(({ path }) => [
          path,
          `${path}?_id=${resources
            .map(({ id }) => id)
            .slice(0, 50)
            .join()}`,
        ]),
        `/fhir/Patient?identifier=${MRN}`,
        `/fhir/Observation?subject.identifier=${MRN}`,
        '/fhir/Media?_include=*&_revinclude=*',
        '/fhir/_history',
      ];
      for (const path of partOf(name, lists)) {
        const answer = await send('GET', `${gateway.baseUrl}${path}`, { key: stranger });
        const { link: _links, ...all } = (answer.body ?? {}) as Record<string, unknown>;
        const shown = path.startsWith('/fhir/AuditEvent') ? withoutRefusals(all) : all;
        expect([path, mine.filter((id) => JSON.stringify(shown).includes(id) && !path.includes(id))]).toEqual([
          path,
          [],
        ]);
        if (path.includes('?_id=') || path.includes(MRN))
          expect([path, answer.body.total ?? 0, answer.body.entry ?? []]).toEqual([path, 0, []]);
      }
      const entry = resources.map(({ type, id }) => ({ request: { method: 'GET', url: `${type}/${id}` } }));
      const batch = await send('POST', `${gateway.baseUrl}/fhir`, {
        key: stranger,
        json: { resourceType: 'Bundle', type: 'batch', entry },
        headers: FHIR_JSON,
      });
      const answered = (batch.body as Bundle).entry ?? [];
      expect(answered.filter(({ response }) => !/^(?:404|410)/.test(response!.status))).toEqual([]);
      expect(answered).toHaveLength(entry.length);
    });

    it('leaves all of it as it was', async () => {
      expect(await snapshot()).toBe(before);
      expect(await resourcesOf(owner.key)).toEqual(resources);
    });

    /** A trail says which ids its own callers asked for in vain. */
    const withoutRefusals = (bundle: Partial<Bundle>) => ({
      ...bundle,
      entry: (bundle.entry ?? []).filter(({ resource }) => (resource as AuditEvent).outcome === '0'),
    });
    const namesOf =
      (id: string) =>
      (name: string): string =>
        name === 'name' ? 'mask' : name === 'version' ? '1' : id;

    const nameless = ({ status, body }: Answer, id: string): unknown => ({
      status,
      ...JSON.parse(JSON.stringify({ ...body, requestId: '' }).replaceAll(id, 'ID')),
    });
  });
});
