import type { Hl7Listener, ListenerSettings } from '../../../hl7v2/inbox/listeners/hl7-listener.js';
import type { ListenerStanding } from '../../../hl7v2/inbox/listeners/served-listeners.js';
import type { ListedInbound } from '../../../hl7v2/inbox/store/inbound-queries.js';
import type { PointedPhoto } from '../../../hl7v2/inbox/store/pointed-photos.js';
import type { DestinationSettings, Hl7Destination } from '../../../../exits/mllp/settings/hl7-destination.js';
import type { KeptAnswer, OutboundRecord } from '../../../../exits/mllp/outbox/outbound-message.js';
import { routesInWords } from '../../../../exits/mllp/routing/routes.js';
import { whyInbound, whyOutbound, type Reason } from './reasons.js';
import { decodeMessage } from '../../../../standards/hl7v2/er7/decode-message.js';

/**
 * The views of the admin API and of the command line's --json, which are the same. Instants are RFC 3339 in UTC. The id
 * of a view is `id`; `listenerId`, `destinationId` and `messageId` repeat it for scripts of release 0.1.0.
 */
interface PeerView<Settings> {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: string;
  readonly name: string;
  readonly settings: Settings;
  readonly createdAt: string;
}

export interface ListenerView extends PeerView<ListenerSettings> {
  readonly listenerId: string;
  /** False: paused by an operator. */
  readonly enabled: boolean;
  /** Whether a gateway serves its port; null: it is paused, or for HTTP alone. */
  readonly served: boolean | null;
  /** `EADDRINUSE`, `ENOENT`, `plain_not_allowed`; `no_gateway`: just made, or no gateway with the role `hl7` runs. null where `served` is not false. */
  readonly notServedReason: string | null;
  /** Whole days until its certificate expires, negative after that; null: none, or not served. */
  readonly certificateDays: number | null;
}

export interface DestinationView extends PeerView<DestinationSettings> {
  readonly destinationId: string;
  /** False: paused by an operator. */
  readonly enabled: boolean;
  /** Its routes in a sentence. */
  readonly takes: string;
}

type Shown<T, Moment extends keyof T> = Omit<T, 'id' | Moment> & {
  readonly [K in Moment]: string | Extract<T[K], null>;
};

export type PhotoView = Omit<PointedPhoto, 'nextTryAt'> & { readonly nextTryAt: string | null };

/** `reason`: why the message is not done; null where nothing is wrong with it. */
interface MessageFacts {
  readonly id: string;
  readonly messageId: string;
  readonly reason: Reason | null;
}

export type InboundView = Omit<Shown<ListedInbound, 'receivedAt' | 'processedAt'>, 'photos' | 'pointedImageIds'> &
  MessageFacts & { readonly direction: 'in'; readonly photos: readonly PhotoView[] };
export type OutboundView = Shown<OutboundRecord, 'nextAt' | 'createdAt' | 'sentAt' | 'deliveredAt'> &
  MessageFacts & { readonly direction: 'out' };

/**
 * One message with its text as sent or received: characters that are not ASCII may be shown in its own character set.
 * `answer`: the receiver's words on a refusal.
 */
export type MessageView =
  | (InboundView & { readonly message: string; readonly ack: string | null })
  | (OutboundView & { readonly message: string; readonly answer: KeptAnswer | null });

export function toListenerView(
  { id, organizationId, environment, name, enabled, settings, createdAt }: Hl7Listener,
  standing: ListenerStanding | null,
): ListenerView {
  const { served = null, notServedReason = null, certificateDays = null } = standing ?? {};
  return {
    id,
    listenerId: id,
    organizationId,
    environment,
    name,
    enabled,
    served,
    notServedReason,
    certificateDays,
    settings,
    createdAt: createdAt.toISOString(),
  };
}

export function toDestinationView({
  id,
  organizationId,
  environment,
  name,
  settings,
  enabled,
  createdAt,
}: Hl7Destination): DestinationView {
  return {
    id,
    destinationId: id,
    organizationId,
    environment,
    name,
    enabled,
    takes: routesInWords(settings.routes),
    settings,
    createdAt: createdAt.toISOString(),
  };
}

export function toInboundView({
  id,
  receivedAt,
  processedAt,
  photos,
  pointedImageIds: _,
  ...record
}: ListedInbound): InboundView {
  const shown = photos.map((photo) => ({ ...photo, nextTryAt: photo.nextTryAt?.toISOString() ?? null }));
  const moments = { receivedAt: receivedAt.toISOString(), processedAt: processedAt?.toISOString() ?? null };
  return {
    id,
    messageId: id,
    direction: 'in',
    ...record,
    ...moments,
    photos: shown,
    reason: whyInbound({ ...record, photos }),
  };
}

export function toOutboundView({
  id,
  nextAt,
  createdAt,
  sentAt,
  deliveredAt,
  ...record
}: OutboundRecord): OutboundView {
  const moments = {
    nextAt: nextAt.toISOString(),
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
  return { id, messageId: id, direction: 'out', ...record, ...moments, reason: whyOutbound(record) };
}

/** Text of a message in its own character set; bytes that it has no character for are shown as ISO 8859-1. */
export function textOf(bytes: Buffer): string {
  const decoded = decodeMessage(bytes, { characterSet: null });
  return decoded.kind === 'message'
    ? decoded.message.segments.map(({ raw }) => `${raw}\r`).join('')
    : bytes.toString('latin1');
}
