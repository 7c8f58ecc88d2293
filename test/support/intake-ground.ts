import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Bundle, Resource, Task } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { AuditArchivesModule } from '../../src/composition/audit-archives.module.js';
import { CoreModule } from '../../src/composition/core.module.js';
import { HeldModule } from '../../src/composition/held.module.js';
import { UsersModule } from '../../src/composition/users.module.js';
import type { AnalysisJob } from '../../src/core/analysis/analysis-job.js';
import { JobRepository } from '../../src/core/analysis/job.repository.js';
import {
  OrganizationRepository,
  type OrganizationChange,
} from '../../src/core/organizations/organization.repository.js';
import { Outbox } from '../../src/core/domain-events/outbox.js';
import type { DomainEventHandler } from '../../src/core/domain-events/domain-event.handler.js';
import { UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../src/core/tenancy/api-key.js';
import type { Plan } from '../../src/core/organizations/organization.js';
import { SCOPES } from '../../src/core/tenancy/api-key.js';
import { ArrivedImageHandler } from '../../src/events/late-images/late-images.module.js';
import { BundleProcessor } from '../../src/doors/fhir/bundle/bundle-processor.js';
import { FhirModule } from '../../src/doors/fhir/fhir.module.js';
import { FhirProjectionModule } from '../../src/doors/fhir/fhir-projection.module.js';
import { PatientArrival } from '../../src/doors/fhir/intake/patient-arrival.handler.js';
import { PhotoFollower } from '../../src/doors/fhir/intake/photo-follower.handler.js';
import type { FhirAnswer, FhirCall } from '../../src/doors/fhir/call/fhir-call.js';
import { NO_PREFERENCES, type Preferences } from '../../src/doors/fhir/call/preferences.js';
import { ResourceInteractions } from '../../src/doors/fhir/interactions/resource-interactions.js';
import type { Submission } from '../../src/doors/fhir/interactions/resource-writing.js';
import type { FhirOperation } from '../../src/doors/fhir/operations/fhir-operation.js';
import { OpenedTenants } from '../../src/standards/fhir/store/opened-tenants.js';
import { FhirProjectionHandler } from '../../src/doors/fhir/projection/fhir-projection.handler.js';
import { ResourceStore, type StoredResource } from '../../src/standards/fhir/store/resource-store.js';
import { IdentityModule } from '../../src/identity/identity.module.js';
import { OrdersModule } from '../../src/composition/orders.module.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { RecordsModule } from '../../src/records/records.module.js';
import { HttpAdapter } from '../../src/platform/http/http.adapter.js';
import { HttpModule } from '../../src/platform/http/http.module.js';
import { Logger } from '../../src/platform/logging/logger.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { StorageModule } from '../../src/storage/drivers/storage.module.js';
import { queryDatabase } from './database-query.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { drawWoundPhoto } from './wound-photo.js';
import { takeEvents } from './outbox-events.js';

export const BASE = 'https://gateway.test/fhir';

/** The FHIR door's inside over a real database and object folder, as the gateway wires it; nothing runs by itself. */
export class IntakeGround {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly database: TestDatabase,
    readonly dataDir: string,
  ) {}

  static async open(variables: Readonly<Record<string, string>> = {}): Promise<IntakeGround> {
    const [database, dataDir] = [await createTestDatabase(), await mkdtemp(join(tmpdir(), 'intake-'))];
    // Sweeps are called by the tests themselves.
    const settings = readSettings({
      SUTURA_LOG_LEVEL: 'silent',
      SUTURA_DATABASE_POOL: '8',
      SUTURA_DATA_DIR: dataDir,
      SUTURA_SWEEP_INTERVAL_MS: '60000',
      PUBLIC_URL: 'https://gateway.test',
      ...variables,
    });
    const imports = [
      PlatformModule.register(settings, Logger.create('silent')),
      RecordsModule.register(database.url),
      HttpModule,
      CoreModule,
      AuditArchivesModule,
      UsersModule,
      OrdersModule,
      IdentityModule,
      HeldModule,
      FhirProjectionModule,
      FhirModule.register(StorageModule, null),
    ];
    // The door's module speaks to an HTTP adapter when it starts; nothing listens.
    const app = await NestFactory.create<NestFastifyApplication>(
      { module: class TestRoot {}, imports, providers: [ArrivedImageHandler] },
      new HttpAdapter(settings),
      { logger: false, abortOnError: false },
    );
    await app.init();
    return new IntakeGround(app, database, dataDir);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T {
    return this.app.get<T>(token as Type<T>, { strict: false });
  }

  async createCaller(plan: Plan = 'pro', change: OrganizationChange = {}): Promise<Caller> {
    const organizationId = v7();
    const organization = {
      id: organizationId,
      name: 'Clinic',
      plan,
      dailyLimitOverride: null,
      resultPolicy: 'review' as const,
      autoAnalyze: false,
      unservedTypes: 'refuse' as const,
      imageHosts: [],
      browserOrigins: [],
      deliveryNetworks: [],
      reviewFrameOrigins: [],
      timeZone: null,
      unmatchedAfterMinutes: 1440,
      createdAt: new Date(),
      ...change,
    };
    await this.get(UnitOfWork).inSystem((transaction) =>
      this.get(OrganizationRepository).insert(transaction, organization),
    );
    const tenant = { organizationId, environment: 'test' } as const;
    // As the doors do that lead here.
    await this.get(OpenedTenants).open(tenant);
    return { ...tenant, keyId: v7(), scopes: SCOPES };
  }

  /** Creates one resource as a POST does. */
  async post<T extends Resource>(caller: Caller, body: T): Promise<StoredResource<T>> {
    const interactions = this.get(ResourceInteractions);
    const submission = await interactions.writing.submit(caller, body.resourceType, JSON.parse(JSON.stringify(body)));
    return this.create<T>(caller, submission);
  }

  /** The part of a POST behind its body. */
  async create<T extends Resource>(caller: Caller, submission: Submission): Promise<StoredResource<T>> {
    const interactions = this.get(ResourceInteractions);
    try {
      return await this.within(caller, async (call) => {
        const stored = await interactions.writing.create(
          call,
          submission,
          await interactions.writing.assignId(call, submission),
        );
        await interactions.writing.settle(call, [stored]);
        return stored as StoredResource<T>;
      });
    } catch (fault) {
      await submission.prepared.discard?.();
      throw fault;
    }
  }

  async put<T extends Resource>(caller: Caller, body: T): Promise<T> {
    const answer = await this.within(caller, (call) =>
      this.get(ResourceInteractions).changing.update(
        call,
        body.resourceType,
        body.id!,
        JSON.parse(JSON.stringify(body)),
        {},
      ),
    );
    return (answer.body as StoredResource<T>).resource;
  }

  async patch<T extends Resource>(caller: Caller, type: string, id: string, patch: unknown): Promise<T> {
    const answer = await this.within(caller, (call) =>
      this.get(ResourceInteractions).changing.patch(
        call,
        type,
        id,
        { mediaType: 'application/json-patch+json', content: patch },
        {},
      ),
    );
    return (answer.body as StoredResource<T>).resource;
  }

  transact(caller: Caller, bundle: Bundle): Promise<FhirAnswer> {
    return this.get(BundleProcessor).process(caller, {
      base: BASE,
      requestId: v7(),
      body: JSON.parse(JSON.stringify(bundle)),
      preferences: NO_PREFERENCES,
      idempotencyKey: null,
    });
  }

  async find<T extends Resource>(caller: Caller, type: T['resourceType'], id: string): Promise<T> {
    const found = await this.within(caller, ({ transaction }) =>
      this.get(ResourceStore).find<T>(transaction, type, id),
    );
    if (found === null) throw new Error(`There is no ${type}.`);
    return found.resource;
  }

  /** All Tasks, oldest first. */
  async tasks(caller: Caller): Promise<Task[]> {
    const rows = await queryDatabase<{ id: string }>(
      this.database.url,
      `select id from fhir_resources where organization_id = $1 and type = 'Task' order by id`,
      [caller.organizationId],
    );
    return Promise.all(rows.map(({ id }) => this.find<Task>(caller, 'Task', id)));
  }

  async jobs(caller: Caller): Promise<AnalysisJob[]> {
    const jobs = await this.within(caller, ({ transaction }) =>
      this.get(JobRepository).list(transaction, {}, 100, null),
    );
    return jobs.reverse();
  }

  operate(
    operation: FhirOperation,
    caller: Caller,
    id: string | null,
    input: unknown,
    preferences: Partial<Preferences> = {},
    idempotencyKey: string | null = null,
  ): Promise<FhirAnswer> {
    return operation.handle({
      caller,
      base: BASE,
      requestId: v7(),
      level: id === null ? 'type' : 'instance',
      type: 'Media',
      id,
      input,
      query: new URLSearchParams(),
      preferences: { ...NO_PREFERENCES, ...preferences },
      ifMatch: undefined,
      idempotencyKey,
    });
  }

  within<T>(caller: Caller, work: (call: FhirCall) => Promise<T>): Promise<T> {
    return this.get(UnitOfWork).inTenant(caller, (transaction) =>
      work({ transaction, caller, base: BASE, requestId: v7() }),
    );
  }

  /** Hands on what the outbox holds, until it is empty. */
  async relay(): Promise<void> {
    const handlers: DomainEventHandler[] = [
      this.get(ArrivedImageHandler),
      this.get(PhotoFollower),
      this.get(PatientArrival),
      this.get(FhirProjectionHandler),
    ];
    const outbox = this.get(Outbox);
    for (let due = await takeEvents(outbox, 100); due.length > 0; due = await takeEvents(outbox, 100))
      for (const event of due)
        for (const handler of handlers) if (handler.kinds.includes(event.kind)) await handler.handle(event);
  }

  count(table: string, caller: Caller, condition = 'true'): Promise<number> {
    return queryDatabase<{ count: number }>(
      this.database.url,
      `select count(*)::int as count from ${table} where organization_id = $1 and ${condition}`,
      [caller.organizationId],
    ).then((rows) => rows[0]!.count);
  }
}

export async function photoData(seed = 1): Promise<string> {
  return (await drawWoundPhoto({ width: 160, height: 120, seed })).toString('base64');
}
