import 'reflect-metadata';
import { Controller, Get, Module, Post, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { ApiKeyRepository } from '../../core/organizations/api-key.repository.js';
import { OrganizationRepository } from '../../core/organizations/organization.repository.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { ClientRepository } from '../../core/organizations/client.repository.js';
import type { ApiKeyRecord, Caller } from '../../core/tenancy/api-key.js';
import { SCOPES, type Scope } from '../../core/tenancy/api-key.js';
import { ResourceOwners } from '../../core/users/resource-owners.js';
import { UserLogin } from '../../core/users/user-login.js';
import { UserRepository } from '../../core/users/user.repository.js';
import { readSettings } from '../../platform/config/settings.js';
import { ServiceSecrets } from '../../platform/database/service-secrets.js';
import { NotificationListener } from '../../platform/database/notification-listener.js';
import { HttpAdapter } from '../../platform/http/http.adapter.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { Logger } from '../../platform/logging/logger.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { IdentityModule } from '../identity.module.js';
import { AdminRoute, CurrentCaller, PublicRoute, RequiresScope } from '../index.js';
import { RandomKeyMint } from '../keys/random-key.mint.js';

const ADMIN_TOKEN = 'an-admin-token-of-this-test';
const keys = new Map<string, ApiKeyRecord>();

function issueKey(scopes: readonly Scope[], ended: Partial<ApiKeyRecord> = {}): string {
  const { text, sha256, prefix, lastFour } = new RandomKeyMint().mint('test');
  const record = {
    organizationId: 'organization-1',
    environment: 'test',
    prefix,
    lastFour,
    scopes,
    createdAt: new Date(),
    expiresAt: null,
    revokedAt: null,
    replacedBy: null,
    lastUsedAt: null,
    allowedNetworks: [],
    namesPersons: false,
  } as const;
  keys.set(Buffer.from(sha256).toString('hex'), { ...record, id: `key-${keys.size}`, ...ended });
  return text;
}

@Controller('guarded')
class GuardedController {
  @RequiresScope('images:write')
  @Post('images-write')
  imagesWrite(): object {
    return {};
  }

  @RequiresScope('analysis:write')
  @Post('analysis-write')
  analysisWrite(): object {
    return {};
  }

  @RequiresScope('analysis:read')
  @Get('analysis-read')
  analysisRead(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }

  @RequiresScope('analysis:read')
  @Post('Patient/_search')
  postedSearch(): object {
    return {};
  }

  @RequiresScope('analysis:review')
  @Post('analysis-review')
  analysisReview(): object {
    return {};
  }

  @RequiresScope('webhooks:manage')
  @Post('webhooks-manage')
  webhooksManage(): object {
    return {};
  }

  @RequiresScope('bulk:export')
  @Post('bulk-export')
  bulkExport(): object {
    return {};
  }

  @RequiresScope('audit:read')
  @Post('audit-read')
  auditRead(): object {
    return {};
  }

  @RequiresScope('patients:erase')
  @Post('patients-erase')
  patientsErase(): object {
    return {};
  }

  @PublicRoute()
  @Get('public')
  open(): object {
    return {};
  }

  @AdminRoute()
  @Get('admin')
  admin(): object {
    return {};
  }
}

@Controller('forgotten')
class ForgottenController {
  @Get()
  read(): object {
    return {};
  }
}

@Module({})
class FakeDatabaseModule {
  static register(): DynamicModule {
    const providers = [
      {
        provide: ApiKeyRepository,
        useValue: {
          findByDigest: (sha256: Uint8Array) => Promise.resolve(keys.get(Buffer.from(sha256).toString('hex')) ?? null),
          touch: () => Promise.resolve(),
        },
      },
      { provide: ClientRepository, useValue: { findAtOnce: () => Promise.resolve(null) } },
      { provide: ServiceSecrets, useValue: { find: () => Promise.resolve(null) } },
      { provide: AuditTrail, useValue: { recordNow: () => Promise.resolve() } },
      { provide: NotificationListener, useValue: { on: () => () => undefined } },
      {
        provide: UserRepository,
        useValue: { hasUsers: () => Promise.resolve(false), hasActiveAdmin: () => Promise.resolve(false) },
      },
      { provide: UserLogin, useValue: {} },
      { provide: UnitOfWork, useValue: {} },
      { provide: OrganizationRepository, useValue: {} },
      { provide: ResourceOwners, useValue: {} },
    ];
    return { module: FakeDatabaseModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}

@Module({})
class TestModule {}

async function startApp(controller: Type, environment: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
  const settings = readSettings(environment);
  const module = {
    module: TestModule,
    imports: [
      PlatformModule.register(settings, Logger.create('silent')),
      FakeDatabaseModule.register(),
      HttpModule,
      IdentityModule,
    ],
    controllers: [controller],
  };
  const app = await NestFactory.create<NestFastifyApplication>(module, new HttpAdapter(settings), {
    logger: false,
    abortOnError: false,
  });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

type Headers = Record<string, string>;

async function call(app: NestFastifyApplication, method: 'GET' | 'POST', path: string, headers: Headers = {}) {
  const answer = await app.inject({ method, url: `/guarded/${path}`, headers });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
}

const ROUTES = {
  'images:write': 'images-write',
  'analysis:write': 'analysis-write',
  'analysis:read': 'analysis-read',
  'analysis:review': 'analysis-review',
  'webhooks:manage': 'webhooks-manage',
  'bulk:export': 'bulk-export',
  'audit:read': 'audit-read',
  'patients:erase': 'patients-erase',
} as const;
const methodOf = (scope: Scope) => (scope === 'analysis:read' ? 'GET' : 'POST');

let app: NestFastifyApplication;

beforeAll(async () => {
  app = await startApp(GuardedController, {
    SUTURA_ADMIN_TOKEN: ADMIN_TOKEN,
    SUTURA_READS_PER_S: '1',
    SUTURA_READ_BURST: '5',
  });
});

afterAll(() => app.close());

test('the start fails where a route says nothing about who may call it', async () => {
  await expect(startApp(ForgottenController)).rejects.toThrow('ForgottenController.read');
});

describe('a request is refused', () => {
  const refusals: [string, () => Headers, string][] = [
    ['without a key', () => ({}), 'auth.missing'],
    ['with an empty key', () => ({ 'x-api-key': '' }), 'auth.missing'],
    [
      'with a token of another service',
      () => ({ authorization: 'Bearer eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.e30.AAAA' }),
      'auth.invalid',
    ],
    ['with another scheme', () => ({ authorization: 'Basic dXNlcjpwYXNz' }), 'auth.invalid'],
    ['with a key that has a typo', () => ({ authorization: `Bearer ${issueKey(SCOPES)}x` }), 'auth.invalid'],
    [
      'with a well-formed unknown key',
      () => ({ authorization: `Bearer ${new RandomKeyMint().mint('live').text}` }),
      'auth.invalid',
    ],
    ['with the key in the address only', () => ({}), 'auth.missing'],
    ['with a revoked key', () => ({ 'x-api-key': issueKey(SCOPES, { revokedAt: new Date() }) }), 'auth.revoked'],
    [
      'with an expired key',
      () => ({ 'x-api-key': issueKey(SCOPES, { expiresAt: new Date(Date.now() - 1) }) }),
      'auth.expired',
    ],
    ['with the admin credential', () => ({ authorization: `Bearer ${ADMIN_TOKEN}` }), 'auth.invalid'],
  ];

  test.each(refusals)('%s', async (_, headers, code) => {
    const answer = await call(app, 'GET', `analysis-read?key=${issueKey(SCOPES)}`, headers());
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' }, body: { code } });
  });

  describe.each(SCOPES)('with a key that lacks %s alone', (scope) => {
    test('on its route, and on no other', async () => {
      const headers = { authorization: `Bearer ${issueKey(SCOPES.filter((other) => other !== scope))}` };
      for (const route of SCOPES) {
        const { status, body } = await call(app, methodOf(route), ROUTES[route], headers);
        if (route === scope)
          expect([status, body['code'], String(body['detail']).includes(scope)]).toEqual([403, 'auth.scope', true]);
        else expect(status).toBe(methodOf(route) === 'POST' ? 201 : 200);
      }
    });
  });

  test('from the read after the burst, with Retry-After, and counting by key; writes are not counted', async () => {
    const headers = { 'x-api-key': issueKey(SCOPES) };
    for (let read = 0; read < 5; read += 1) expect((await call(app, 'GET', 'analysis-read', headers)).status).toBe(200);
    expect(await call(app, 'GET', 'analysis-read', headers)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { code: 'rate.limited' },
    });
    expect((await call(app, 'POST', 'analysis-write', headers)).status).toBe(201);
    expect((await call(app, 'GET', 'analysis-read', { 'x-api-key': issueKey(SCOPES) })).status).toBe(200);
  });

  test('from the posted search after the burst', async () => {
    const headers = { 'x-api-key': issueKey(SCOPES) };
    for (let read = 0; read < 5; read += 1)
      expect((await call(app, 'POST', 'Patient/_search', headers)).status).toBe(201);
    expect(await call(app, 'POST', 'Patient/_search?_count=1', headers)).toMatchObject({
      status: 429,
      body: { code: 'rate.limited' },
    });
  });

  test('after 20 wrong keys from one address, while a good key there still works', async () => {
    const fresh = await startApp(GuardedController);
    const codes: unknown[] = [];
    for (let attempt = 0; attempt < 21; attempt += 1)
      codes.push((await call(fresh, 'GET', 'analysis-read', { 'x-api-key': 'wrong' })).body['code']);
    expect([codes[19], codes[20]]).toEqual(['auth.invalid', 'rate.limited']);
    expect((await call(fresh, 'GET', 'analysis-read', { 'x-api-key': issueKey(SCOPES) })).status).toBe(200);
    await fresh.close();
  });
});

describe('the admin credential', () => {
  test('is asked for in vain where the admin API is off', async () => {
    const off = await startApp(GuardedController);
    for (const headers of [{}, { authorization: `Bearer ${ADMIN_TOKEN}` }] as Headers[]) {
      expect(await call(off, 'GET', 'admin', headers)).toMatchObject({
        status: 404,
        body: { code: 'route.not_found' },
      });
    }
    await off.close();
  });

  test.each([
    ['missing', {}, 'auth.missing'],
    ['another one', { authorization: 'Bearer another-token-of-this-test' }, 'auth.invalid'],
    ['an API key', { authorization: `Bearer ${issueKey(SCOPES)}` }, 'auth.invalid'],
  ] as [string, Headers, string][])('is refused where it is %s', async (_, headers, code) => {
    expect(await call(app, 'GET', 'admin', headers)).toMatchObject({ status: 401, body: { code } });
  });

  test('opens the admin API', async () => {
    expect((await call(app, 'GET', 'admin', { authorization: `Bearer ${ADMIN_TOKEN}` })).status).toBe(200);
  });
});

test('a good key is told to the route as its caller, by either header', async () => {
  const key = issueKey(['analysis:read']);
  for (const headers of [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer   ${key}` },
    { 'x-api-key': key },
  ] as Headers[]) {
    expect(await call(app, 'GET', 'analysis-read', headers)).toMatchObject({
      status: 200,
      body: { organizationId: 'organization-1', environment: 'test', scopes: ['analysis:read'] },
    });
  }
});

test('a public route needs no key', async () => {
  expect((await call(app, 'GET', 'public')).status).toBe(200);
});
