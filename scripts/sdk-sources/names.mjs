/** Operations as all libraries call them, where the document has another name. */
export const METHODS = {
  requestUploadUrl: 'getUploadUrl',
  listAnalysisJobs: 'listJobs',
  getAnalysisJob: 'getJob',
  listReportVersions: 'getReportVersions',
  readSample: 'downloadSample',
  readSandboxClock: 'getSandboxClock',
  readWebhook: 'getWebhook',
  readWebhookDelivery: 'getWebhookDelivery',
  readHeld: 'getHeld',
  readCalibrationCards: 'listCalibrationCards',
  storeCalibrationCardMeasurement: 'measureCalibrationCard',
  deleteCalibrationCardMeasurement: 'forgetCalibrationCard',
};

/** Made by hand: documents, tags of a report, what a repeat may find done. */
export const BY_HAND = [
  'uploadImage',
  'deleteImage',
  'getArtifact',
  'mergeWound',
  'unmergeWound',
  'getCourseReport',
  'getWoundEvidence',
  'getReport',
  'getReportVersion',
  'reviewReport',
];

/** A second one does harm where the answer to the first was lost. */
export const ONCE = [
  'createWebhook',
  'rotateWebhook',
  'testWebhook',
  'replayWebhook',
  'replayWebhookDelivery',
  'resolveHeld',
];

/** A repeat that finds nothing did it before. */
export const GONE_IS_DONE = ['deleteWebhook'];

/** What an answer must have to be one of Sutura's; fewer than the contract's, since a release may leave one out. */
export const NEEDED = {
  UploadTicket: ['imageId', 'uploadUrl'],
  ImageMetadata: ['imageId', 'status'],
  AnalysisJob: ['id', 'status'],
  Usage: ['remaining'],
  SandboxClock: ['now'],
  EventList: ['items', 'keptSince'],
  Wound: ['id', 'status'],
  WoundDetails: ['id', 'status'],
  WoundTimeline: ['assessments'],
  ClinicalEvent: ['id'],
  WoundRelation: ['id'],
  ReviewLink: ['url'],
  Webhook: ['id', 'state'],
  WebhookWithSecret: ['id', 'secret'],
  WebhookTrial: ['delivered'],
  WebhookDeliveryDetail: ['id', 'body'],
  WebhookReplayed: ['replayed'],
  Held: ['id', 'reason'],
};

const IDS = { jobs: 'jobId', wounds: 'woundId', reports: 'reportId', held: 'heldId', samples: 'name' };

/** The name of a parameter of a path for a caller. */
export function idOf(path, name) {
  return name === 'id' ? IDS[new RegExp(`/([a-z]+)/\\{id\\}`).exec(path)[1]] : name;
}
