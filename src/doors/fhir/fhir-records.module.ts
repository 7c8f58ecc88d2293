import { Module, type Provider, type Type } from '@nestjs/common';
import { ReportsModule } from '../../reports/index.js';
import { AuditedCalls } from './audit/audited-calls.js';
import { FhirAudit } from './audit/fhir-audit.js';
import { BatchBundle } from './bundle/batch-bundle.js';
import { BundleProcessor } from './bundle/bundle-processor.js';
import { HeldBundles } from './bundle/held-bundles.js';
import { TransactionBundle } from './bundle/transaction-bundle.js';
import { TransactionPerformer } from './bundle/transaction-performer.js';
import { UnservedEntries } from './bundle/unsupported-entries.js';
import { FhirProjectionModule } from './fhir-projection.module.js';
import { AnalysisRequestBuilder } from './intake/analysis-request.builder.js';
import { AnalysisTasks } from './intake/analysis-tasks.js';
import { AwaitingResources } from './intake/awaiting-resources.js';
import { AttachedPhoto } from './intake/attached-photo.js';
import { BegunAnalyses } from './intake/begun-analyses.js';
import { DocumentAttachments } from './intake/document-attachments.js';
import { INTAKES } from './intake/intakes.js';
import { KeptBytes } from './intake/kept-bytes.js';
import { OrderMatching } from './intake/order-matching.js';
import { PatientArrival } from './intake/patient-arrival.handler.js';
import { PhotoCopies } from './intake/photo-copies.js';
import { PhotoOrders } from './intake/photo-orders.js';
import { PhotoSubject } from './intake/photo-subject.js';
import { PresentPlaces } from './intake/present-places.js';
import { PresentedAnswer } from './intake/presented-answer.js';
import { PresentedForms } from './intake/presented-forms.js';
import { ReportBytes } from './intake/report-bytes.js';
import { TranslatedReports } from './intake/translated-reports.js';
import { ShownPatients } from './intake/shown-patients.js';
import { StoredBinaryContent } from './intake/stored-binary-content.js';
import { WoundClosings } from './intake/wound-closings.js';
import { WoundRelations } from './intake/wound-relations.js';
import { WoundRecords } from './intake/wound-records.js';
import { BinaryContent } from './interactions/binary-content.js';
import { ClientNames } from './interactions/client-names.js';
import { CriteriaMatch } from './interactions/criteria-match.js';
import { DefinitionReading } from './interactions/definition-reading.js';
import { HistoryReading } from './interactions/history-reading.js';
import { KnownPatients } from './interactions/known-patients.js';
import { PatientMerging } from './interactions/patient-merging.js';
import { ReferenceCheck } from './interactions/reference-check.js';
import { ResourceChanging } from './interactions/resource-changing.js';
import { ResourceDeleting } from './interactions/resource-deleting.js';
import { IntakeDirectory, type ResourceIntake } from './interactions/resource-intake.js';
import { ResourceInteractions } from './interactions/resource-interactions.js';
import { ResourcePutting } from './interactions/resource-putting.js';
import { ResourceReading } from './interactions/resource-reading.js';
import { ResourceWriting } from './interactions/resource-writing.js';
import { SubjectCheck } from './interactions/subject-check.js';
import { SubjectResolution } from './interactions/subject-resolution.js';
import { SubmissionCheck } from './interactions/submission-check.js';
import { BundleApplication } from './records/bundle-application.js';
import { AnalysesOfEntries } from './records/analyses-of-entries.js';
import { FhirRecords } from './records/fhir-records.js';
import { GroupedBundles } from './records/grouped-bundles.js';
import { HeldPatients } from './records/held-patients.js';
import { IdentifiedResources } from './records/identified-resources.js';
import { JoinedPatients } from './records/joined-patients.js';
import { MergedPatientResources } from './records/merged-patient-resources.js';
import { OrderPhotos } from './records/order-photos.js';
import { PatientJoining } from './records/patient-joining.js';
import { SettledRequests } from './records/settled-requests.js';
import { StatedFindings } from './records/stated-findings.js';
import { RecordLookups } from './records/record-lookups.js';
import { MessageBundles } from './records/message-bundles.js';

/** The intakes, and the directory that finds them. */
export function intakeProviders(intakes: readonly Type<ResourceIntake>[]): Provider[] {
  return [
    ...intakes,
    {
      provide: IntakeDirectory,
      inject: [...intakes],
      useFactory: (...made: ResourceIntake[]) => new IntakeDirectory(made),
    },
  ];
}

/** The interactions, over a store, a search, the bytes and intakes. */
export const INTERACTION_PROVIDERS: Provider[] = [
  ClientNames,
  CriteriaMatch,
  DefinitionReading,
  HistoryReading,
  ReferenceCheck,
  ResourceChanging,
  ResourceDeleting,
  ResourceInteractions,
  ResourcePutting,
  ResourceReading,
  ResourceWriting,
  SubjectCheck,
  SubjectResolution,
  SubmissionCheck,
];

/** The collaborators of the intakes. */
const INTAKE: Provider[] = [
  AnalysisRequestBuilder,
  AnalysisTasks,
  AttachedPhoto,
  DocumentAttachments,
  KeptBytes,
  BegunAnalyses,
  OrderMatching,
  PhotoCopies,
  PhotoOrders,
  PhotoSubject,
  PresentPlaces,
  PresentedAnswer,
  PresentedForms,
  ReportBytes,
  TranslatedReports,
  WoundRecords,
  WoundClosings,
  WoundRelations,
  { provide: BinaryContent, useClass: StoredBinaryContent },
  { provide: KnownPatients, useClass: ShownPatients },
];

const BUNDLES: Provider[] = [
  HeldBundles,
  UnservedEntries,
  TransactionPerformer,
  TransactionBundle,
  BatchBundle,
  BundleProcessor,
];

const RECORDS: Provider[] = [
  AnalysesOfEntries,
  BundleApplication,
  GroupedBundles,
  IdentifiedResources,
  MergedPatientResources,
  OrderPhotos,
  PatientJoining,
  MessageBundles,
  StatedFindings,
  RecordLookups,
  SettledRequests,
  FhirRecords,
  AwaitingResources,
  HeldPatients,
  { provide: PatientMerging, useClass: JoinedPatients },
];

const MODULES = [FhirProjectionModule, ReportsModule];
const PROVIDERS: Provider[] = [
  FhirAudit,
  AuditedCalls,
  ...INTAKE,
  ...intakeProviders(INTAKES),
  ...INTERACTION_PROVIDERS,
  ...BUNDLES,
  ...RECORDS,
  PatientArrival,
];

/** Resources and their meaning, without HTTP: for the FHIR door, and for doors that write their records through it, also in a process without HTTP. */
@Module({ imports: MODULES, providers: PROVIDERS, exports: [...MODULES, ...PROVIDERS] })
export class FhirRecordsModule {}
