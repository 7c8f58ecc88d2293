import {
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { AuditArchives } from '../../core/audit/audit-archive.js';
import { AuditLog } from '../../core/audit/audit-log.js';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { ImageErasure } from '../../core/erasure/image-erasure.js';
import { PatientErasure } from '../../core/erasure/patient-erasure.js';
import { PatientErasureRepository } from '../../core/erasure/patient-erasure.repository.js';
import { Retention } from '../../core/erasure/retention.js';
import { RetainedMessages, RetainedVersions, RetentionPolicies } from '../../core/erasure/retention-policy.js';
import { UnnamedResults } from '../../core/erasure/unnamed-results.js';
import { SandboxConflicts } from '../../core/held/sandbox-conflicts.js';
import { EventLog } from '../../core/deliveries/event-log.js';
import { ClinicalClock } from '../../core/ports/clinical-clock.js';
import { Clock } from '../../core/ports/clock.js';
import { IdSource } from '../../core/ports/id-source.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { ReviewDrafts } from '../../core/report/review-drafts.js';
import { bind } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { Logger } from '../../platform/logging/logger.js';
import { registerErasureMetrics } from './erasure.metrics.js';
import { RecurringWork } from '../recurring/recurring-work.js';

/** Interrupted erasures resume soon after the start; those that wait for other work are retried this often. */
const FIRST_MS = 1000;
const RETENTION_INTERVAL_MS = 600_000;
const FIRST_RETENTION_MS = 5000;
const SWEEPS_INTERVAL_MS = 3_600_000;

const SWEEP = bind(Retention, {
  unitOfWork: UnitOfWork,
  policies: RetentionPolicies,
  images: ImageErasure,
  patients: PatientErasure,
  unnamed: UnnamedResults,
  messages: RetainedMessages,
  versions: RetainedVersions,
  archives: AuditArchives,
  trail: AuditTrail,
  audit: AuditLog,
  clinicalClock: ClinicalClock,
  clock: Clock,
  ids: IdSource,
});

/** What is kept for a while alone. Each in one step: there is never more to do at once. */
@Injectable()
export class RetentionSweeps {
  /** By the name of the work. */
  readonly sweeps: Readonly<Record<string, () => Promise<unknown>>>;

  constructor(drafts: ReviewDrafts, conflicts: SandboxConflicts, events: EventLog) {
    this.sweeps = {
      'review-drafts': () => drafts.removeOld(),
      'sandbox-decisions': () => conflicts.removeOld(),
      'event-log': () => events.removeOld(),
    };
  }
}

/** Goes on with what is to be forgotten. */
@Module({})
export class RetentionModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly work: readonly RecurringWork[];

  constructor(
    erasure: PatientErasure,
    retention: Retention,
    erasures: PatientErasureRepository,
    { sweeps }: RetentionSweeps,
    { workers }: Settings,
    logger: Logger,
  ) {
    registerErasureMetrics(erasures);
    this.work = [
      new RecurringWork('patient-erasures', () => erasure.resume(), workers.sweepIntervalMs, logger, FIRST_MS),
      new RecurringWork('retention', () => retention.sweep(), RETENTION_INTERVAL_MS, logger, FIRST_RETENTION_MS),
      ...Object.entries(sweeps).map(
        ([name, sweep]) =>
          new RecurringWork(name, () => sweep().then(() => 0), SWEEPS_INTERVAL_MS, logger, FIRST_RETENTION_MS),
      ),
    ];
  }

  /** The modules of PatientErasure, RetainedMessages and RetainedVersions. */
  static register(...imports: readonly Type[]): DynamicModule {
    return { module: RetentionModule, imports: [...imports], providers: [SWEEP, RetentionSweeps] };
  }

  onApplicationBootstrap(): void {
    this.work.forEach((one) => one.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.work.map((one) => one.stop()));
  }
}
