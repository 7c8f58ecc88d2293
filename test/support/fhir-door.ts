import 'reflect-metadata';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OperationOutcome } from '@medplum/fhirtypes';
import { ApiKeyRepository } from '../../src/core/organizations/api-key.repository.js';
import { OrganizationRepository } from '../../src/core/organizations/organization.repository.js';
import { ClientRepository } from '../../src/core/organizations/client.repository.js';
import { AuditReader } from '../../src/core/audit/audit-reader.js';
import { AuditTrail } from '../../src/core/audit/audit-trail.js';
import { UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import type { ApiKeyRecord } from '../../src/core/tenancy/api-key.js';
import type { Scope } from '../../src/core/tenancy/api-key.js';
import { ServiceSecrets } from '../../src/platform/database/service-secrets.js';
import { IdentityModule } from '../../src/identity/identity.module.js';
import { RandomKeyMint } from '../../src/identity/keys/random-key.mint.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { NotificationListener } from '../../src/platform/database/notification-listener.js';
import { HttpAdapter } from '../../src/platform/http/http.adapter.js';
import { HttpModule } from '../../src/platform/http/http.module.js';
import { Logger } from '../../src/platform/logging/logger.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import {
  EchoProcessor,
  MemoryBinaries,
  MemorySearch,
  MemoryStore,
  MemoryTrail,
  MemoryUnitOfWork,
} from './memory-fhir.js';
import { IdempotencyService } from '../../src/core/idempotency/idempotency.service.js';
import { HeldBundles } from '../../src/doors/fhir/bundle/held-bundles.js';
import { BundleProcessor } from '../../src/doors/fhir/bundle/bundle-processor.js';
import { BinaryContent } from '../../src/doors/fhir/interactions/binary-content.js';
import type { FhirAnswer } from '../../src/doors/fhir/call/fhir-call.js';
import { FhirActivation } from '../../src/doors/fhir/projection/fhir-activation.js';
import { KnownPatients } from '../../src/doors/fhir/interactions/known-patients.js';
import { AuthorityDirectory, NO_AUTHORITIES } from '../../src/core/patients/authority-table.js';
import { AwaitedPatients } from '../../src/standards/fhir/store/awaited-patients.js';
import { ModelResources } from '../../src/doors/fhir/interactions/model-resources.js';
import { PresentedAnswer } from '../../src/doors/fhir/intake/presented-answer.js';
import { intakeProviders, INTERACTION_PROVIDERS } from '../../src/doors/fhir/fhir-records.module.js';
import { ValidateOperation } from '../../src/doors/fhir/operations/validate.operation.js';
import { ProfileLibrary } from '../../src/standards/fhir/profiles/profile-library.js';
import { ResourceSearch } from '../../src/doors/fhir/search/resource-search.js';
import { ResourceStore } from '../../src/standards/fhir/store/resource-store.js';
import { R4Definitions } from '../../src/standards/fhir/definitions/r4-definitions.js';
import { ResourceXml } from '../../src/standards/fhir/xml/resource-xml.js';
import { ResourceValidator } from '../../src/standards/fhir/validation/resource-validator.js';
import { SubscriptionControl } from '../../src/exits/subscriptions/subscription-control.js';
import { SubscriptionHistory } from '../../src/exits/subscriptions/subscription-history.js';
import { SubscriptionRegister } from '../../src/exits/subscriptions/subscription-register.js';
import { SubscriptionService } from '../../src/exits/subscriptions/subscription-service.js';
import { HTTP_CONTROLLERS, HTTP_PROVIDERS, operationProviders } from '../../src/doors/fhir/fhir.module.js';

const keys = new Map<string, ApiKeyRecord>();
const store = new MemoryStore();
export const search = new MemorySearch(store);
export const binaries = new MemoryBinaries();
export const bundles = new EchoProcessor();
/** Nothing is held here. */
const atOnce = (_: unknown, _asked: unknown, perform: () => unknown): unknown => perform();

export const trail = new MemoryTrail();

