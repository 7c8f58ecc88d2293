// Generated from docs/openapi.json by "npm run build:sdk:csharp".
namespace Sutura.Sdk.Models
{
    /// <summary>The codes of this release (docs/errors.md). More may come: treat one that you do not know by its status.</summary>
    public static class ErrorCode
    {
        /// <summary>auth.missing</summary>
        public const string AuthMissing = "auth.missing";

        /// <summary>auth.invalid</summary>
        public const string AuthInvalid = "auth.invalid";

        /// <summary>auth.revoked</summary>
        public const string AuthRevoked = "auth.revoked";

        /// <summary>auth.expired</summary>
        public const string AuthExpired = "auth.expired";

        /// <summary>auth.scope</summary>
        public const string AuthScope = "auth.scope";

        /// <summary>auth.network</summary>
        public const string AuthNetwork = "auth.network";

        /// <summary>auth.origin</summary>
        public const string AuthOrigin = "auth.origin";

        /// <summary>auth.person</summary>
        public const string AuthPerson = "auth.person";

        /// <summary>auth.session</summary>
        public const string AuthSession = "auth.session";

        /// <summary>auth.csrf</summary>
        public const string AuthCsrf = "auth.csrf";

        /// <summary>auth.role</summary>
        public const string AuthRole = "auth.role";

        /// <summary>review.link</summary>
        public const string ReviewLink = "review.link";

        /// <summary>review.session</summary>
        public const string ReviewSession = "review.session";

        /// <summary>review.read_only</summary>
        public const string ReviewReadOnly = "review.read_only";

        /// <summary>review.draft_changed</summary>
        public const string ReviewDraftChanged = "review.draft_changed";

        /// <summary>review.frame</summary>
        public const string ReviewFrame = "review.frame";

        /// <summary>login.refused</summary>
        public const string LoginRefused = "login.refused";

        /// <summary>login.code_required</summary>
        public const string LoginCodeRequired = "login.code_required";

        /// <summary>login.locked</summary>
        public const string LoginLocked = "login.locked";

        /// <summary>login.busy</summary>
        public const string LoginBusy = "login.busy";

        /// <summary>login.no_role</summary>
        public const string LoginNoRole = "login.no_role";

        /// <summary>login.provider</summary>
        public const string LoginProvider = "login.provider";

        /// <summary>user.not_found</summary>
        public const string UserNotFound = "user.not_found";

        /// <summary>user.name_taken</summary>
        public const string UserNameTaken = "user.name_taken";

        /// <summary>user.changed</summary>
        public const string UserChanged = "user.changed";

        /// <summary>user.last_admin</summary>
        public const string UserLastAdmin = "user.last_admin";

        /// <summary>user.self</summary>
        public const string UserSelf = "user.self";

        /// <summary>user.elsewhere</summary>
        public const string UserElsewhere = "user.elsewhere";

        /// <summary>user.provider</summary>
        public const string UserProvider = "user.provider";

        /// <summary>user.setup</summary>
        public const string UserSetup = "user.setup";

        /// <summary>user.password</summary>
        public const string UserPassword = "user.password";

        /// <summary>oauth.request</summary>
        public const string OauthRequest = "oauth.request";

        /// <summary>oauth.grant_type</summary>
        public const string OauthGrantType = "oauth.grant_type";

        /// <summary>oauth.client</summary>
        public const string OauthClient = "oauth.client";

        /// <summary>oauth.scope</summary>
        public const string OauthScope = "oauth.scope";

        /// <summary>request.invalid</summary>
        public const string RequestInvalid = "request.invalid";

        /// <summary>request.content_type</summary>
        public const string RequestContentType = "request.content_type";

        /// <summary>request.partial</summary>
        public const string RequestPartial = "request.partial";

        /// <summary>request.too_large</summary>
        public const string RequestTooLarge = "request.too_large";

        /// <summary>request.not_acceptable</summary>
        public const string RequestNotAcceptable = "request.not_acceptable";

        /// <summary>request.timeout</summary>
        public const string RequestTimeout = "request.timeout";

        /// <summary>request.uri_too_long</summary>
        public const string RequestUriTooLong = "request.uri_too_long";

