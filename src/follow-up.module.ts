import { Global, Module, type Provider } from '@nestjs/common';
import { FollowUpSummariser } from './core/followup/follow-up-summary.js';
import { PatientMergeService } from './core/patients/patient-merge.service.js';
import { WoundService } from './core/followup/wound.service.js';
import { Clock } from './core/ports/clock.js';
import { IdSource } from './core/ports/id-source.js';
import { ImageRepository } from './core/ports/image.repository.js';
import { JobRepository } from './core/ports/job.repository.js';
import { ObjectStore } from './core/ports/object-store.js';
import { OrganizationRepository } from './core/ports/organization.repository.js';
import { Outbox } from './core/ports/outbox.js';
import { OverlayRenderer } from './core/ports/overlay-renderer.js';
import { PatientRepository } from './core/ports/patient.repository.js';
import { ReportRepository } from './core/ports/report.repository.js';
import { UnitOfWork } from './core/ports/unit-of-work.js';
import { WoundRepository } from './core/ports/wound.repository.js';
import { ReportAssembly } from './core/report/report-assembly.js';
import { ReportReader } from './core/report/report-reading.js';
import { ReportReviewing } from './core/report/report-review.js';
import { ReportSeries } from './core/report/report-series.js';
import { ImagingModule } from './inference/index.js';
import { StorageModule } from './storage/drivers/storage.module.js';

const series: Provider = {
  provide: ReportSeries,
  inject: [ReportRepository, Outbox, Clock],
  useFactory: (reports: ReportRepository, outbox: Outbox, clock: Clock) => new ReportSeries({ reports, outbox, clock }),
};

const assembly: Provider = {
  provide: ReportAssembly,
  inject: [UnitOfWork, JobRepository, WoundRepository, ReportRepository, OrganizationRepository, Clock, IdSource, ReportSeries],
  useFactory: (
    unitOfWork: UnitOfWork,
    jobs: JobRepository,
    wounds: WoundRepository,
    reports: ReportRepository,
    organizations: OrganizationRepository,
    clock: Clock,
    ids: IdSource,
    reportSeries: ReportSeries,
  ) => new ReportAssembly({ unitOfWork, jobs, wounds, reports, organizations, clock, ids }, reportSeries),
};

const reviewing: Provider = {
  provide: ReportReviewing,
  inject: [JobRepository, ImageRepository, ReportRepository, WoundRepository, PatientRepository, Outbox, Clock, IdSource, ReportSeries, ReportAssembly],
  useFactory: (
    jobs: JobRepository,
    images: ImageRepository,
    reports: ReportRepository,
    wounds: WoundRepository,
    patients: PatientRepository,
    outbox: Outbox,
    clock: Clock,
    ids: IdSource,
    reportSeries: ReportSeries,
    reportAssembly: ReportAssembly,
  ) => new ReportReviewing({ jobs, images, reports, wounds, patients, outbox, clock, ids }, reportSeries, reportAssembly),
};

const reading: Provider = {
  provide: ReportReader,
  inject: [UnitOfWork, JobRepository, ReportRepository, WoundRepository, ObjectStore, OverlayRenderer, Clock, ReportAssembly],
  useFactory: (
    unitOfWork: UnitOfWork,
    jobs: JobRepository,
    reports: ReportRepository,
    wounds: WoundRepository,
    store: ObjectStore,
    overlays: OverlayRenderer,
    clock: Clock,
    reportAssembly: ReportAssembly,
  ) => new ReportReader({ unitOfWork, jobs, reports, wounds, store, overlays, clock }, reportAssembly),
};

const wounds: Provider = {
  provide: WoundService,
  inject: [UnitOfWork, WoundRepository, Clock, IdSource, ReportSeries],
  useFactory: (unitOfWork: UnitOfWork, repository: WoundRepository, clock: Clock, ids: IdSource, reportSeries: ReportSeries) =>
    new WoundService({ unitOfWork, wounds: repository, clock, ids }, reportSeries),
};

const summariser: Provider = {
  provide: FollowUpSummariser,
  inject: [UnitOfWork, WoundRepository, ReportRepository, Clock],
  useFactory: (unitOfWork: UnitOfWork, repository: WoundRepository, reports: ReportRepository, clock: Clock) =>
    new FollowUpSummariser({ unitOfWork, wounds: repository, reports, clock }),
};

const merging: Provider = {
  provide: PatientMergeService,
  inject: [PatientRepository, WoundRepository, Clock, IdSource, ReportSeries],
  useFactory: (patients: PatientRepository, repository: WoundRepository, clock: Clock, ids: IdSource, reportSeries: ReportSeries) =>
    new PatientMergeService({ patients, wounds: repository, clock, ids }, reportSeries),
};

/** Binds core's classes for wounds over time to their ports. */
@Global()
@Module({
  imports: [StorageModule, ImagingModule],
  providers: [series, assembly, reviewing, reading, wounds, merging, summariser],
  exports: [ReportAssembly, ReportReviewing, ReportReader, WoundService, PatientMergeService, FollowUpSummariser],
})
export class FollowUpModule {}
