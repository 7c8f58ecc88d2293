import { LISTENER_SETTINGS } from '../../../hl7v2/inbox/listeners/hl7-listener.js';
import { DESTINATION_SETTINGS } from '../../../../exits/mllp/settings/hl7-destination.js';
import type { DryRunView } from '../operations/dry-run.views.js';
import type { ReprocessedMessageView } from '../operations/message-reprocessing.js';
import type { DestinationView, ListedMessageView, ListenerView, ShownMessageView } from '../operations/hl7.views.js';

export const IDS = {
  organization: '01997f2e-1111-7000-8000-000000000001',
  listener: '01997f2e-3333-7000-8000-000000000003',
  destination: '01997f2e-4444-7000-8000-000000000004',
  message: '01997f2e-5555-7000-8000-000000000005',
  image: '01997f2e-6666-7000-8000-000000000006',
} as const;

const owner = { organizationId: IDS.organization, environment: 'test', createdAt: '2026-01-05T08:30:00.000Z' } as const;

const listener: ListenerView = {
  ...owner,
  id: IDS.listener,
  listenerId: IDS.listener,
  name: 'ward EHR',
  enabled: true,
  served: true,
  notServedReason: null,
  certificateDays: null,
  settings: LISTENER_SETTINGS.parse({ port: 2576, timeZone: 'Europe/Berlin' }),
};
const destination: DestinationView = {
  ...owner,
  id: IDS.destination,
  destinationId: IDS.destination,
  name: 'ward EHR',
  enabled: true,
  takes: 'every result of the organization and environment',
  settings: DESTINATION_SETTINGS.parse({ host: 'ehr.example.org', port: 2580 }),
};

const inbound: Extract<ListedMessageView, { direction: 'in' }> = {
  id: IDS.message,
  messageId: IDS.message,
  direction: 'in',
  organizationId: IDS.organization,
  environment: 'test',
  organizationName: 'Ward 7',
  sourceId: IDS.listener,
  sourceName: listener.name,
  transport: 'mllp',
  receivedAt: '2026-03-15T08:40:04.000Z',
  keyId: IDS.listener,
  keyName: listener.name,
  address: '10.20.0.7',
  sendingApplication: 'EHR',
  sendingFacility: 'HOSP',
  controlId: 'MSG00071',
  messageType: 'ADT^A08',
  version: '2.5.1',
  sizeBytes: 128,
  state: 'processed',
  attempts: 1,
  replays: 0,
  processedAt: '2026-03-15T08:40:04.000Z',
  acceptCode: null,
  applicationAck: 'now',
  ackCode: 'AA',
  problems: [],
  analysisIds: [],
  heldItemId: null,
  photos: [
    { imageId: IDS.image, state: 'waiting', tries: 1, fault: 'ECONNREFUSED', nextTryAt: '2026-03-15T08:40:34.000Z' },
  ],
  erased: [],
  reason: null,
};

const MESSAGE =
  'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ADT^A08^ADT_A01|MSG00071|T|2.5.1\rPID|1||MRN-778812^^^HOSP^MR\r';
const ACK = 'MSH|^~\\&|SUTURA|SUTURA|EHR|HOSP|20260315094004+0100||ACK^A08^ACK|SUTA-000042|T|2.5.1\rMSA|AA|MSG00071\r';
const message: ShownMessageView = { ...inbound, message: MESSAGE, ack: ACK };

const dryRun: DryRunView = {
  messageType: 'ADT^A08',
  controlId: 'MSG00071',
  kind: 'patient',
  mode: 'original',
  acknowledgment: 'AA',
  problems: [],
  effects: ['PUT Patient'],
  bundle: { resourceType: 'Bundle', type: 'transaction', entry: [] },
};

const reprocessed: ReprocessedMessageView = {
  messageId: IDS.message,
  outcome: 'changed',
  code: null,
  changes: [{ action: 'changed', type: 'ServiceRequest', count: 1 }],
  analyses: 1,
  problems: [],
};

/** Examples of the OpenAPI document. */
export const HL7_EXAMPLES = {
  listener,
  destination,
  inbound,
  message,
  dryRun,
  newListener: {
    organizationId: IDS.organization,
    environment: 'test',
    name: 'ward EHR',
    settings: { port: 2576, timeZone: 'Europe/Berlin' },
  },
  newDestination: {
    organizationId: IDS.organization,
    environment: 'test',
    name: 'ward EHR',
    settings: { host: 'ehr.example.org', port: 2580 },
  },
  listenerChange: { settings: { timeZone: 'Europe/Vienna' } },
  destinationChange: { settings: { port: 2581, receivingFacility: 'HOSP' } },
  line: {
    reached: true,
    fault: null,
    certificate: { names: ['ehr.example.org'], expiresAt: '2027-01-05T08:30:00.000Z', expiresInDays: 365 },
  },
  removed: { parked: 3, discarded: 0, moved: 0 },
  move: { destinationId: IDS.destination },
  moved: { messageId: IDS.message },
  exported: { messageId: IDS.message, controlId: 'MSG00071', rawBase64: 'TVNIfF5+XFwm' },
  range: { listenerId: IDS.listener, from: '2026-03-15T08:00:00Z', to: '2026-03-15T09:00:00Z', state: 'failed' },
  replayed: { replayed: 12, skipped: [{ messageId: IDS.message, code: 'hl7.in_progress' }], remaining: false },
  reprocessOne: { dryRun: true },
  reprocessed,
  reprocess: { listenerId: IDS.listener, from: '2026-03-15T08:00:00Z', to: '2026-03-16T08:00:00Z', warned: true },
  reprocessedRange: {
    dryRun: false,
    changed: 1,
    unchanged: 11,
    refused: 0,
    skipped: 0,
    analyses: 1,
    messages: [reprocessed],
    after: null,
  },
  requeued: { requeued: 3 },
  rebuilt: {
    rebuilt: 2,
    left: [{ messageId: IDS.message, code: 'hl7.not_rebuilt', why: 'Its report is no longer there: it was erased.' }],
  },
  erased: { erasedFiles: 1, erasedBytes: 48_213 },
  newDryRun: { listenerId: IDS.listener, message: MESSAGE },
} as const;
