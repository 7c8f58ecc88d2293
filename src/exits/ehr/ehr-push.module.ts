import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { ReportDocumentArchive } from '../../core/report/report-document-archive.js';
import { bind, from } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { Logger } from '../../platform/logging/logger.js';
import { NotificationListener } from '../../platform/database/notification-listener.js';
import { SENDER_TIMINGS, SenderTimings } from '../kit/index.js';
import { AccessTokens } from './calls/access-tokens.js';
import { EhrServer } from './calls/ehr-server.js';
import { EhrExit } from './ehr-exit.js';
import { EhrResults } from './events/ehr-results.handler.js';
import { OwedWithdrawals } from './events/owed-withdrawals.js';
import { ResultFilings } from './events/result-filings.js';
import { Filer } from './filing/filer.js';
import { FilingReader } from './filing/filing-reader.js';
import { Looks } from './filing/looks.js';
import { PatientNumbers } from './filing/patient-numbers.js';
import { PeopleFinder } from './filing/people-finder.js';
import { ReportFacts } from './filing/report-facts.js';
import { ReportFiling } from './filing/report-filing.js';
import { UnknownResources } from './filing/unknown-resources.js';
import { Standings } from './filing/standings.js';
import { TransactionFiler } from './filing/transaction-filer.js';
import { VisitNumbers } from './filing/visit-numbers.js';
import { EhrControl, EhrDeliveries, EhrQueue } from './queue/ehr-queue.js';
import { EhrFilings } from './queue/ehr-filings.js';
import { FiledLedger } from './queue/filed-ledger.js';
import { PatientFilingsEraser } from './queue/patient-filings.eraser.js';
import { PushRegister } from './queue/push-register.js';
import { WriteLedger } from './queue/write-ledger.js';
import { EhrReports } from './sender/ehr-reports.js';
import { EhrSenders } from './sender/ehr-senders.js';
import { EhrTransport, FILING_PATIENCE } from './sender/ehr-transport.js';
import { EhrMetrics } from './sender/ehr.metrics.js';

/** For commands, which file nothing. */
const SHARED: Provider[] = [PushRegister, EhrQueue, EhrControl, EhrFilings, EhrExit];

const PROVIDERS: Provider[] = [
  ...SHARED,
  AccessTokens,
  EhrServer,
  FiledLedger,
  WriteLedger,
  ResultFilings,
  OwedWithdrawals,
  EhrResults,
  PatientNumbers,
  FilingReader,
  VisitNumbers,
  PeopleFinder,
  Looks,
  TransactionFiler,
  Filer,
  bind(
    ReportFacts,
    ReportDocumentArchive,
    from(Settings, ({ fhir }: Settings) => fhir.snomed),
  ),
  UnknownResources,
  Standings,
  ReportFiling,
  EhrDeliveries,
  EhrMetrics,
  EhrReports,
  bind(
    EhrTransport,
    EhrServer,
    ReportFiling,
    FiledLedger,
    WriteLedger,
    Logger,
    from(Settings, () => FILING_PATIENCE),
  ),
  { provide: SenderTimings, useValue: SENDER_TIMINGS },
  bind(
    EhrSenders,
    {
      register: PushRegister,
      deliveries: EhrDeliveries,
      transport: EhrTransport,
      reports: EhrReports,
      notifications: NotificationListener,
      owed: OwedWithdrawals,
    },
    SenderTimings,
    from(Settings, ({ process }: Settings) => process.roles),
  ),
];

/** Results for EHRs. Every process makes deliveries, as every process relays events; those with the role `api` send them. */
@Module({})
export class EhrPushModule {
  /** `imports`: the modules of documents, of the object store and of birth dates. */
  static register(...imports: readonly Type[]): DynamicModule {
    return {
      module: EhrPushModule,
      imports: [...imports],
      providers: PROVIDERS,
      exports: [EhrResults, EhrSenders, PushRegister],
    };
  }
}

/** The providers of commands. */
@Module({ providers: SHARED, exports: [EhrExit, PushRegister] })
export class EhrPushCommandsModule {}

/** What a restored database is told. */
@Module({ providers: [WriteLedger], exports: [WriteLedger] })
export class EhrPushRestoreModule {}

/** The erasure of the ledger. Needs PatientDataErasers, which is global. */
@Module({ providers: [PatientFilingsEraser], exports: [PatientFilingsEraser] })
export class EhrPushErasureModule {}
