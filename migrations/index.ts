import { CreateFoundation1763700000000 } from './1763700000000-create-foundation.js';
import { CreateCalibrationCards1763800000000 } from './1763800000000-create-calibration-cards.js';
import { CreateFollowUp1763900000000 } from './1763900000000-create-follow-up.js';
import { CreateFhir1764000000000 } from './1764000000000-create-fhir.js';
import { CreateAnalysisRequests1764100000000 } from './1764100000000-create-analysis-requests.js';
import { CreateAudit1764200000000 } from './1764200000000-create-audit.js';
import { CreateHl71764300000000 } from './1764300000000-create-hl7.js';
import { CreateHl7Outbox1764400000000 } from './1764400000000-create-hl7-outbox.js';
import { CreatePatientMerges1764500000000 } from './1764500000000-create-patient-merges.js';
import { IndexQuantitiesByUnit1764600000000 } from './1764600000000-index-quantities-by-unit.js';
import { IndexQuantitiesAsGiven1764710000000 } from './1764710000000-index-quantities-as-given.js';
import { CreateFhirClientIds1764711000000 } from './1764711000000-create-fhir-client-ids.js';
import { RankPatientNumbers1764720000000 } from './1764720000000-rank-patient-numbers.js';
import { OperateHl7Outbox1764730000000 } from './1764730000000-operate-hl7-outbox.js';
import { SearchHl7Messages1764730000001 } from './1764730000001-search-hl7-messages.js';
import { RememberChecksums1764740000000 } from './1764740000000-remember-checksums.js';
import { FindPhotosInMessages1764750000000 } from './1764750000000-find-photos-in-messages.js';
import { AuditRefusals1764751000000 } from './1764751000000-audit-refusals.js';
import { CountStoredBytes1764752000000 } from './1764752000000-count-stored-bytes.js';
import { TellServedListeners1764770000000 } from './1764770000000-tell-served-listeners.js';
import { VersionStoredDocuments1764780100000 } from './1764780100000-version-stored-documents.js';
import { OrderPastVersions1764780400000 } from './1764780400000-order-past-versions.js';
import { TellWhatBecameOfMessages1764780700000 } from './1764780700000-tell-what-became-of-messages.js';
import { OweEventsToHandlers1764780800000 } from './1764780800000-owe-events-to-handlers.js';
import { SetTimeZones1764780801000 } from './1764780801000-set-time-zones.js';
import { FindResultsThatWait1764780801500 } from './1764780801500-find-results-that-wait.js';
import { KeepReportDocuments1764780802000 } from './1764780802000-keep-report-documents.js';
import { OrderAnalysesOfAPhoto1764780803000 } from './1764780803000-order-analyses-of-a-photo.js';
import { OpenFhirAtFirstLook1764780804000 } from './1764780804000-open-fhir-at-first-look.js';
import { TellQueueDepth1764780805500 } from './1764780805500-tell-queue-depth.js';
import { CreateWebhooks1764780807000 } from './1764780807000-create-webhooks.js';
import { RegisterOAuthClients1764780809000 } from './1764780809000-register-oauth-clients.js';
import { ErasePatients1764780811000 } from './1764780811000-erase-patients.js';
import { RestrictNetworksOfKeys1764780812000 } from './1764780812000-restrict-networks-of-keys.js';
import { GiveOutAuditRows1764780813000 } from './1764780813000-give-out-audit-rows.js';
import { CreateFhirSubscriptions1764780814000 } from './1764780814000-create-fhir-subscriptions.js';
import { NamePersons1764780815000 } from './1764780815000-name-persons.js';
import { CreateUsers1764780816000 } from './1764780816000-create-users.js';
import { CreateBulkExports1764780819000 } from './1764780819000-create-bulk-exports.js';
import { AllowResearchExports1764780820000 } from './1764780820000-allow-research-exports.js';
import { PauseSubscriptions1764780821000 } from './1764780821000-pause-subscriptions.js';
import { CreateReviewLinks1764780823000 } from './1764780823000-create-review-links.js';
import { SendHeartbeats1764780824000 } from './1764780824000-send-heartbeats.js';
import { FindTheHeadOfAQueue1764780830000 } from './1764780830000-find-the-head-of-a-queue.js';
import { KeepFormerKeys1764780831000 } from './1764780831000-keep-former-keys.js';
import { AskTheTrail1764780850000 } from './1764780850000-ask-the-trail.js';
import { ArchiveAuditRows1764780851000 } from './1764780851000-archive-audit-rows.js';
import { DropArchivedRowsAtOnce1764780852000 } from './1764780852000-drop-archived-rows-at-once.js';
import { TellWhatErasuresWaitFor1764780860000 } from './1764780860000-tell-what-erasures-wait-for.js';
import { FollowRotatedKeys1764780861000 } from './1764780861000-follow-rotated-keys.js';
import { RememberFormerMembers1764780862000 } from './1764780862000-remember-former-members.js';
import { SampleServiceFigures1764780870000 } from './1764780870000-sample-service-figures.js';
import { FindDeliveriesOfReports1764780871000 } from './1764780871000-find-deliveries-of-reports.js';
import { DigestPictures1764780890000 } from './1764780890000-digest-pictures.js';
import { KeepSealsOfErasures1764780900000 } from './1764780900000-keep-seals-of-erasures.js';
import { FindRequests1764780910000 } from './1764780910000-find-requests.js';
import { AddUpSweeps1764780920000 } from './1764780920000-add-up-sweeps.js';
import { LookWhoAskedForFhir1764780930000 } from './1764780930000-look-who-asked-for-fhir.js';
import { BindAccounts1764780941000 } from './1764780941000-bind-accounts.js';
import { RetryJobs1764780942000 } from './1764780942000-retry-jobs.js';
import { KeepFilesOnce1764780944000 } from './1764780944000-keep-files-once.js';
import { KeepVersionsByAge1764780944500 } from './1764780944500-keep-versions-by-age.js';
import { NarrowFhirIndex1764780946000 } from './1764780946000-narrow-fhir-index.js';
import { KeepDeliveryHistory1764780946500 } from './1764780946500-keep-delivery-history.js';
import { KnowBrowsers1764780955000 } from './1764780955000-know-browsers.js';
import { OpenNetworksForOne1764780956000 } from './1764780956000-open-networks-for-one.js';
import { WitnessAuditRows1764780957000 } from './1764780957000-witness-audit-rows.js';
import { RememberFullEvents1764780958000 } from './1764780958000-remember-full-events.js';
import { DeleteFhirResources1764780970000 } from './1764780970000-delete-fhir-resources.js';
import { HoldForPersons1764781000000 } from './1764781000000-hold-for-persons.js';
import { KeepHeldRequests1764781010000 } from './1764781010000-keep-held-requests.js';
import { ListWhatDoesNotMeet1764781020000 } from './1764781020000-list-what-does-not-meet.js';
import { SendOrdersWhole1764781021000 } from './1764781021000-send-orders-whole.js';
import { SetPhotosAside1764781022000 } from './1764781022000-set-photos-aside.js';
import { StatedCaptureTimes1764781030000 } from './1764781030000-stated-capture-times.js';
import { AwaitPatients1764781040000 } from './1764781040000-await-patients.js';
import { SayWhyWoundsClosed1764781050000 } from './1764781050000-say-why-wounds-closed.js';
import { KnowAuthorities1764781060000 } from './1764781060000-know-authorities.js';
import { RecordClinicalEvents1764781070000 } from './1764781070000-record-clinical-events.js';
import { KnowPhotosByPixels1764781080000 } from './1764781080000-know-photos-by-pixels.js';
import { DatePhotosByThemselves1764781081000 } from './1764781081000-date-photos-by-themselves.js';
import { FindJobsByMetadata1764781110000 } from './1764781110000-find-jobs-by-metadata.js';
import { CountHeldRequests1764781111000 } from './1764781111000-count-held-requests.js';
import { NameWhoSignsAtTheDesk1764781120000 } from './1764781120000-name-who-signs-at-the-desk.js';
import { OrderTheWorklist1764781270000 } from './1764781270000-order-the-worklist.js';
import { RelateWounds1764781290000 } from './1764781290000-relate-wounds.js';
import { KnowProcesses1764781300000 } from './1764781300000-know-processes.js';
import { AwaitPatientsOfMessages1764781400000 } from './1764781400000-await-patients-of-messages.js';
import { AskWhichWound1764781401000 } from './1764781401000-ask-which-wound.js';
import { DoubtCameraClocks1764781410000 } from './1764781410000-doubt-camera-clocks.js';
import { ReturnIssuedResults1764781410500 } from './1764781410500-return-issued-results.js';
import { KeepDraftsOfTheDesk1764781420000 } from './1764781420000-keep-drafts-of-the-desk.js';
import { PackFhirVersions1764781430000 } from './1764781430000-pack-fhir-versions.js';
import { FindTakenMessages1764781430001 } from './1764781430001-find-taken-messages.js';
import { KeepWhoMayReview1764781440000 } from './1764781440000-keep-who-may-review.js';
import { ShowDecisionsOnWounds1764781450000 } from './1764781450000-show-decisions-on-wounds.js';
import { KeepSandboxOutcome1764781480000 } from './1764781480000-keep-sandbox-outcome.js';
import { TellNumberingsOfSignersApart1764781490000 } from './1764781490000-tell-numberings-of-signers-apart.js';
import { FindWhatWasMoved1764781500000 } from './1764781500000-find-what-was-moved.js';
import { KeepEventLogs1764781510000 } from './1764781510000-keep-event-logs.js';
import { RegisterEhrs1764781520000 } from './1764781520000-register-ehrs.js';
import { PublishKeys1764781521000 } from './1764781521000-publish-keys.js';
import { FileResultsInEhrs1764781530000 } from './1764781530000-file-results-in-ehrs.js';
import { LaunchFromEhrs1764781540000 } from './1764781540000-launch-from-ehrs.js';
import { KeysOfOrganizations1764781541000 } from './1764781541000-keys-of-organizations.js';
import { SettleWhatWasFiled1764781542000 } from './1764781542000-settle-what-was-filed.js';
import { CountOpenWrites1764781550000 } from './1764781550000-count-open-writes.js';
import { FindLaterPhotosOfAWound1764781560000 } from './1764781560000-find-later-photos-of-a-wound.js';
import { ListReportsOfLinks1764781570000 } from './1764781570000-list-reports-of-links.js';
import { MoveSandboxClocks1764781580000 } from './1764781580000-move-sandbox-clocks.js';
import { FindRepeatsOfHeld1764781600000 } from './1764781600000-find-repeats-of-held.js';
import { RememberComingBack1764781607000 } from './1764781607000-remember-coming-back.js';
import { KnowWhereAnEhrWasRegistered1764781620000 } from './1764781620000-know-where-an-ehr-was-registered.js';
import { AllowBrowserOrigins1764781630000 } from './1764781630000-allow-browser-origins.js';
import { OweWithdrawals1764781640000 } from './1764781640000-owe-withdrawals.js';
import { KnowWhatAMessageSaid1764781650000 } from './1764781650000-know-what-a-message-said.js';

