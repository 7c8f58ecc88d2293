import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { AuditTrail } from '../../../src/core/audit/audit-trail.js';
import { EhrPatients } from '../../../src/core/ehrs/ehr-patients.js';
import { EhrRegister } from '../../../src/core/ehrs/ehr.register.js';
import type { Ehr, EhrPush } from '../../../src/core/ehrs/ehr.js';
import { PublishedKeyStore } from '../../../src/core/ehrs/published-key.store.js';
import { WoundRepository } from '../../../src/core/followup/wound.repository.js';
import { AuthorityDirectory } from '../../../src/core/patients/authority-table.js';
import { PatientRepository } from '../../../src/core/patients/patient.repository.js';
import { ClinicalClock } from '../../../src/core/ports/clinical-clock.js';
import { Clock } from '../../../src/core/ports/clock.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { ReportDocumentArchive } from '../../../src/core/report/report-document-archive.js';
import { ReportRepository } from '../../../src/core/report/report.repository.js';
import { WithdrawnReports } from '../../../src/core/report/withdrawn-reports.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { EhrCaller, EhrTrial, PublishedKeys, PushNeeds } from '../../../src/ehrs/index.js';
import { AccessTokens } from '../../../src/exits/ehr/calls/access-tokens.js';
import { EhrServer } from '../../../src/exits/ehr/calls/ehr-server.js';
import { EhrExit } from '../../../src/exits/ehr/ehr-exit.js';
import { OwedWithdrawals } from '../../../src/exits/ehr/events/owed-withdrawals.js';
import { ResultFilings } from '../../../src/exits/ehr/events/result-filings.js';
import { Filer } from '../../../src/exits/ehr/filing/filer.js';
import { FilingReader } from '../../../src/exits/ehr/filing/filing-reader.js';
import { Looks } from '../../../src/exits/ehr/filing/looks.js';
import { PatientNumbers } from '../../../src/exits/ehr/filing/patient-numbers.js';
import { PeopleFinder } from '../../../src/exits/ehr/filing/people-finder.js';
import type { FilingPatience } from '../../../src/exits/ehr/filing/filing-turn.js';
import { ReportFacts } from '../../../src/exits/ehr/filing/report-facts.js';
import { ReportFiling } from '../../../src/exits/ehr/filing/report-filing.js';
import { UnknownResources } from '../../../src/exits/ehr/filing/unknown-resources.js';
import { Standings } from '../../../src/exits/ehr/filing/standings.js';
import { TransactionFiler } from '../../../src/exits/ehr/filing/transaction-filer.js';
import { VisitNumbers } from '../../../src/exits/ehr/filing/visit-numbers.js';
import { EhrFilings } from '../../../src/exits/ehr/queue/ehr-filings.js';
import { EhrControl, EhrDeliveries, EhrQueue } from '../../../src/exits/ehr/queue/ehr-queue.js';
import { FiledLedger } from '../../../src/exits/ehr/queue/filed-ledger.js';
import type { KeptResource } from '../../../src/exits/ehr/queue/kept-resource.js';
import { PushRegister } from '../../../src/exits/ehr/queue/push-register.js';
import { WriteLedger } from '../../../src/exits/ehr/queue/write-ledger.js';
import { EhrReports } from '../../../src/exits/ehr/sender/ehr-reports.js';
import { EhrSenders } from '../../../src/exits/ehr/sender/ehr-senders.js';
import { EhrTransport } from '../../../src/exits/ehr/sender/ehr-transport.js';
import { EhrMetrics } from '../../../src/exits/ehr/sender/ehr.metrics.js';
import { SENDER_TIMINGS } from '../../../src/exits/kit/index.js';
import { NotificationListener } from '../../../src/platform/database/notification-listener.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { AddressGuard, networksOf } from '../../../src/platform/http-client/address-guard.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { StoredBirthDates } from '../../../src/standards/fhir/store/stored-birth-dates.js';
import type { ClinicalRecords } from '../../../src/standards/hl7v2/records/clinical-records.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startFakeEhr, type Dialect, type FakeEhr } from '../../support/fake-ehr/index.js';
import { FollowUpContext } from '../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

export const PATIENTS = 'urn:oid:2.999.4711';
export const VISITS = 'urn:oid:2.999.4712';
const TIMINGS = { ...SENDER_TIMINGS, firstPauseMs: 10, longestPauseMs: 50, pollMs: 50, stopGraceMs: 100 };

/** Of what nothing was heard of a person is asked at once; what was taken is waited for. */
const SOON_SETTLED: FilingPatience = { lateMs: 0, takenMs: 600_000 };

export interface ProcessWish extends Partial<FilingPatience> {
  readonly timeoutMs?: number;
  readonly writes?: WriteLedger;
}

export interface FilingRow {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly state: string;
  readonly attempts: number;
  readonly held_for: string | null;
  readonly answer_codes: string | null;
  readonly unsettled: boolean;
  readonly filed: readonly KeptResource[] | null;
}