        /// <summary>request.headers_too_large</summary>
        public const string RequestHeadersTooLarge = "request.headers_too_large";

        /// <summary>request.precondition_required</summary>
        public const string RequestPreconditionRequired = "request.precondition_required";

        /// <summary>data.conflict</summary>
        public const string DataConflict = "data.conflict";

        /// <summary>data.unusable</summary>
        public const string DataUnusable = "data.unusable";

        /// <summary>data.newer_release</summary>
        public const string DataNewerRelease = "data.newer_release";

        /// <summary>route.not_found</summary>
        public const string RouteNotFound = "route.not_found";

        /// <summary>route.method_not_allowed</summary>
        public const string RouteMethodNotAllowed = "route.method_not_allowed";

        /// <summary>image.not_found</summary>
        public const string ImageNotFound = "image.not_found";

        /// <summary>image.not_uploaded</summary>
        public const string ImageNotUploaded = "image.not_uploaded";

        /// <summary>image.unreadable</summary>
        public const string ImageUnreadable = "image.unreadable";

        /// <summary>image.damaged</summary>
        public const string ImageDamaged = "image.damaged";

        /// <summary>image.in_use</summary>
        public const string ImageInUse = "image.in_use";

        /// <summary>image.already_uploaded</summary>
        public const string ImageAlreadyUploaded = "image.already_uploaded";

        /// <summary>image.too_large</summary>
        public const string ImageTooLarge = "image.too_large";

        /// <summary>image.type</summary>
        public const string ImageType = "image.type";

        /// <summary>image.unavailable</summary>
        public const string ImageUnavailable = "image.unavailable";

        /// <summary>upload.signature</summary>
        public const string UploadSignature = "upload.signature";

        /// <summary>upload.expired</summary>
        public const string UploadExpired = "upload.expired";

        /// <summary>upload.digest</summary>
        public const string UploadDigest = "upload.digest";

        /// <summary>upload.incomplete</summary>
        public const string UploadIncomplete = "upload.incomplete";

        /// <summary>calibration.implausible</summary>
        public const string CalibrationImplausible = "calibration.implausible";

        /// <summary>region.outside_photo</summary>
        public const string RegionOutsidePhoto = "region.outside_photo";

        /// <summary>capture.future</summary>
        public const string CaptureFuture = "capture.future";

        /// <summary>subject.mismatch</summary>
        public const string SubjectMismatch = "subject.mismatch";

        /// <summary>sample.not_found</summary>
        public const string SampleNotFound = "sample.not_found";

        /// <summary>job.not_found</summary>
        public const string JobNotFound = "job.not_found";

        /// <summary>patient.not_found</summary>
        public const string PatientNotFound = "patient.not_found";

        /// <summary>patient.ambiguous</summary>
        public const string PatientAmbiguous = "patient.ambiguous";

        /// <summary>patient.on_hold</summary>
        public const string PatientOnHold = "patient.on_hold";

        /// <summary>patient.not_held</summary>
        public const string PatientNotHeld = "patient.not_held";

        /// <summary>patient.in_use</summary>
        public const string PatientInUse = "patient.in_use";

        /// <summary>wound.not_found</summary>
        public const string WoundNotFound = "wound.not_found";

        /// <summary>wound.merge_refused</summary>
        public const string WoundMergeRefused = "wound.merge_refused";

        /// <summary>wound.two_at_once</summary>
        public const string WoundTwoAtOnce = "wound.two_at_once";

        /// <summary>wound.not_merged</summary>
        public const string WoundNotMerged = "wound.not_merged";

        /// <summary>wound.merged</summary>
        public const string WoundMerged = "wound.merged";

        /// <summary>wound.event_not_found</summary>
        public const string WoundEventNotFound = "wound.event_not_found";

        /// <summary>wound.events_full</summary>
        public const string WoundEventsFull = "wound.events_full";

        /// <summary>wound.relation_refused</summary>
        public const string WoundRelationRefused = "wound.relation_refused";

        /// <summary>wound.relation_not_found</summary>
        public const string WoundRelationNotFound = "wound.relation_not_found";