/** Every migration, oldest first. Forward only; never edited once committed: `checksums.ts` has a line for each. */
export const MIGRATIONS = [
  CreateFoundation1763700000000,
  CreateCalibrationCards1763800000000,
  CreateFollowUp1763900000000,
  CreateFhir1764000000000,
  CreateAnalysisRequests1764100000000,
  CreateAudit1764200000000,
  CreateHl71764300000000,
  CreateHl7Outbox1764400000000,
  CreatePatientMerges1764500000000,
  IndexQuantitiesByUnit1764600000000,
  IndexQuantitiesAsGiven1764710000000,
  CreateFhirClientIds1764711000000,
  RankPatientNumbers1764720000000,
  OperateHl7Outbox1764730000000,
  SearchHl7Messages1764730000001,
  RememberChecksums1764740000000,
  FindPhotosInMessages1764750000000,
  AuditRefusals1764751000000,
  CountStoredBytes1764752000000,
  TellServedListeners1764770000000,
  VersionStoredDocuments1764780100000,
  OrderPastVersions1764780400000,
  TellWhatBecameOfMessages1764780700000,
  OweEventsToHandlers1764780800000,
  SetTimeZones1764780801000,
  FindResultsThatWait1764780801500,
  KeepReportDocuments1764780802000,
  OrderAnalysesOfAPhoto1764780803000,
  OpenFhirAtFirstLook1764780804000,
  TellQueueDepth1764780805500,
  CreateWebhooks1764780807000,
  RegisterOAuthClients1764780809000,
  ErasePatients1764780811000,
  RestrictNetworksOfKeys1764780812000,
  GiveOutAuditRows1764780813000,
  CreateFhirSubscriptions1764780814000,
  NamePersons1764780815000,
  CreateUsers1764780816000,
  CreateBulkExports1764780819000,
  AllowResearchExports1764780820000,
  PauseSubscriptions1764780821000,
  CreateReviewLinks1764780823000,
  SendHeartbeats1764780824000,
  FindTheHeadOfAQueue1764780830000,
  KeepFormerKeys1764780831000,
  AskTheTrail1764780850000,
  ArchiveAuditRows1764780851000,
  DropArchivedRowsAtOnce1764780852000,
  TellWhatErasuresWaitFor1764780860000,
  FollowRotatedKeys1764780861000,
  RememberFormerMembers1764780862000,
  SampleServiceFigures1764780870000,
  FindDeliveriesOfReports1764780871000,
  DigestPictures1764780890000,
  KeepSealsOfErasures1764780900000,
  FindRequests1764780910000,
  AddUpSweeps1764780920000,
  LookWhoAskedForFhir1764780930000,
  BindAccounts1764780941000,
  RetryJobs1764780942000,
  KeepFilesOnce1764780944000,
  KeepVersionsByAge1764780944500,
  NarrowFhirIndex1764780946000,
  KeepDeliveryHistory1764780946500,
  KnowBrowsers1764780955000,
  OpenNetworksForOne1764780956000,
  WitnessAuditRows1764780957000,
  RememberFullEvents1764780958000,
  DeleteFhirResources1764780970000,
  HoldForPersons1764781000000,
  KeepHeldRequests1764781010000,
  ListWhatDoesNotMeet1764781020000,
  SendOrdersWhole1764781021000,
  SetPhotosAside1764781022000,
  StatedCaptureTimes1764781030000,
  AwaitPatients1764781040000,
  SayWhyWoundsClosed1764781050000,
  KnowAuthorities1764781060000,
  RecordClinicalEvents1764781070000,
  KnowPhotosByPixels1764781080000,
  DatePhotosByThemselves1764781081000,
  FindJobsByMetadata1764781110000,
  CountHeldRequests1764781111000,
  NameWhoSignsAtTheDesk1764781120000,
  OrderTheWorklist1764781270000,
  RelateWounds1764781290000,
  KnowProcesses1764781300000,
  AwaitPatientsOfMessages1764781400000,
  AskWhichWound1764781401000,
  DoubtCameraClocks1764781410000,
  ReturnIssuedResults1764781410500,
  KeepDraftsOfTheDesk1764781420000,
  PackFhirVersions1764781430000,
  FindTakenMessages1764781430001,
  KeepWhoMayReview1764781440000,
  ShowDecisionsOnWounds1764781450000,
  KeepSandboxOutcome1764781480000,
  TellNumberingsOfSignersApart1764781490000,
  FindWhatWasMoved1764781500000,
  KeepEventLogs1764781510000,
  RegisterEhrs1764781520000,
  PublishKeys1764781521000,
  FileResultsInEhrs1764781530000,
  LaunchFromEhrs1764781540000,
  KeysOfOrganizations1764781541000,
  SettleWhatWasFiled1764781542000,
  CountOpenWrites1764781550000,
  FindLaterPhotosOfAWound1764781560000,
  ListReportsOfLinks1764781570000,
  MoveSandboxClocks1764781580000,
  FindRepeatsOfHeld1764781600000,
  RememberComingBack1764781607000,
  KnowWhereAnEhrWasRegistered1764781620000,
  AllowBrowserOrigins1764781630000,
  OweWithdrawals1764781640000,
  KnowWhatAMessageSaid1764781650000,
];
