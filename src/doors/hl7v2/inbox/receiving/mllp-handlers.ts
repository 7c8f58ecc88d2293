import { Injectable } from '@nestjs/common';
import { Logger } from '../../../../platform/logging/logger.js';
import type { MllpConnection, MllpHandler, MllpListenerEvent } from '../../../../standards/hl7v2/mllp/mllp-handler.js';
import { sourceOf, type Hl7Listener } from '../listeners/hl7-listener.js';
import { Hl7Metrics } from './hl7-metrics.js';
import { InboundPipeline } from './inbound-pipeline.js';
import { MessageReceiver } from './message-receiver.js';
import { OtherProtocols, type FramingFault } from './other-protocols.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { MessageOrigin } from './reply.js';

/** Line ends and blanks behind a frame are nobody's message. */
const LEAST_MESSAGE_BYTES = 32;

/** Connects each listener's MLLP server with the inbox. */
@Injectable()
export class MllpHandlers {
  constructor(
    private readonly messages: MessageReceiver,
    private readonly pipeline: InboundPipeline,
    private readonly otherProtocols: OtherProtocols,
    private readonly metrics: Hl7Metrics,
    private readonly logger: Logger,
  ) {}

  /** `current`: the listener as it is when a message comes. */
  of(current: () => Hl7Listener): MllpHandler {
    let known = current();
    let source = sourceOf(known);
    const sourceNow = (): Hl7Source => {
      const now = current();
      if (now !== known) [known, source] = [now, sourceOf(now)];
      return source;
    };
    const { id: listenerId } = known;
    const at = (address: string, connection: MllpConnection | null): MessageOrigin => ({
      source: sourceNow(),
      transport: 'mllp',
      keyId: listenerId,
      mayReview: true,
      address,
      connection,
    });
    const from = (connection: MllpConnection): MessageOrigin => at(connection.remoteAddress, connection);
    return {
      onFrame: async (message, connection) => (await this.messages.receive(message, from(connection))).ack,
      onOversize: (beginning, connection) => Promise.resolve(this.pipeline.oversize(beginning, from(connection)).ack),
      onEvent: (event) => {
        this.metrics.happened(event);
        const fault = faultOf(event);
        if (fault !== null && 'address' in event) void this.otherProtocols.note(fault, at(event.address, null));
        if (event.kind !== 'connected' && event.kind !== 'disconnected')
          this.logger.warn('hl7.connection', {
            listenerId,
            what: event.kind,
            ...('code' in event ? { error: event.code ?? 'unknown' } : {}),
            ...('protocol' in event ? { protocol: event.protocol } : {}),
          });
      },
    };
  }
}

/** What keeps a sender's messages from being read at all; null: nothing of the kind. */
function faultOf(event: MllpListenerEvent): FramingFault | null {
  switch (event.kind) {
    case 'other-protocol':
      return event.protocol;
    case 'junk':
      return event.sizeBytes < LEAST_MESSAGE_BYTES ? null : 'begin';
    case 'discarded-frame':
    case 'half-frame-closed':
      return 'end';
    case 'connected':
    case 'disconnected':
    case 'refused-network':
    case 'refused-full':
    case 'silent-closed':
    case 'idle-closed':
    case 'oversize':
    case 'junk-overflow':
    case 'tls-failed':
    case 'handler-failed':
      return null;
  }
}
