/** The sort of refusal behind a code. Every door maps a kind once to its own words (HTTP status, OperationOutcome, HL7 ACK). */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'timed_out'
  | 'conflict'
  | 'precondition_failed'
  | 'precondition_required'
  | 'gone'
  | 'too_large'
  | 'uri_too_long'
  | 'unsupported_type'
  | 'unprocessable'
  | 'headers_too_large'
  | 'limited'
  | 'internal'
  | 'unavailable'
  | 'storage_full';

export interface ErrorEntry {
  readonly kind: ErrorKind;
  /** One short line that never changes with the occasion. */
  readonly title: string;
  /** The default text: what happened and what to do next. */
  readonly advice: string;
}

const entry = (kind: ErrorKind, title: string, advice: string): ErrorEntry => ({ kind, title, advice });

/**
 * Every error this service names. A code is final once released: never renamed, never reused for something else.
 * `docs/errors.md` carries the same table; a test compares the two.
 */
export const ERROR_CATALOGUE = {
  'auth.missing': entry(
    'unauthenticated',
    'No API key',
    'Send the key as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
  ),
  'auth.invalid': entry(
    'unauthenticated',
    'API key not valid',
    'The key is mistyped or unknown. Copy it again, or ask your administrator for a new one.',
  ),
  'auth.revoked': entry(
    'unauthenticated',
    'API key revoked',
    'This key was revoked. Use the key that replaced it, or create a new one.',
  ),
  'auth.expired': entry(
    'unauthenticated',
    'API key expired',
    'This key has passed its expiry. Create or rotate to a new key.',
  ),
  'auth.scope': entry(
    'forbidden',
    'Scope missing',
    'The key lacks the scope that this request needs. Use a key that has it.',
  ),
  'auth.network': entry(
    'forbidden',
    'Network not allowed',
    'The key or client may be used from certain networks only, and this address is in none of them. Send the request from there, or ask your administrator to allow its network.',
  ),
  'auth.origin': entry(
    'forbidden',
    'Origin not allowed',
    'The organization lets no page of this origin call the service. Ask your administrator to add it ("org set --browser-origins"); a page of http://localhost is served with test keys alone.',
  ),
  'auth.person': entry(
    'forbidden',
    'Person not accepted',
    'The key or client is not trusted to name the person behind a request. Leave out X-Sutura-User and fhirUser, or ask your administrator to allow it ("key set --persons on", "client set --persons on").',
  ),
  'auth.session': entry(
    'unauthenticated',
    'No session',
    'The session ended, or there is none. Log in again at /admin/v1/session.',
  ),
  'auth.csrf': entry(
    'forbidden',
    'Not sent by this site',
    'Send the csrfToken of the session as X-CSRF-Token with every change, from a page of this site.',
  ),
  'auth.role': entry(
    'forbidden',
    'Role missing',
    'Your roles do not cover this. Ask an installation admin for the role, or a user who has it to do it.',
  ),
  'review.link': entry(
    'gone',
    'Review link has ended',
    'A review link opens once and for some minutes, and this one was opened, has ended or is not known. Ask your record system for another.',
  ),
  'review.session': entry(
    'unauthenticated',
    'Review has ended',
    'The time of the review link is over, or its key was revoked. Open the report again from your record system.',
  ),
  'review.read_only': entry(
    'forbidden',
    'Link is for reading',
    'This review link shows the report and takes no decision. Ask your record system for a link with mode "review".',
  ),
  'review.draft_changed': entry(
    'conflict',
    'Draft has changed',
    'The same person saved or ended this draft in another tab or on another device. Look at that one, then choose which goes on.',
  ),
  'review.frame': entry(
    'unprocessable',
    'Frame not allowed',
    'The organization has not allowed this origin to show the review desk in a frame. Ask your administrator to add it ("org set --review-frames").',
  ),
  'login.refused': entry(
    'unauthenticated',
    'Login refused',
    'Name, password or code is wrong, or the account is disabled. Type them again; an administrator can reset the account ("user reset").',
  ),
  'login.code_required': entry(
    'unauthenticated',
    'One-time code needed',
    'The account asks for a one-time code. Send the login again with the code that the authenticator app shows.',
  ),
  'login.locked': entry(
    'limited',
    'Too many tries',
    'The account waits after wrong tries, each time longer. Try again after Retry-After, or have it reset ("user reset").',
  ),
  'login.busy': entry(
    'limited',
    'Too many logins at once',
    'Many passwords are being checked at this moment. Try again after Retry-After.',
  ),
  'login.no_role': entry(
    'forbidden',
    'No role for this account',
    'The identity provider knows you, and states no role that is configured here. Ask the administrator of the identity provider for one.',
  ),
  'login.provider': entry(
    'unauthenticated',
    'Identity provider did not vouch',
    'The login at the identity provider was not completed, or its answer is not valid. Begin again; the log says what was wrong.',
  ),
  'user.not_found': entry('not_found', 'No such user', 'Check the id: "user list" shows all users.'),
  'user.name_taken': entry(
    'conflict',
    'Name taken',
    'Somebody has this name already, perhaps disabled: names are not given again. Choose another one.',
  ),
  'user.changed': entry(
    'precondition_failed',
    'User has changed',
    'Somebody changed what this user may do since it was read. Read the user again, and send the change with the present etag in If-Match.',
  ),
  'user.last_admin': entry(
    'conflict',
    'Last installation admin',
    'Nobody would be left who can let others in. Make somebody else an installation admin first.',
  ),
  'user.self': entry(
    'conflict',
    'Your own account',
    'You would lock yourself out. Another admin of the organization can change your role or disable you.',
  ),
  'user.elsewhere': entry(
    'conflict',
    'User of others, too',
    'The user is not one of this organization alone: has a role in another, administers the installation, or has no role here now. Take away the role here instead, or ask an installation admin.',
  ),
  'user.provider': entry(
    'conflict',
    'User of the identity provider',
    'The person logs in at the identity provider and has no password here. Change or end the account there, or disable it here.',
  ),
  'user.setup': entry(
    'forbidden',
    'Set-up code not valid',
    'The code was used, is older than a day, or is mistyped. Ask for a new one ("user reset").',
  ),
  'user.password': entry(
    'unprocessable',
    'Password not accepted',
    'Choose 12 to 256 characters that do not contain your name and are not mostly well-known passwords, sequences or repetitions. Several words make a good one.',
  ),

  'oauth.request': entry(
    'bad_request',
    'Token request not valid',
    'Send grant_type, scope, client_assertion_type and client_assertion, each once, as application/x-www-form-urlencoded.',
  ),
  'oauth.grant_type': entry(
    'bad_request',
    'Grant type not supported',
    'Send grant_type=client_credentials: this service is for back ends alone.',
  ),
  'oauth.client': entry(
    'unauthenticated',
    'Client not recognized',
    'Sign a new assertion with a key of the client as it is registered: RS384 or ES384, with kid, iss and sub the client id, aud the address of the token endpoint, a new jti, and exp at most five minutes ahead.',
  ),
  'oauth.scope': entry(
    'bad_request',
    'Scope not granted',
    'Ask for system scopes that the client is registered for, such as system/DiagnosticReport.rs.',
  ),

  'request.invalid': entry(
    'bad_request',
    'Request not valid',
    'Correct the fields listed under "errors" and send the request again.',
  ),
  'request.content_type': entry(
    'unsupported_type',
    'Body type not supported',
    'Send the body as application/json, as it is or packed by gzip.',
  ),
  'request.partial': entry(
    'bad_request',
    'Part of a body',
    'Parts are not put together here. Send the whole body in one request, without Content-Range.',
  ),
  'request.too_large': entry(
    'too_large',
    'Body too large',
    'The request body is over its limit. Send less; photos go to the signed upload URL.',
  ),
  'request.not_acceptable': entry(
    'not_acceptable',
    'No acceptable representation',
    'This resource is served as application/json. Accept that, or leave out the Accept header.',
  ),
  'request.timeout': entry(
    'timed_out',
    'Request too slow',
    'The request did not arrive in time. Send it again over a faster connection.',
  ),
  'request.uri_too_long': entry(
    'uri_too_long',
    'Address too long',
    'Shorten the address; filters beyond 8 kB are not supported.',
  ),
  'request.headers_too_large': entry('headers_too_large', 'Headers too large', 'Send less than 16 kB of headers.'),
  'request.precondition_required': entry(
    'precondition_required',
    'If-Match missing',
    'Send If-Match with the ETag of the report that the decision is about.',
  ),
  'data.conflict': entry(
    'conflict',
    'Conflicts with what is kept',
    'Something that the request brings is there already, or something that it refers to is not. Read again what it is about and correct its ids and identifiers.',
  ),
  'data.unusable': entry(
    'unprocessable',
    'Value cannot be kept',
    'A value of the request cannot be kept: a number or date beyond what there is, a character that is none, or too long a text. Correct it.',
  ),
  'data.newer_release': entry(
    'unavailable',
    'Record of a newer release',
    'A newer release of the service wrote what was asked for, and this process cannot read it. Try again after Retry-After; the operator has to start every process with that release.',
  ),
  'route.not_found': entry('not_found', 'No such route', 'See /api-docs for the routes of this service.'),
  'route.method_not_allowed': entry(
    'method_not_allowed',
    'Method not allowed',
    'Use one of the methods named in the Allow header.',
  ),

  'image.not_found': entry(
    'not_found',
    'No such image',
    'Check the imageId: it is known only to the organization and environment that requested it.',
  ),
  'image.not_uploaded': entry(
    'conflict',
    'Image not uploaded yet',
    'PUT the photo to its signed upload URL, or to that of a new image where it has expired, then create the job for the image that has it.',
  ),
  'image.unreadable': entry(
    'unprocessable',
    'Image not readable',
    'The file is not a usable photo. Take or export the photo again and upload it as a new image.',
  ),
  'image.damaged': entry(
    'unprocessable',
    'Image damaged',
    'Part of the photo was lost or changed on its way, so that it would be measured wrongly. Send the photo again from where it is whole, as a new image.',
  ),
  'image.in_use': entry(
    'conflict',
    'Image in use',
    'A job still works on this image. Wait until it is completed or in error, then delete again.',
  ),
  'image.already_uploaded': entry(
    'conflict',
    'Image already uploaded',
    'An image is written once. Request a new upload URL for another photo.',
  ),
  'image.too_large': entry(
    'too_large',
    'Image too large',
    'The photo is over the limit given as maxBytes. Upload a smaller file.',
  ),
  'image.type': entry(
    'unsupported_type',
    'Image type not supported',
    'Upload a JPEG, PNG or WebP file. HEIC, GIF, TIFF, SVG and others are not read; phones export HEIC photos as JPEG.',
  ),
  'image.unavailable': entry(
    'gone',
    'Image no longer available',
    'The stored photo is missing. Upload it again and create a new job.',
  ),
  'upload.signature': entry(
    'forbidden',
    'Upload signature not valid',
    'Use the signed URL, method and headers exactly as they were answered, or request a new upload URL.',
  ),
  'upload.expired': entry('gone', 'Upload URL expired', 'Request a new upload URL.'),
  'upload.digest': entry(
    'bad_request',
    'Digest differs',
    'The bytes received do not match the sha256 given. Send the file again.',
  ),
  'upload.incomplete': entry(
    'bad_request',
    'Upload incomplete',
    'Fewer bytes arrived than announced. Nothing was stored; send the file again.',
  ),

  'calibration.implausible': entry(
    'unprocessable',
    'Scale not plausible',
    'Correct the scale: 0.005 to 5 millimetres per pixel, with which the photo shows 5 mm to 3 m. Or leave it out.',
  ),
  'region.outside_photo': entry(
    'unprocessable',
    'Region outside the photo',
    'State the point or box of the wound in pixels of the photo upright, within its width and height.',
  ),
  'capture.future': entry(
    'unprocessable',
    'Time in the future',
    'The photo or finding is said to be of a time to come. Correct the time and its offset, or the clock of the device.',
  ),
  'subject.mismatch': entry(
    'unprocessable',
    'Photo of another patient',
    'The photo is filed under another patient. Reassign its report with a review, or upload the photo of this patient.',
  ),
  'sample.not_found': entry(
    'not_found',
    'No such sample',
    'Check the name: GET /api/v1/samples lists the samples of this release.',
  ),
  'job.not_found': entry(
    'not_found',
    'No such job',
    'Check the job id: it is known only to the organization and environment that created it.',
  ),
  'patient.not_found': entry(
    'not_found',
    'No such patient',
    'Check the number and its numbering: a patient is known only to the organization and environment that named them.',
  ),
  'patient.ambiguous': entry(
    'conflict',
    'Several patients have this number',
    'Name the numbering of the number as well (--system), or take the id that the patient has here.',
  ),
  'patient.on_hold': entry(
    'conflict',
    'A legal hold forbids it',
    'Nothing was removed. "patient holds" shows the hold; whoever placed it decides when "patient release" may lift it.',
  ),
  'patient.not_held': entry(
    'conflict',
    'No legal hold',
    'There is none on this patient. "patient holds" lists those that there are.',
  ),
  'patient.in_use': entry(
    'conflict',
    'Data of the patient are in use',
    'An analysis, a message or an event of the patient is still being worked on. Repeat it in a few minutes.',
  ),
  'wound.not_found': entry(
    'not_found',
    'No such wound',
    'Check the wound id: it is known only to the organization and environment whose photos it was seen on.',
  ),
  'wound.merge_refused': entry(
    'conflict',
    'Wounds cannot be joined',
    'Join a wound into another wound of the same patient that is not itself part of it.',
  ),
  'wound.two_at_once': entry(
    'conflict',
    'Both wounds were there at once',
    'Both have an area of the same day, so they were two. Reassign a photo that is filed wrongly; where they have grown together, say so with `join`.',
  ),
  'wound.not_merged': entry(
    'conflict',
    'Wound is not merged',
    'Only a wound that was merged into another can be taken out again.',
  ),
  'wound.merged': entry(
    'conflict',
    'Wound is part of another',
    'It was merged into the wound that `mergedInto` names: close or reopen that one, or take this one out first.',
  ),
  'wound.event_not_found': entry(
    'not_found',
    'No such event of the wound',
    'Check the event id: `GET /api/v1/wounds/{id}/events` lists those of the wound, withdrawn ones too.',
  ),
  'wound.events_full': entry(
    'conflict',
    'Wound has too many events',
    'A wound takes 500 clinical events, withdrawn ones too. Record what changes the treatment, not every visit.',
  ),
  'wound.relation_refused': entry(
    'conflict',
    'Wounds cannot be related so',
    'See `errors`. Relations are of open wounds of one patient, each once, told in the order of time: no photo of what had ended after it, and none of what began before it.',
  ),
  'wound.relation_not_found': entry(
    'not_found',
    'No such relation',
    'Check the ids: `relations` of the wound lists those in which it takes part.',
  ),
  'report.not_found': entry(
    'not_found',
    'No such report',
    'Check the report id. A report exists once its job is completed.',
  ),
  'report.entered_in_error': entry(
    'conflict',
    'Report was withdrawn',
    'A report entered in error takes no further review. Review the report that replaces it, if there is one.',
  ),
  'report.stale': entry(
    'precondition_failed',
    'Report has changed',
    'Another version was made meanwhile. Read the report again and review what it says now.',
  ),
  'job.cancelled': entry(
    'conflict',
    'Analysis cancelled',
    'The analysis was cancelled before it began. Create a new job if it is still wanted.',
  ),
  'job.not_failed': entry(
    'conflict',
    'Job did not fail',
    'Only a job that ended in an error is done again; a cancelled one is created anew.',
  ),
  'job.repeated': entry(
    'conflict',
    'Photo analysed already',
    'The same photo of this wound and moment is analysed already, with another scale or other observations. Read the job that the detail names; its report is corrected by a review.',
  ),
  'job.retried': entry(
    'conflict',
    'Photo analysed since',
    'The same photo has a later job that waits, is in work or has ended well. Read that one.',
  ),
  'fhir.preparing': entry(
    'unavailable',
    'Resources are being written',
    'The first request of an organization has its earlier analyses written as FHIR. Try again after Retry-After.',
  ),
  'fhir.structure': entry(
    'bad_request',
    'Not FHIR R4',
    'Correct the elements named in the issues; they are checked against FHIR R4 (4.0.1).',
  ),
  'fhir.profile': entry(
    'unprocessable',
    'Profile not met',
    'Correct the elements named in the issues; the profiles are served at StructureDefinition.',
  ),
  'fhir.narrative': entry(
    'unprocessable',
    'Narrative not allowed',
    'Correct the text.div named in the issues: formatting, tables, lists, links and images of XHTML alone (R4 txt-1, txt-2).',
  ),
  'fhir.type_not_supported': entry(
    'not_found',
    'Resource type not supported',
    'The CapabilityStatement at /fhir/metadata lists the types that are served.',
  ),
  'fhir.interaction_not_supported': entry(
    'method_not_allowed',
    'Interaction not supported',
    'The CapabilityStatement at /fhir/metadata lists the interactions of each type.',
  ),
  'fhir.not_found': entry(
    'not_found',
    'No such resource',
    'Check the id: it is known only to the organization and environment that it belongs to.',
  ),
  'fhir.gone': entry(
    'gone',
    'Resource no longer there',
    'The resource was removed. Its history may still be read; what a client deleted comes to life again with PUT.',
  ),
  'fhir.in_use': entry(
    'conflict',
    'Something stands on it',
    'What the issues name refers to the resource, or was made from it. Change or delete that first; a report is withdrawn with $attest, a patient erased by the operator.',
  ),
  'identity.conflict': entry(
    'conflict',
    'Another person may be meant',
    'The record has another birth date and other given names. Check which patient is meant. A correction changes one of the two at a time; another person has another record.',
  ),
  'held.not_found': entry(
    'not_found',
    'Nothing waits under this id',
    'It was settled, went on by itself, or is another organization’s. List what waits, and take the id from there.',
  ),
  'held.action': entry(
    'conflict',
    'Not one of its actions',
    'Each item of the list names the actions that settle it. Choose one of these.',
  ),
  'authority.not_found': entry(
    'not_found',
    'No such authority',
    'No authority, and no proposal that waits, of this organization has the id. List them, and take the id from there.',
  ),
  'authority.taken': entry(
    'conflict',
    'Another authority has it',
    'A form, a facility or a default belongs to one authority. Change the one that has it, or settle a proposal that makes them one.',
  ),
  'fhir.duplicate': entry(
    'conflict',
    'Identifier in use',
    'Another resource of this type has the identifier. Use If-None-Exist to reuse it.',
  ),
  'fhir.multiple_matches': entry(
    'precondition_failed',
    'Several matches',
    'The criteria match several resources. Narrow them to one.',
  ),
  'fhir.no_match': entry(
    'precondition_failed',
    'No match',
    'The conditional reference matches no resource. Create it first, or refer to it by id.',
  ),
  'fhir.version_conflict': entry(
    'precondition_failed',
    'Resource has changed',
    'Read the resource again and send If-Match with its present ETag.',
  ),
  'fhir.id_mismatch': entry('bad_request', 'Ids differ', 'The type and id of the body must be those of the address.'),
  'fhir.search': entry(
    'bad_request',
    'Search not valid',
    'Correct the parameters named in the issues; the CapabilityStatement lists those of each type.',
  ),
  'fhir.reference': entry(
    'bad_request',
    'Reference not resolved',
    'Refer to an entry of the same Bundle by its fullUrl, or to a resource that exists.',
  ),
  'fhir.bundle': entry(
    'bad_request',
    'Bundle not valid',
    'Send a Bundle of type transaction or batch, each entry with its request.',
  ),
  'fhir.patch': entry(
    'bad_request',
    'Patch not valid',
    'Send a JSON Patch (RFC 6902), a merge patch (RFC 7396) or a FHIRPath Patch whose paths exist in the resource.',
  ),
  'fhir.patch_test': entry(
    'unprocessable',
    'Patch test failed',
    'A test operation did not hold, so nothing was changed. Read the resource again.',
  ),
  'fhir.image': entry(
    'unprocessable',
    'Attachment not usable',
    'Send a JPEG, PNG or WebP photo as base64 whose size and hash are right, or the address of one that was stored.',
  ),
  'fhir.url_refused': entry(
    'unprocessable',
    'Address not allowed',
    'Attachments are fetched only over https from hosts that the operator has listed. Send the bytes instead.',
  ),
  'fhir.business_rule': entry(
    'unprocessable',
    'Not possible with these data',
    'Correct what the issues name and send the request again.',
  ),
  'fhir.subject_fixed': entry(
    'conflict',
    'Subject cannot be changed',
    'A photo was analysed for this patient. Use $attest with the decision reassign.',
  ),
  'fhir.analysed': entry(
    'conflict',
    'Photo was analysed',
    'The photo was analysed as it was described, and its report stands. Reject the report with $attest, and send a photo that was dated wrongly anew.',
  ),
  'fhir.task_state': entry(
    'conflict',
    'Task cannot be changed',
    'A task can only be cancelled, and only before its analysis begins.',
  ),
  'export.not_found': entry(
    'not_found',
    'No such export',
    'It ended, or it was never asked for with this key or client. Ask for a new one at $export.',
  ),
  'export.too_many': entry(
    'limited',
    'Too many exports',
    'An organization has two exports running at once in each environment. Wait for one to end, or delete one.',
  ),
  'export.failed': entry(
    'internal',
    'Export failed',
    'It was tried several times and could not be written. Ask for a new one; if that fails too, tell the operator.',
  ),
  'research.not_allowed': entry(
    'forbidden',
    'Research exports are not allowed',
    'Nothing left. Whoever decides for the organization allows it; then "research allow --org ID" says so.',
  ),
  'artifact.not_found': entry(
    'not_found',
    'No such artifact',
    'Artifacts exist once a job is completed, and until its image is deleted.',
  ),
  'model.research_only': entry(
    'conflict',
    'Model is for research only',
    'The active model may not be used on patients. Use a test key, or have the operator set SUTURA_ALLOW_RESEARCH_MODEL=true.',
  ),
  'trace.not_found': entry(
    'not_found',
    'Nothing known by this id',
    'Check the id. Taken are ids of images, jobs, reports, wounds and FHIR resources, of HL7 messages, their control ids and order numbers, and request ids (X-Request-Id). A request that changed nothing is found in the log alone, as a line http.request.',
  ),
  'hl7.listener_not_found': entry('not_found', 'No such listener', 'Check the id with "hl7 listener list".'),
  'hl7.destination_not_found': entry('not_found', 'No such destination', 'Check the id with "hl7 destination list".'),
  'hl7.message_not_found': entry('not_found', 'No such message', 'Check the id with "hl7 messages".'),
  'hl7.name_taken': entry(
    'conflict',
    'Name in use',
    'Another listener or destination of this organization and environment has the name. Choose another, or delete that one.',
  ),
  'hl7.port_taken': entry(
    'conflict',
    'Port in use',
    'Another listener is bound to this address and port. Choose another port.',
  ),
  'hl7.unreadable': entry(
    'bad_request',
    'Not an HL7 message',
    'A message begins with MSH and its field separator. Check that the file is ER7 (pipes and hats), not XML.',
  ),
  'hl7.sealed': entry(
    'conflict',
    'Message is sealed',
    'The message was encrypted with a key that is not set. Add that key to HL7_ENCRYPTION_KEY.',
  ),
  'hl7.erased': entry(
    'conflict',
    'Photo of the message was erased',
    'The message is kept without its photo, so it cannot be processed again. Have it sent anew.',
  ),
  'hl7.file_missing': entry(
    'conflict',
    'File of the message is missing',
    'The object store does not have a file of the message as it was. A command needs the settings of the gateway (SUTURA_STORAGE, SUTURA_DATA_DIR); "objects verify" lists what is lost.',
  ),
  'hl7.in_progress': entry(
    'conflict',
    'Message in progress',
    'The message is being processed. Try again once it has ended.',
  ),
  'hl7.not_parked': entry(
    'conflict',
    'Message is not parked',
    'Only a message that is parked, or came in sealed, can be requeued or discarded; only one that waits or is parked can be moved. "hl7 parked" and "hl7 messages --state sealed" list them.',
  ),
  'hl7.not_waiting': entry(
    'conflict',
    'Message does not wait',
    'Only a waiting message can be parked or tried now. "hl7 messages --out --state waiting" lists them.',
  ),
  'hl7.already_there': entry(
    'conflict',
    'Destination has it',
    'The other destination was given this version already. Discard the message, or replay the one that is there.',
  ),
  'hl7.destination_deleted': entry(
    'conflict',
    'Destination is deleted',
    'The destination of the message was deleted. Move the message to another one with "hl7 move", or discard it.',
  ),
  'hl7.queue_not_empty': entry(
    'conflict',
    'Messages wait',
    'Messages wait or are parked for the destination. Say what becomes of them: park, discard, or move with the id of another destination.',
  ),
  'hl7.superseded': entry(
    'conflict',
    'Newer version delivered',
    'A newer version of the report has been delivered, so this one would set the receiver back.',
  ),
  'hl7.not_rebuilt': entry(
    'conflict',
    'Message cannot be made anew',
    'The message cannot be made anew from the records. Requeue it as it is, or discard it.',
  ),
  'hl7.no_answer': entry(
    'unavailable',
    'No answer',
    'The peer could not be reached or gave no acknowledgment in time. Check host, port and TLS.',
  ),
  'idempotency.mismatch': entry(
    'unprocessable',
    'Idempotency key used for another request',
    'Use a new Idempotency-Key for a different body.',
  ),
  'idempotency.in_flight': entry(
    'conflict',
    'Request still running',
    'A request with this Idempotency-Key is still running. Send it again after Retry-After.',
  ),
  'quota.exceeded': entry(
    'limited',
    'Daily quota used up',
    'The daily analyses are used up. Try again after the reset at 00:00 UTC, or raise the plan.',
  ),
  'sandbox.live': entry(
    'unprocessable',
    'Outcomes are of the test environment',
    'metadata.sandbox asks for an outcome of the test environment, and this key is for live. Nothing was analysed or charged: leave it out, or use a test key.',
  ),
  'sandbox.clock_live': entry(
    'unprocessable',
    'The clock is of the test environment',
    'This key is for live, where time is what it is. Nothing was moved: use a test key.',
  ),
  'sandbox.clock_back': entry(
    'unprocessable',
    'The clock goes forward only',
    'The moment lies before the time of the clock. State a later one, or "advance"; for an earlier one take a new organization.',
  ),
  'sandbox.clock_limit': entry(
    'unprocessable',
    'The clock goes no further',
    'The clock can be moved 3650 days ahead in all, and 2000 times. Move it less far, or take a new organization.',
  ),
  'rate.limited': entry(
    'limited',
    'Too many requests',
    'Slow down and try again after Retry-After, or use "Prefer: wait" instead of frequent polls.',
  ),

  'organization.not_found': entry('not_found', 'No such organization', 'Check the organization id with "org list".'),
  'organization.changed': entry(
    'precondition_failed',
    'Organization has changed',
    'Somebody changed its settings since they were read. Read them again, and send the change with their present etag in If-Match.',
  ),
  'client.not_found': entry(
    'not_found',
    'No such client',
    'Check the client id with "client list"; a revoked one cannot be changed.',
  ),
  'key.not_found': entry('not_found', 'No such key', 'Check the key id with "key list".'),
  'key.limit': entry(
    'conflict',
    'Key limit reached',
    'The plan allows no further active key. Revoke one, or raise the plan.',
  ),
  'key.live_not_allowed': entry(
    'conflict',
    'No live keys on this plan',
    'The free plan is for testing and development. Raise the plan to pro or enterprise for live keys.',
  ),

  'webhook.not_found': entry('not_found', 'No such webhook', 'Check the id with GET /api/v1/webhooks.'),
  'webhook.delivery_not_found': entry(
    'not_found',
    'No such delivery',
    'Check the id with GET /api/v1/webhooks/{id}/deliveries.',
  ),
  'webhook.delivery_state': entry(
    'conflict',
    'Not in this state',
    'A delivery that was delivered or is parked can be sent again, one that waits is sent in its turn. See its state with GET /api/v1/webhooks/{id}/deliveries.',
  ),
  'webhook.url_refused': entry(
    'unprocessable',
    'Address not allowed',
    'Give an https address of the public internet without user name, blanks or the port of another protocol, or have the operator open its network: for your organization by org set --delivery-networks, for all by SUTURA_DELIVERY_NETWORKS.',
  ),
  'webhook.too_many': entry(
    'conflict',
    'Too many webhooks',
    'An organization has at most 20 webhooks in each environment. Delete one that is no longer used.',
  ),
  'webhook.too_many_keys': entry(
    'conflict',
    'Too many keys at once',
    'The keys of four rotations sign beside the present ones. Rotate again after Retry-After, when the first of them ends, or with "overlapS": 0, which ends all of them now.',
  ),

  'ehr.not_found': entry('not_found', 'No such EHR', 'Check the id of the registration with "ehr list".'),
  'ehr.taken': entry(
    'conflict',
    'EHR is registered already',
    'Another registration has this fhirBaseUrl or cds.issuer, in this or the other environment or with another organization: each names one registration. Change or remove that one first, or ask the operator who has it.',
  ),
  'ehr.too_many': entry(
    'conflict',
    'Too many EHRs',
    'An organization registers at most 50 EHRs. Remove one that is no longer used.',
  ),
  'ehr.address_refused': entry(
    'unprocessable',
    'Address of the EHR not allowed',
    'Give https addresses of the public internet, or have the operator open their network by SUTURA_EHR_NETWORKS, where http is allowed too.',
  ),
  'ehr.filed': entry(
    'conflict',
    'Results stand there by the present registration',
    'Corrections and withdrawals of what was filed would no longer reach it under another fhirBaseUrl, nor after a change between the dialect "transaction" and the others: leave both as they are. Where only unfiled deliveries are in the way, discard them. To change all the same, remove the registration and register the EHR anew; what was filed then has to be corrected in the EHR by hand.',
  ),
  'launch.unknown': entry(
    'forbidden',
    'Record system not known here',
    'No record system is registered here by the address that this launch names (iss), or its launch is switched off. Tell your IT: "ehr list" shows what is registered.',
  ),
  'launch.state': entry(
    'forbidden',
    'Launch has ended',
    'A launch comes back once, within ten minutes, to the browser that began it. Go back to the chart and open Sutura from there again.',
  ),
  'launch.cookie': entry(
    'forbidden',
    'Browser kept no cookie',
    'The browser did not keep what binds this launch to it, as browsers may do within a frame. Open Sutura in a window of its own.',
  ),
  'launch.frame': entry(
    'forbidden',
    'Not within this page',
    'The registration of the record system names no page that may show Sutura within it. Open Sutura in a window of its own.',
  ),
  'launch.unreachable': entry(
    'unavailable',
    'Record system does not answer',
    'The record system was asked and gave no whole answer in time. Go back to the chart and try again; if it stays so, tell your IT.',
  ),
  'launch.answer': entry(
    'unauthenticated',
    'Record system could not be relied on',
    'An answer of the record system was not valid, so that nothing was opened. Tell your IT: the log says which answer, and what of it.',
  ),
  'launch.refused': entry(
    'forbidden',
    'Record system refused',
    'The record system did not let Sutura be opened with this account. Go back to the chart and try again; if it stays so, tell your IT.',
  ),
  'launch.person': entry(
    'forbidden',
    'For clinicians alone',
    'The record system names somebody who is no clinician there, or nobody. Log in there with your own staff account, and open Sutura from the chart.',
  ),
  'launch.patient_unknown': entry(
    'not_found',
    'Patient not known here',
    'The patient whose chart is open is not known here by the number that the record system states, so that nobody was shown. A first photo or order makes the patient known; if there was one, tell your IT.',
  ),
  'launch.patient_unclear': entry(
    'forbidden',
    'Not certain which patient',
    'The number that the record system states leads to several patients here, or to somebody who differs, so that nobody was shown. Have the records looked at before you go on.',
  ),
  'launch.no_report': entry(
    'not_found',
    'No report of this patient yet',
    'The patient is known here and has no wound report yet. Take a photo first; its report is there some minutes later.',
  ),
  'ehr.delivery_state': entry(
    'conflict',
    'Not in that state',
    'A delivery that waits is parked, and one that is held or parked is replayed or discarded. Look at its state with "deliveries show".',
  ),
  'ehr.superseded': entry(
    'conflict',
    'A newer version is filed',
    'A newer version of this report is filed in the EHR, may stand there, or was discarded, and this one would set it back. Discard the delivery.',
  ),
  'cds.token': entry(
    'unauthenticated',
    'Call of the EHR not recognized',
    'Sign a new token with a key of the registered key set: RS384 or ES384, typ JWT, with kid, iss as registered, aud the exact address that is called, iat, exp at most five minutes ahead, and a new jti.',
  ),
  'cds.server': entry(
    'forbidden',
    'FHIR server of another EHR',
    'fhirServer is not the one that the EHR which signed the call is registered with. Send the registered fhirBaseUrl, or have the registration changed ("ehr set").',
  ),
  'cds.patient': entry(
    'precondition_failed',
    'Patient cannot be known',
    'Send the prefetch "patient" with the Patient of the context and its identifier of the registered patientSystem. The patient is read from nowhere else.',
  ),
  'cds.service_not_found': entry('not_found', 'No such CDS service', 'Take the id from GET /cds-services.'),

  'delivery.not_found': entry('not_found', 'No such delivery', 'Check the id with "deliveries list".'),
  'delivery.endpoint_not_found': entry(
    'not_found',
    'No such endpoint',
    'Name a webhook or an HL7 v2 destination: "webhook list" and "hl7 destination list" show them.',
  ),

  'processing.failed': entry(
    'unprocessable',
    'Analysis failed',
    'The photo could not be analysed. Take it again and create a new job; tell support the job id if it repeats.',
  ),
  'processing.timeout': entry(
    'unprocessable',
    'Analysis took too long',
    'The analysis did not end in time. Create the job again.',
  ),
  'model.output_invalid': entry(
    'unprocessable',
    'Model output not valid',
    'The model gave no usable output for this photo. Tell support the job id.',
  ),

  'service.unavailable': entry(
    'unavailable',
    'Service not available',
    'Try again after Retry-After. Nothing was charged.',
  ),
  'service.busy': entry(
    'unavailable',
    'Too much at once',
    'More is being sent at this moment than the service holds at once. Send the request again after Retry-After, large ones one after the other; photos sent to a signed upload URL do not count.',
  ),
  'storage.limit': entry(
    'storage_full',
    'Storage of the organization used up',
    'The organization keeps as many bytes as it may. Delete photos that are no longer needed, or have the operator raise SUTURA_ORGANIZATION_GIB.',
  ),
  'storage.key_missing': entry(
    'unavailable',
    'Encryption key missing',
    'What was asked for is encrypted with a key that this service does not have. The operator has to put the key back into the key file; nothing is lost.',
  ),
  'storage.altered': entry(
    'gone',
    'Stored bytes not as they were written',
    'The photo or document was altered, cut off or exchanged where it is stored, and is not given out. Have the operator put it back from a back-up, or upload it again and create a new job.',
  ),
  'service.storage_full': entry(
    'storage_full',
    'Storage full',
    'The photo or document could not be stored. Try again later; the operator has to make room.',
  ),
  'service.internal': entry('internal', 'Internal error', 'Try again; tell support the requestId if it repeats.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** Codes that were once released and are retired: never to be used again. */
export const RETIRED_ERROR_CODES: readonly string[] = [];
