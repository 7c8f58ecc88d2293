import { Injectable } from '@nestjs/common';
import { Logger } from '../../../../platform/logging/logger.js';
import type { MllpConnection, MllpHandler } from '../../../../standards/hl7v2/mllp/mllp-handler.js';
import { sourceOf, type Hl7Listener } from '../listeners/hl7-listener.js';
import { Hl7Metrics } from './hl7-metrics.js';
import { InboundPipeline } from './inbound-pipeline.js';
import { MessageReceiver } from './message-receiver.js';
import { OtherProtocols } from './other-protocols.js';
import type { MessageOrigin } from './reply.js';

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

  of(listener: Hl7Listener): MllpHandler {
    const source = sourceOf(listener);
    const at = (address: string, connection: MllpConnection | null): MessageOrigin => ({
      source,
      transport: 'mllp',
      keyId: listener.id,
      address,
      connection,
    });
    const from = (connection: MllpConnection): MessageOrigin => at(connection.remoteAddress, connection);
    return {
      onFrame: async (message, connection) => (await this.messages.receive(message, from(connection))).ack,
      onOversize: (beginning, connection) => Promise.resolve(this.pipeline.oversize(beginning, from(connection)).ack),
      onEvent: (event) => {
        this.metrics.happened(event);
        if (event.kind === 'other-protocol') void this.otherProtocols.note(event.protocol, at(event.address, null));
        if (event.kind !== 'connected' && event.kind !== 'disconnected')
          this.logger.warn('hl7.connection', {
            listenerId: listener.id,
            what: event.kind,
            ...('code' in event ? { error: event.code ?? 'unknown' } : {}),
            ...('protocol' in event ? { protocol: event.protocol } : {}),
          });
      },
    };
  }
}
