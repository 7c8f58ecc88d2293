import { z } from 'zod';
import type { FoundOutbound } from '../../../../exits/mllp/outbox/outbound-queries.js';
import { OUTBOUND_STATES, PAST_EVENTS, type OutboundRecord } from '../../../../exits/mllp/outbox/outbound-message.js';
import { routesInWords } from '../../../../exits/mllp/routing/routes.js';
import { DESTINATION_SETTINGS, type Hl7Destination } from '../../../../exits/mllp/settings/hl7-destination.js';
import { decodeMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import { ACCEPT_CODES, APPLICATION_CODES } from '../../../hl7v2/ack/acknowledgment-code.js';
import { LISTENER_SETTINGS, type Hl7Listener } from '../../../hl7v2/inbox/listeners/hl7-listener.js';
import { INBOUND_STATES } from '../../../hl7v2/inbox/store/inbound-record.js';
import type { ListedInbound } from '../../../hl7v2/inbox/store/inbound-queries.js';
import { id, list, moment, named, owner } from '../../action/answer-fields.js';
import { whyInbound, whyOutbound } from './reasons.js';

const text = z.string();
const optional = text.nullable();

/** The id of a view is `id`; `listenerId`, `destinationId` and `messageId` repeat it for scripts of release 0.1.0. */
const peer = {
  id,
  ...owner,
  name: text,
  enabled: z.boolean().describe('false: paused by an operator.'),
  createdAt: moment,
};

export const LISTENER_VIEW = z.object({
  ...peer,
  listenerId: id,
  served: z.boolean().nullable().describe('Whether a gateway serves its port; null: it is paused, or for HTTP alone.'),
  notServedReason: optional.describe(
    'EADDRINUSE, ENOENT, plain_not_allowed; no_gateway: just made, or no gateway with the role hl7 runs. null where served is not false.',
  ),
  certificateDays: z
    .int()
    .nullable()
    .describe('Whole days until its certificate expires, negative after that; null: none, or not served.'),
  settings: LISTENER_SETTINGS,
});

export const DESTINATION_VIEW = z.object({
  ...peer,
  destinationId: id,
  takes: text.describe('Its routes in a sentence.'),
  settings: DESTINATION_SETTINGS,
});

export const PROBLEM_VIEW = z.object({
  severity: z.enum(['error', 'warning']),
  condition: text.describe('Of HL7 table 0357.'),
  place: z
    .object({
      segment: text,
      sequence: z.int().optional(),
      field: z.int().optional(),
      repetition: z.int().optional(),
      component: z.int().optional(),
      subcomponent: z.int().optional(),
    })
    .nullable(),
  code: text,
  diagnosis: text.optional(),
  text: text.describe('What is wrong and what to do.'),
});

const message = {
  id,
  messageId: id,
  ...owner,
  controlId: text,
  sizeBytes: z.int(),
  attempts: z.int(),
  ackCode: optional,
  erased: list(z.object({ imageId: id.nullable(), sizeBytes: z.int(), erasedAt: moment })),
  reason: z
    .object({ text, nextStep: text })
    .nullable()
    .describe('Why it is not done; null where nothing is wrong with it.'),
};

export const PHOTO_VIEW = z.object({
  imageId: id,
  state: z.enum(['waiting', 'fetched', 'failed', 'erased']),
  tries: z.int(),
  fault: optional,
  nextTryAt: moment.nullable(),
});

export const INBOUND_VIEW = z.object({
  ...message,
  direction: z.literal('in'),
  sourceId: id,
  transport: z.enum(['mllp', 'http']),
  receivedAt: moment,
  keyId: id,
  address: text,
  sendingApplication: text,
  sendingFacility: text,
  messageType: text,
  version: text,
  state: z.enum(INBOUND_STATES),
  replays: z.int(),
  processedAt: moment.nullable(),
  acceptCode: z.enum(ACCEPT_CODES).nullable(),
  applicationAck: z.enum(['now', 'later', 'never']),
  ackCode: z.enum(APPLICATION_CODES).nullable(),
  problems: list(PROBLEM_VIEW),
  analysisIds: list(id),
  photos: list(PHOTO_VIEW),
  heldItemId: id.nullable().describe('What it waits for, or waited for, in the list of what is held.'),
});

export const OUTBOUND_VIEW = z.object({
  ...message,
  direction: z.literal('out'),
  destinationId: id,
  kind: z.enum(['result', 'ack']),
  subjectId: id,
  version: z.int(),
  state: z.enum(OUTBOUND_STATES),
  nextAt: moment,
  ackCondition: optional,
  applicationCode: optional,
  parkedFor: z.enum(['refused', 'refused_later', 'sealed', 'operator', 'destination_deleted']).nullable(),
  fault: optional,
  movedTo: id.nullable(),
  createdAt: moment,
  sentAt: moment.nullable(),
  deliveredAt: moment.nullable(),
});

const answer = z.object({
  text,
  problems: list(
    z.object({
      place: text,
      condition: text,
      conditionText: text,
      severity: text,
      applicationCode: text,
      applicationText: text,
      diagnostic: text,
      message: text,
    }),
  ),
});
export const PAST_EVENT_VIEW = z.object({
  at: moment,
  what: z.enum(PAST_EVENTS),
  attempt: z.int().nullable(),
  answer: optional.describe('Code of the receiver’s answer.'),
  fault: optional.describe('Why there was no answer, as a code.'),
  parkedFor: optional,
  by: optional.describe('Who did it.'),
  times: z.int().describe('So many of the kind in a row, the last of them at `until`.'),
  until: moment.nullable(),
});
const history = list(PAST_EVENT_VIEW.extend({ words: answer.nullable().describe('The receiver’s words.') })).describe(
  'What happened to it until now, oldest first: attempts that failed, and what people did; at most 40.',
);
const shown = text.describe('Characters that are not ASCII may be shown in its own character set.');

const SHOWN_INBOUND = INBOUND_VIEW.extend({ message: shown, ack: optional });
const SHOWN_OUTBOUND = OUTBOUND_VIEW.extend({
  message: shown,
  answer: answer.nullable().describe('The receiver’s words on a refusal.'),
  history,
});
/** One message with its text as sent or received. */
export const MESSAGE_VIEW = z.discriminatedUnion('direction', [SHOWN_INBOUND, SHOWN_OUTBOUND]);

const ofInbound = { organizationName: named, sourceName: named, keyName: named };
const ofOutbound = { organizationName: named, destinationName: named };

/** A message of a list, with the names of what its ids stand for. */
export const LISTED_MESSAGE_VIEW = z.union([INBOUND_VIEW.extend(ofInbound), OUTBOUND_VIEW.extend(ofOutbound)]);

/** One message with its text, and the names of what its ids stand for. */
export const SHOWN_MESSAGE_VIEW = z.discriminatedUnion('direction', [
  SHOWN_INBOUND.extend(ofInbound),
  SHOWN_OUTBOUND.extend(ofOutbound),
]);

export type ListedMessageView = z.output<typeof LISTED_MESSAGE_VIEW>;
export type ShownMessageView = z.output<typeof SHOWN_MESSAGE_VIEW>;
export type ListenerView = z.output<typeof LISTENER_VIEW>;
export type DestinationView = z.output<typeof DESTINATION_VIEW>;
export type PhotoView = z.output<typeof PHOTO_VIEW>;
export type InboundView = z.output<typeof INBOUND_VIEW>;
export type OutboundView = z.output<typeof OUTBOUND_VIEW>;
export type MessageView = z.output<typeof MESSAGE_VIEW>;

type Standing = Pick<ListenerView, 'served' | 'notServedReason' | 'certificateDays'>;
const UNKNOWN: Standing = { served: null, notServedReason: null, certificateDays: null };

export function toListenerView(
  { id: listenerId, createdAt, ...listener }: Hl7Listener,
  { served, notServedReason, certificateDays }: Standing = UNKNOWN,
): ListenerView {
  const standing = { served, notServedReason, certificateDays };
  return { id: listenerId, listenerId, ...listener, ...standing, createdAt: createdAt.toISOString() };
}

export function toDestinationView({ id: destinationId, createdAt, ...destination }: Hl7Destination): DestinationView {
  const takes = routesInWords(destination.settings.routes);
  return { id: destinationId, destinationId, ...destination, takes, createdAt: createdAt.toISOString() };
}

export function toInboundView({
  id: messageId,
  receivedAt,
  processedAt,
  photos,
  pointedImageIds: _,
  mayReview: _mayReview,
  ...record
}: ListedInbound): InboundView {
  return {
    id: messageId,
    messageId,
    direction: 'in',
    ...record,
    receivedAt: receivedAt.toISOString(),
    processedAt: processedAt?.toISOString() ?? null,
    photos: photos.map((photo) => ({ ...photo, nextTryAt: photo.nextTryAt?.toISOString() ?? null })),
    reason: whyInbound({ ...record, photos }),
  };
}

export function toOutboundView({
  id: messageId,
  nextAt,
  createdAt,
  sentAt,
  deliveredAt,
  history: _,
  ...record
}: OutboundRecord): OutboundView {
  return {
    id: messageId,
    messageId,
    direction: 'out',
    ...record,
    nextAt: nextAt.toISOString(),
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    reason: whyOutbound(record),
  };
}

type PastEventView = Extract<MessageView, { direction: 'out' }>['history'][number];

export function toPastEventView({
  at,
  until,
  answerWords,
  said: _,
  ...event
}: FoundOutbound['history'][number]): PastEventView {
  return { ...event, at: at.toISOString(), until: until?.toISOString() ?? null, words: answerWords };
}

/** Text of a message in its own character set; bytes that it has no character for are shown as ISO 8859-1. */
export function textOf(bytes: Buffer): string {
  const decoded = decodeMessage(bytes, { characterSet: null });
  return decoded.kind === 'message'
    ? decoded.message.segments.map(({ raw }) => `${raw}\r`).join('')
    : bytes.toString('latin1');
}