        /// <summary>report.not_found</summary>
        public const string ReportNotFound = "report.not_found";

        /// <summary>report.entered_in_error</summary>
        public const string ReportEnteredInError = "report.entered_in_error";

        /// <summary>report.stale</summary>
        public const string ReportStale = "report.stale";

        /// <summary>job.cancelled</summary>
        public const string JobCancelled = "job.cancelled";

        /// <summary>job.not_failed</summary>
        public const string JobNotFailed = "job.not_failed";

        /// <summary>job.repeated</summary>
        public const string JobRepeated = "job.repeated";

        /// <summary>job.retried</summary>
        public const string JobRetried = "job.retried";

        /// <summary>fhir.preparing</summary>
        public const string FhirPreparing = "fhir.preparing";

        /// <summary>fhir.structure</summary>
        public const string FhirStructure = "fhir.structure";

        /// <summary>fhir.profile</summary>
        public const string FhirProfile = "fhir.profile";

        /// <summary>fhir.narrative</summary>
        public const string FhirNarrative = "fhir.narrative";

        /// <summary>fhir.type_not_supported</summary>
        public const string FhirTypeNotSupported = "fhir.type_not_supported";

        /// <summary>fhir.interaction_not_supported</summary>
        public const string FhirInteractionNotSupported = "fhir.interaction_not_supported";

        /// <summary>fhir.not_found</summary>
        public const string FhirNotFound = "fhir.not_found";

        /// <summary>fhir.gone</summary>
        public const string FhirGone = "fhir.gone";

        /// <summary>fhir.in_use</summary>
        public const string FhirInUse = "fhir.in_use";

        /// <summary>identity.conflict</summary>
        public const string IdentityConflict = "identity.conflict";

        /// <summary>held.not_found</summary>
        public const string HeldNotFound = "held.not_found";

        /// <summary>held.action</summary>
        public const string HeldAction = "held.action";

        /// <summary>authority.not_found</summary>
        public const string AuthorityNotFound = "authority.not_found";

        /// <summary>authority.taken</summary>
        public const string AuthorityTaken = "authority.taken";

        /// <summary>fhir.duplicate</summary>
        public const string FhirDuplicate = "fhir.duplicate";

        /// <summary>fhir.multiple_matches</summary>
        public const string FhirMultipleMatches = "fhir.multiple_matches";

        /// <summary>fhir.no_match</summary>
        public const string FhirNoMatch = "fhir.no_match";

        /// <summary>fhir.version_conflict</summary>
        public const string FhirVersionConflict = "fhir.version_conflict";

        /// <summary>fhir.id_mismatch</summary>
        public const string FhirIdMismatch = "fhir.id_mismatch";

        /// <summary>fhir.search</summary>
        public const string FhirSearch = "fhir.search";

        /// <summary>fhir.reference</summary>
        public const string FhirReference = "fhir.reference";

        /// <summary>fhir.bundle</summary>
        public const string FhirBundle = "fhir.bundle";

        /// <summary>fhir.patch</summary>
        public const string FhirPatch = "fhir.patch";

        /// <summary>fhir.patch_test</summary>
        public const string FhirPatchTest = "fhir.patch_test";

        /// <summary>fhir.image</summary>
        public const string FhirImage = "fhir.image";

        /// <summary>fhir.url_refused</summary>
        public const string FhirUrlRefused = "fhir.url_refused";

        /// <summary>fhir.business_rule</summary>
        public const string FhirBusinessRule = "fhir.business_rule";

        /// <summary>fhir.subject_fixed</summary>
        public const string FhirSubjectFixed = "fhir.subject_fixed";

        /// <summary>fhir.analysed</summary>
        public const string FhirAnalysed = "fhir.analysed";

        /// <summary>fhir.task_state</summary>
        public const string FhirTaskState = "fhir.task_state";

        /// <summary>export.not_found</summary>
        public const string ExportNotFound = "export.not_found";

        /// <summary>export.too_many</summary>
        public const string ExportTooMany = "export.too_many";

        /// <summary>export.failed</summary>
        public const string ExportFailed = "export.failed";

