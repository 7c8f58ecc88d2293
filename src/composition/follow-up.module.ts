import { Module } from '@nestjs/common';
import { FollowUpSummariser } from '../core/report/follow-up-summariser.js';
import { ClinicalEventService } from '../core/wounds/clinical-event.service.js';
import { WoundRelationService } from '../core/wounds/wound-relation.service.js';
import { WoundService } from '../core/wounds/wound.service.js';
import { BirthDateChange } from '../core/wounds/birth-date-change.js';
import { PatientMergeService } from '../core/wounds/patient-merge.service.js';
import { PhotoDocuments } from '../core/erasure/photo-documents.js';
import { BirthDates } from '../core/patients/birth-dates.js';
import { Digest } from '../core/ports/digest.js';
import { Clock } from '../core/ports/clock.js';
import { ImageRepository } from '../core/images/image.repository.js';
import { ObjectStore } from '../core/images/object-store.js';
import { PictureRenderer } from '../core/analysis/picture-renderer.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { JobCompletion } from '../core/report/job-completion.js';
import { ReportDocumentArchive, type LostDocument } from '../core/report/report-document-archive.js';
import { DEFAULT_PAPER, type ReportDocumentRenderer } from '../core/report/report-document.js';
import { ReportDocumentRepository } from '../core/report/report-document.repository.js';
import { ReportPhotoErasure } from '../core/report/report-photo-erasure.js';
import { ReportAssembly } from '../core/report/report-assembly.js';
import { ReportPictureReader } from '../core/report/report-pictures.js';
import { ReportHeadings } from '../core/report/report-heading.js';
import { ReportReader } from '../core/report/report-reader.js';
import { WoundsToTell } from '../core/ehrs/wounds-to-tell.js';
import { ReportReviewing } from '../core/report/report-reviewing.js';
import { ReportSeries } from '../core/report/report-series.js';
import { RelatedWounds } from '../core/report/related-wounds.js';
import { SharedPhotos } from '../core/report/shared-photos.js';
import { Worklist } from '../core/report/worklist.js';
import { WoundEvidenceReader } from '../core/report/wound-evidence-reader.js';
import { FhirTablesModule } from '../doors/fhir/fhir-tables.module.js';
import { ImagingModule } from '../inference/index.js';
import { CORE_PORTS } from './core-ports.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { Logger } from '../platform/logging/logger.js';
import { ReportRenderer, ReportRenderingModule, type Language } from '../reports/index.js';
import { StorageModule } from '../storage/drivers/storage.module.js';

const RENDERER = from(ReportRenderer, (renderer): ReportDocumentRenderer => ({
  render: (reading, pictures, { format, language, paper }) =>
    renderer.render(reading, pictures, format, language as Language, paper ?? DEFAULT_PAPER),
}));

/** Logs a document that the store lost. The log names the report and no person. */
const LOST_DOCUMENTS = from(
  Logger,
  (logger) =>
    ({ organizationId, environment, reportId, version, objectKey }: LostDocument): void =>
      logger.warn('report.document_lost', { organizationId, environment, reportId, version, objectKey }),
);

const PHOTO_RULES = from(Settings, ({ models }) => ({ allowReusedPhotos: models.allowReusedPhotos }));

const SERVICES = [
  bind(ReportSeries, { ...CORE_PORTS, birthDates: BirthDates }),
  bind(ReportAssembly, CORE_PORTS, ReportSeries, PHOTO_RULES),
  bind(SharedPhotos, CORE_PORTS, ReportSeries, PHOTO_RULES),
  bind(ReportReviewing, CORE_PORTS, ReportSeries, ReportAssembly),
  bind(ReportReader, { ...CORE_PORTS, headings: ReportHeadings }, ReportAssembly),
  bind(Worklist, { ...CORE_PORTS, headings: ReportHeadings }),
  bind(WoundEvidenceReader, { ...CORE_PORTS, headings: ReportHeadings }),
  bind(WoundsToTell, { ...CORE_PORTS, reader: ReportReader }),
  bind(ReportPictureReader, { ...CORE_PORTS, store: ObjectStore, renderer: PictureRenderer }),
  bind(
    ReportDocumentArchive,
    {
      unitOfWork: UnitOfWork,
      documents: ReportDocumentRepository,
      images: ImageRepository,
      store: ObjectStore,
      renderer: RENDERER,
      digest: Digest,
      clock: Clock,
      tell: LOST_DOCUMENTS,
      paper: from(Settings, ({ reports }) => reports.paper),
    },
    ReportReader,
    ReportPictureReader,
  ),
  {
    ...bind(ReportPhotoErasure, { ...CORE_PORTS, store: ObjectStore }),
    provide: PhotoDocuments,
  },
  bind(WoundService, CORE_PORTS, ReportSeries),
  bind(RelatedWounds, CORE_PORTS, ReportSeries),
  bind(WoundRelationService, CORE_PORTS, ReportSeries),
  bind(ClinicalEventService, { ...CORE_PORTS, headings: ReportHeadings }, ReportSeries),
  bind(PatientMergeService, CORE_PORTS, ReportSeries),
  bind(BirthDateChange, CORE_PORTS),
  bind(FollowUpSummariser, { ...CORE_PORTS, birthDates: BirthDates }),
  bind(JobCompletion, CORE_PORTS, ReportAssembly, FollowUpSummariser),
];

/** Binds core's classes for wounds over time to their ports. Part of CoreModule. */
@Module({
  imports: [StorageModule, ImagingModule, FhirTablesModule, ReportRenderingModule],
  providers: SERVICES,
  exports: [
    ReportAssembly,
    ReportReviewing,
    SharedPhotos,
    ReportReader,
    WoundEvidenceReader,
    WoundsToTell,
    Worklist,
    ReportPictureReader,
    ReportDocumentArchive,
    PhotoDocuments,
    WoundService,
    ClinicalEventService,
    RelatedWounds,
    WoundRelationService,
    PatientMergeService,
    BirthDateChange,
    JobCompletion,
  ],
})
export class FollowUpModule {}