/** Results, the queue for EHRs, processes that send, on a database of their own, and strict EHRs. */
export class PushGround {
  readonly followUp: FollowUpContext;
  readonly control: EhrControl;
  private readonly running = new Set<EhrSenders>();
  private readonly started = new Set<FakeEhr>();
  /** What the records of this service know of visits. */
  readonly records = new Map<string, Resource>();
  /** Reports whose document cannot be drawn. */
  readonly undrawable = new Set<string>();
  /** Of other kinds, by the report. */
  readonly drawingFaults = new Map<string, Error>();

  private constructor(
    private readonly database: TestDatabase,
    readonly context: DatabaseContext,
  ) {
    this.followUp = new FollowUpContext(context);
    const [statements, unitOfWork] = [context.get(SystemStatements), context.get(UnitOfWork)];
    this.control = new EhrControl(statements, unitOfWork, new EhrQueue(context.get(IdSource)));
  }

  static async open(): Promise<PushGround> {
    const database = await createTestDatabase();
    return new PushGround(database, await DatabaseContext.open(database.url));
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.database.drop();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running].map((senders) => senders.beforeApplicationShutdown()));
    this.running.clear();
    await Promise.all([...this.started].map((ehr) => ehr.stop()));
    this.started.clear();
  }

  /** A strict EHR that lets everybody in unless it is `locked`, with the patient of `WOUND` and a visit that has begun before their photos. */
  async startEhr(
    dialect: Dialect,
    locked = false,
  ): Promise<{ readonly ehr: FakeEhr; readonly patientId: string; readonly encounterId: string }> {
    const ehr = await startFakeEhr({ dialect });
    this.started.add(ehr);
    if (!locked) ehr.control.open();
    const patientId = ehr.control.addPatient({ identifiers: [{ system: PATIENTS, value: 'MRN-4711' }] });
    const encounterId = ehr.control.addEncounter({
      patientId,
      identifiers: [{ system: VISITS, value: 'V-1' }],
      start: '2025-01-01T00:00:00Z',
    });
    return { ehr, patientId, encounterId };
  }

  /** Registers it for results. */
  async register(tenant: Tenant, fake: FakeEhr, push: Partial<EhrPush> = {}): Promise<Ehr> {
    const now = new Date(0);
    const ehr: Ehr = {
      ...tenant,
      id: v7(),
      name: 'EHR',
      fhirBaseUrl: fake.fhirBaseUrl,
      origins: [fake.authorizationOrigin],
      patientSystem: PATIENTS,
      launch: null,
      push: {
        enabled: true,
        dialect: 'transaction',
        auth: 'none',
        token: null,
        clientId: null,
        scopes: null,
        send: ['pdf', 'observations'],
        when: 'reviewed',
        encounterRule: 'none',
        codes: null,
        ...push,
      },
      cds: null,
      frameAncestors: [],
      createdAt: now,
      updatedAt: now,
    };
    await this.context.get(EhrRegister).add(ehr);
    return ehr;
  }

  /** Changes what is filed, as its operator does. */
  async setPush({ organizationId, id }: Ehr, push: Partial<EhrPush>): Promise<void> {
    await this.context
      .get(EhrRegister)
      .change(organizationId, id, ({ push: present }) => ({ push: { ...present!, ...push } }));
  }

  /** As the handler of events does. */
  async tell(tenant: Tenant, { id }: Pick<ClinicalReport, 'id'>): Promise<void> {
    await this.filings.write(tenant, id, await this.pushRegister.ofTenant(tenant));
  }

  private get filings(): ResultFilings {
    const { context } = this;
    return new ResultFilings(
      context.get(UnitOfWork),
      context.get(ReportRepository),
      context.get(WoundRepository),
      new FiledLedger(context.get(SystemStatements)),
      new EhrQueue(context.get(IdSource)),
      context.get(AuditTrail),
    );
  }

  private get owed(): OwedWithdrawals {
    const { context } = this;
    return new OwedWithdrawals(
      context.get(UnitOfWork),
      context.get(WithdrawnReports),
      this.filings,
      new FiledLedger(context.get(SystemStatements)),
      context.get(ClinicalClock),
    );
  }

  get pushRegister(): PushRegister {
    return new PushRegister(this.context.get(EhrRegister), this.context.get(SystemStatements));
  }

  /** What operators have of it; its trials are tested elsewhere. */
  get exit(): EhrExit {
    const filings = new EhrFilings(this.context.get(SystemStatements));
    const caller = { ask: () => Promise.reject(new Error('No trial is asked for here')) };
    const trial = new EhrTrial(caller, { count: () => Promise.resolve(0) }, new PushNeeds(), {
      isOnly: () => Promise.resolve(true),
    });
    return new EhrExit(this.pushRegister, filings, this.control, trial);
  }

  get keys(): PublishedKeys {
    return new PublishedKeys(this.context.get(PublishedKeyStore), this.context.get(Clock), this.context.get(IdSource));
  }

  /** A process that sends. `timeoutMs`: of each call. */
  startProcess({ timeoutMs = 10_000, ...patience }: ProcessWish = {}): EhrSenders {
    const { context } = this;
    const statements = context.get(SystemStatements);
    const logger = Logger.create('silent');
    const deliveries = new EhrDeliveries(statements, new WriteLedger(statements));
    const senders = new EhrSenders(
      {
        register: this.pushRegister,
        deliveries,
        transport: this.transport({ timeoutMs, ...patience }),
        reports: new EhrReports(logger, new EhrMetrics(deliveries)),
        notifications: context.get(NotificationListener),
        owed: this.owed,
      },
      TIMINGS,
      ['api'],
    );
    this.running.add(senders);
    senders.onApplicationBootstrap();
    return senders;
  }

  /** What a process sends with. `writes`: its ledger, which may fail it. */
  transport({ timeoutMs = 10_000, writes, ...patience }: ProcessWish = {}): EhrTransport {
    const { context } = this;
    const clock = context.get(Clock);
    const guard = new AddressGuard(networksOf(['127.0.0.0/8']));
    const caller = new EhrCaller({ guard, timeoutMs, limitBytes: 4 * 1024 * 1024 });
    const server = new EhrServer(caller, new AccessTokens(caller, this.keys, clock), clock);
    const ledger = new FiledLedger(context.get(SystemStatements));
    const looks = new Looks(server, ledger);
    const [authorities, patients] = [context.get(AuthorityDirectory), context.get(PatientRepository)];
    const ehrPatients = new EhrPatients({ ehrs: context.get(EhrRegister), patients, authorities });
    const wounds = context.get(WoundRepository);
    const numbers = new PatientNumbers(wounds, patients, authorities, ehrPatients, new StoredBirthDates());
    const people = new PeopleFinder(server, clock);
    const facts = new ReportFacts(this.documents, false);
    const filing = new ReportFiling(
      new FilingReader(context.get(UnitOfWork), this.followUp.reader, context.get(ReportRepository), numbers),
      new VisitNumbers({ read: this.read } as Pick<ClinicalRecords, 'read'> as ClinicalRecords),
      people,
      new Standings(ledger, looks, new UnknownResources(facts, looks, people)),
      facts,
      new Filer(server, looks, new TransactionFiler(server, looks)),
    );
    const own = writes ?? new WriteLedger(context.get(SystemStatements));
    const settled = { ...SOON_SETTLED, ...patience };
    return new EhrTransport(server, filing, ledger, own, Logger.create('silent'), settled);
  }

  /** Documents whose bytes say which they are: drawing one is tested elsewhere. */
  private get documents(): ReportDocumentArchive {
    const open = (
      _tenant: Tenant,
      { reportId, version }: { reportId: string; version: number },
      { format }: { format: string },
    ) => {
      const fault = this.drawingFaults.get(reportId);
      if (fault !== undefined) throw fault;
      if (this.undrawable.has(reportId)) throw new TypeError('Anna Beispiel cannot be drawn');
      return Promise.resolve({ bytes: Buffer.from(`${format} of ${reportId} version ${version}`), isKept: true });
    };
    // Only `open` of it is asked for, and only the bytes of the answer.
    return { open } as unknown as ReportDocumentArchive;
  }

  private readonly read = <T extends Resource>(_tenant: Tenant, type: ResourceType, id: string): Promise<T | null> =>
    Promise.resolve((this.records.get(`${type}/${id}`) ?? null) as T | null);

  query<Row>(sql: string): Promise<Row[]> {
    return queryDatabase<Row & object>(this.database.url, sql);
  }

  rows({ id }: Pick<Ehr, 'id'>): Promise<FilingRow[]> {
    return this.query(`select * from ehr_deliveries where ehr_id = '${id}' order by number`);
  }

  /** As `ended`, once a person has looked for what may stand, and sent it again; three times, as it may be lost again. */
  async lookedFor(ehr: Pick<Ehr, 'id'>): Promise<readonly string[]> {
    for (let look = 0; look < 3; look += 1) {
      await this.ended(ehr);
      for (const { id, held_for: hold } of await this.rows(ehr))
        if (hold === 'ehr_outcome_unknown') await this.control.requeue(id, 'tester');
    }
    return this.ended(ehr);
  }

  /** Waits until every delivery has ended, and says how. */
  async ended(ehr: Pick<Ehr, 'id'>): Promise<readonly string[]> {
    await eventually('no delivery to wait', async () =>
      (await this.rows(ehr)).every(({ state }) => state !== 'waiting'),
    );
    return (await this.rows(ehr)).map(
      ({ type, version, state, held_for }) => `${type} v${version} ${held_for ?? state}`,
    );
  }
}