        /// <summary>research.not_allowed</summary>
        public const string ResearchNotAllowed = "research.not_allowed";

        /// <summary>artifact.not_found</summary>
        public const string ArtifactNotFound = "artifact.not_found";

        /// <summary>model.research_only</summary>
        public const string ModelResearchOnly = "model.research_only";

        /// <summary>trace.not_found</summary>
        public const string TraceNotFound = "trace.not_found";

        /// <summary>hl7.listener_not_found</summary>
        public const string Hl7ListenerNotFound = "hl7.listener_not_found";

        /// <summary>hl7.destination_not_found</summary>
        public const string Hl7DestinationNotFound = "hl7.destination_not_found";

        /// <summary>hl7.message_not_found</summary>
        public const string Hl7MessageNotFound = "hl7.message_not_found";

        /// <summary>hl7.name_taken</summary>
        public const string Hl7NameTaken = "hl7.name_taken";

        /// <summary>hl7.port_taken</summary>
        public const string Hl7PortTaken = "hl7.port_taken";

        /// <summary>hl7.unreadable</summary>
        public const string Hl7Unreadable = "hl7.unreadable";

        /// <summary>hl7.sealed</summary>
        public const string Hl7Sealed = "hl7.sealed";

        /// <summary>hl7.erased</summary>
        public const string Hl7Erased = "hl7.erased";

        /// <summary>hl7.file_missing</summary>
        public const string Hl7FileMissing = "hl7.file_missing";

        /// <summary>hl7.in_progress</summary>
        public const string Hl7InProgress = "hl7.in_progress";

        /// <summary>hl7.not_parked</summary>
        public const string Hl7NotParked = "hl7.not_parked";

        /// <summary>hl7.not_waiting</summary>
        public const string Hl7NotWaiting = "hl7.not_waiting";

        /// <summary>hl7.already_there</summary>
        public const string Hl7AlreadyThere = "hl7.already_there";

        /// <summary>hl7.destination_deleted</summary>
        public const string Hl7DestinationDeleted = "hl7.destination_deleted";

        /// <summary>hl7.queue_not_empty</summary>
        public const string Hl7QueueNotEmpty = "hl7.queue_not_empty";

        /// <summary>hl7.superseded</summary>
        public const string Hl7Superseded = "hl7.superseded";

        /// <summary>hl7.not_rebuilt</summary>
        public const string Hl7NotRebuilt = "hl7.not_rebuilt";

        /// <summary>hl7.no_answer</summary>
        public const string Hl7NoAnswer = "hl7.no_answer";

        /// <summary>idempotency.mismatch</summary>
        public const string IdempotencyMismatch = "idempotency.mismatch";

        /// <summary>idempotency.in_flight</summary>
        public const string IdempotencyInFlight = "idempotency.in_flight";

        /// <summary>quota.exceeded</summary>
        public const string QuotaExceeded = "quota.exceeded";

        /// <summary>sandbox.live</summary>
        public const string SandboxLive = "sandbox.live";

        /// <summary>sandbox.clock_live</summary>
        public const string SandboxClockLive = "sandbox.clock_live";

        /// <summary>sandbox.clock_back</summary>
        public const string SandboxClockBack = "sandbox.clock_back";

        /// <summary>sandbox.clock_limit</summary>
        public const string SandboxClockLimit = "sandbox.clock_limit";

        /// <summary>rate.limited</summary>
        public const string RateLimited = "rate.limited";

        /// <summary>organization.not_found</summary>
        public const string OrganizationNotFound = "organization.not_found";

        /// <summary>organization.changed</summary>
        public const string OrganizationChanged = "organization.changed";

        /// <summary>client.not_found</summary>
        public const string ClientNotFound = "client.not_found";

        /// <summary>key.not_found</summary>
        public const string KeyNotFound = "key.not_found";

        /// <summary>key.limit</summary>
        public const string KeyLimit = "key.limit";

        /// <summary>key.live_not_allowed</summary>
        public const string KeyLiveNotAllowed = "key.live_not_allowed";

        /// <summary>webhook.not_found</summary>
        public const string WebhookNotFound = "webhook.not_found";