/** A key of an organization; the default is one for all tests. */
export function issueKey(scopes: readonly Scope[], organizationId = 'organization-1'): string {
  const { text, sha256, prefix, lastFour } = new RandomKeyMint().mint('test');
  const record = {
    organizationId,
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
  keys.set(Buffer.from(sha256).toString('hex'), { ...record, id: `key-${keys.size}` });
  return text;
}

@Module({})
class GroundModule {
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
      { provide: NotificationListener, useValue: { on: () => () => undefined } },
      { provide: UnitOfWork, useValue: new MemoryUnitOfWork() },
      { provide: AuditTrail, useValue: trail },
      { provide: OrganizationRepository, useValue: {} },
    ];
    return { module: GroundModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}

@Module({
  controllers: HTTP_CONTROLLERS,
  providers: [
    R4Definitions,
    {
      provide: ProfileLibrary,
      inject: [R4Definitions],
      useFactory: (definitions: R4Definitions) => new ProfileLibrary(definitions),
    },
    {
      provide: ResourceXml,
      inject: [R4Definitions],
      useFactory: (definitions: R4Definitions) => new ResourceXml(definitions),
    },
    {
      provide: ResourceValidator,
      inject: [R4Definitions, ProfileLibrary],
      useFactory: (definitions: R4Definitions, library: ProfileLibrary) => new ResourceValidator(definitions, library),
    },
    ...INTERACTION_PROVIDERS,
    ...intakeProviders([]),
    { provide: ResourceStore, useValue: store },
    { provide: ResourceSearch, useValue: search },
    {
      provide: KnownPatients,
      useValue: {
        withAny: () => Promise.resolve([]),
        find: () => Promise.resolve(null),
        show: (_: unknown, patientIds: readonly string[]) => Promise.resolve(patientIds),
      },
    },
    { provide: AuthorityDirectory, useValue: { of: () => Promise.resolve(NO_AUTHORITIES) } },
    { provide: AwaitedPatients, useValue: { keep: () => Promise.resolve(), drop: () => Promise.resolve() } },
    { provide: BinaryContent, useValue: binaries },
    { provide: FhirActivation, useValue: { ensureActive: () => Promise.resolve() } },
    { provide: ModelResources, useValue: { showFor: () => Promise.resolve() } },
    { provide: IdempotencyService, useValue: {} },
    { provide: BundleProcessor, useValue: bundles },
    { provide: HeldBundles, useValue: { orHold: atOnce, orHoldPatch: atOnce } },
    { provide: PresentedAnswer, useValue: { state: (_: unknown, answer: FhirAnswer) => Promise.resolve(answer) } },
    { provide: AuditReader, useValue: { find: () => Promise.resolve({ records: [], end: null, archivedUpTo: null }) } },
    ...[SubscriptionService, SubscriptionRegister, SubscriptionHistory, SubscriptionControl].map((provide) => ({
      provide,
      useValue: {},
    })),
    ...operationProviders([ValidateOperation]),
    ...HTTP_PROVIDERS,
  ],
})
class DoorModule {}

@Module({})
class TestModule {}

export interface DoorRequest {
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly payload?: string | Buffer;
  readonly key?: string | null;
}

/** The door over memory: real routes, guards, validation and rendering. */
export async function startDoor(environment: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
  const settings = readSettings({
    PUBLIC_URL: 'https://wounds.example',
    SUTURA_READS_PER_S: '100000',
    SUTURA_READ_BURST: '100000',
    SUTURA_WRITE_BURST: '100000',
    SUTURA_ORGANIZATION_WRITE_BURST: '100000',
    ...environment,
  });
  const module = {
    module: TestModule,
    imports: [
      PlatformModule.register(settings, Logger.create('silent')),
      GroundModule.register(),
      HttpModule,
      IdentityModule,
      DoorModule,
    ],
  };
  const started = await NestFactory.create<NestFastifyApplication>(module, new HttpAdapter(settings), {
    logger: false,
    abortOnError: false,
  });
  await started.init();
  await started.getHttpAdapter().getInstance().ready();
  return started;
}

/** One request; paths without a slash stand below /fhir. */
export async function callDoor(
  app: NestFastifyApplication,
  method: string,
  path: string,
  { headers = {}, json, payload, key = null }: DoorRequest = {},
) {
  const answer = await app.inject({
    method: method as 'GET',
    url: path.startsWith('/') ? path : `/fhir/${path}`,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/fhir+json' }),
      ...headers,
    },
    ...(json === undefined && payload === undefined ? {} : { payload: payload ?? JSON.stringify(json) }),
  });
  const isJson = /json/.test(String(answer.headers['content-type']));
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.payload,
    bytes: answer.rawPayload,
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
    body: (isJson && answer.payload !== '' ? answer.json() : null) as Record<string, any>,
  };
}

export function firstIssue(body: unknown): OperationOutcome['issue'][number] {
  return (body as OperationOutcome).issue[0]!;
}