        /// <summary>webhook.delivery_not_found</summary>
        public const string WebhookDeliveryNotFound = "webhook.delivery_not_found";

        /// <summary>webhook.delivery_state</summary>
        public const string WebhookDeliveryState = "webhook.delivery_state";

        /// <summary>webhook.url_refused</summary>
        public const string WebhookUrlRefused = "webhook.url_refused";

        /// <summary>webhook.too_many</summary>
        public const string WebhookTooMany = "webhook.too_many";

        /// <summary>webhook.too_many_keys</summary>
        public const string WebhookTooManyKeys = "webhook.too_many_keys";

        /// <summary>ehr.not_found</summary>
        public const string EhrNotFound = "ehr.not_found";

        /// <summary>ehr.taken</summary>
        public const string EhrTaken = "ehr.taken";

        /// <summary>ehr.too_many</summary>
        public const string EhrTooMany = "ehr.too_many";

        /// <summary>ehr.address_refused</summary>
        public const string EhrAddressRefused = "ehr.address_refused";

        /// <summary>ehr.filed</summary>
        public const string EhrFiled = "ehr.filed";

        /// <summary>launch.unknown</summary>
        public const string LaunchUnknown = "launch.unknown";

        /// <summary>launch.state</summary>
        public const string LaunchState = "launch.state";

        /// <summary>launch.cookie</summary>
        public const string LaunchCookie = "launch.cookie";

        /// <summary>launch.frame</summary>
        public const string LaunchFrame = "launch.frame";

        /// <summary>launch.unreachable</summary>
        public const string LaunchUnreachable = "launch.unreachable";

        /// <summary>launch.answer</summary>
        public const string LaunchAnswer = "launch.answer";

        /// <summary>launch.refused</summary>
        public const string LaunchRefused = "launch.refused";

        /// <summary>launch.person</summary>
        public const string LaunchPerson = "launch.person";

        /// <summary>launch.patient_unknown</summary>
        public const string LaunchPatientUnknown = "launch.patient_unknown";

        /// <summary>launch.patient_unclear</summary>
        public const string LaunchPatientUnclear = "launch.patient_unclear";

        /// <summary>launch.no_report</summary>
        public const string LaunchNoReport = "launch.no_report";

        /// <summary>ehr.delivery_state</summary>
        public const string EhrDeliveryState = "ehr.delivery_state";

        /// <summary>ehr.superseded</summary>
        public const string EhrSuperseded = "ehr.superseded";

        /// <summary>cds.token</summary>
        public const string CdsToken = "cds.token";

        /// <summary>cds.server</summary>
        public const string CdsServer = "cds.server";

        /// <summary>cds.patient</summary>
        public const string CdsPatient = "cds.patient";

        /// <summary>cds.service_not_found</summary>
        public const string CdsServiceNotFound = "cds.service_not_found";

        /// <summary>delivery.not_found</summary>
        public const string DeliveryNotFound = "delivery.not_found";

        /// <summary>delivery.endpoint_not_found</summary>
        public const string DeliveryEndpointNotFound = "delivery.endpoint_not_found";

        /// <summary>processing.failed</summary>
        public const string ProcessingFailed = "processing.failed";

        /// <summary>processing.timeout</summary>
        public const string ProcessingTimeout = "processing.timeout";

        /// <summary>model.output_invalid</summary>
        public const string ModelOutputInvalid = "model.output_invalid";

        /// <summary>service.unavailable</summary>
        public const string ServiceUnavailable = "service.unavailable";

        /// <summary>service.busy</summary>
        public const string ServiceBusy = "service.busy";

        /// <summary>storage.limit</summary>
        public const string StorageLimit = "storage.limit";

        /// <summary>storage.key_missing</summary>
        public const string StorageKeyMissing = "storage.key_missing";

        /// <summary>storage.altered</summary>
        public const string StorageAltered = "storage.altered";

        /// <summary>service.storage_full</summary>
        public const string ServiceStorageFull = "service.storage_full";

        /// <summary>service.internal</summary>
        public const string ServiceInternal = "service.internal";
    }
}
