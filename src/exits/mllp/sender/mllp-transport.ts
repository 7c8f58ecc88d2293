import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type {
  Columns,
  Connection,
  DueDelivery,
  Outcome,
  SendingEndpoint,
  NoAnswer,
  Transport,
} from '../../kit/index.js';
import { Logger } from '../../../platform/logging/logger.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import type { Acknowledgment } from '../../../standards/hl7v2/mllp/acknowledgment.js';
import type { MllpClientTls } from '../../../standards/hl7v2/mllp/client-socket.js';
import { MllpClient, MllpDeliveryError } from '../../../standards/hl7v2/mllp/mllp-client.js';
import type { DestinationSettings, Hl7Destination } from '../settings/hl7-destination.js';
import { answerTerms, sealAnswer } from '../outbox/answer-encryption.js';
import type { MessageColumns } from '../outbox/hl7-queue.js';
import { meaningOf } from './acknowledgment-policy.js';
import { DeferredAcknowledgments } from './deferred-acknowledgments.js';
import { MessageFilesFault, MessageAssembly } from './message-assembly.js';

/** A destination as its sender knows it. */
export interface DestinationEndpoint extends SendingEndpoint {
  readonly destination: Hl7Destination;
}

/** The part of an acknowledgment that a sender keeps. */
export type SenderAnswer = Pick<Acknowledgment, 'code' | 'conditions' | 'text' | 'problems'>;

/** The outcome of a message that its receiver is not asked to acknowledge. */
const TRANSMITTED: SenderAnswer = { code: 'CA', conditions: [], text: '', problems: [] };

/** HL7 v2 over MLLP, as the senders of deliveries need it. */
@Injectable()
export class MllpTransport implements Transport<DestinationEndpoint, MessageColumns, SenderAnswer> {
  constructor(
    private readonly encryption: MessageEncryption,
    private readonly deferredAcknowledgments: DeferredAcknowledgments,
    private readonly messages: MessageAssembly,
    private readonly logger: Logger,
  ) {}

  /** Rejects where the files of its TLS cannot be read. */
  async open({ destination }: DestinationEndpoint): Promise<Connection<MessageColumns, SenderAnswer>> {
    const { host, port, tls, ackTimeoutMs } = destination.settings;
    const client = new MllpClient({
      host,
      port,
      tls: tls === null ? null : await readClientTls(tls),
      onOther: (acknowledgment) => void this.take(destination, acknowledgment),
    });
    const send = async (message: DueDelivery<MessageColumns>): Promise<SenderAnswer> => {
      const { controlId, kind } = message;
      const bytes = await this.messages.of(destination, message);
      if (kind === 'result') return client.send(bytes, controlId, ackTimeoutMs);
      await client.transmit(bytes, ackTimeoutMs);
      return TRANSMITTED;
    };
    return {
      send: async (message) => {
        const answer = await send(message);
        return { meaning: meaningOf(answer), answer };
      },
      close: () => client.close(),
    };
  }

  silenceOf(error: unknown): NoAnswer {
    if (error instanceof MllpDeliveryError) {
      const { reason, code, mayHaveArrived } = error;
      return { kind: 'silent', fault: code === null ? reason : `${reason} ${code}`, mayHaveArrived };
    }
    const fault = error instanceof MessageFilesFault ? error.fault : notOpened(error);
    return { kind: 'silent', fault, mayHaveArrived: false };
  }

  columnsOf(messageId: string, outcome: Outcome<SenderAnswer>): Columns {
    if (outcome.kind === 'silent') return { answer_terms: answerTerms(this.encryption, null, outcome.fault) };
    const { answer, meaning } = outcome;
    const said = { ack_code: answer.code, ack_condition: conditionOf(answer) };
    if (meaning === 'accepted') return { ...said, ack_condition: null, application_code: null, answer: null };
    return {
      ...said,
      answer: sealAnswer(this.encryption, messageId, answer),
      answer_terms: answerTerms(this.encryption, answer, said.ack_code, said.ack_condition),
    };
  }

  /** An acknowledgment of a message that is not in flight. */
  private async take(destination: Hl7Destination, acknowledgment: Acknowledgment): Promise<void> {
    try {
      await this.deferredAcknowledgments.take(destination, acknowledgment);
    } catch (error) {
      this.logger.warn('hl7.late_acknowledgment_lost', {
        destinationId: destination.id,
        error: error instanceof Error ? error.name : 'unknown',
      });
    }
  }
}

/** ERR-3 where it is a code; other text may hold anything, and belongs in no log or column. */
export function conditionOf({ conditions: [first] }: Pick<SenderAnswer, 'conditions'>): string | null {
  return first !== undefined && /^[A-Za-z0-9._-]{1,20}$/.test(first) ? first : null;
}

/** Why a connection could not even be tried, as a code: nothing of a certificate, a path or a name. */
export function notOpened(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? `not_opened ${code}` : 'not_opened';
}

/** PEM of the files, read when the connection is made. Rejects where one cannot be read. */
export async function readClientTls({
  caFile,
  certFile,
  keyFile,
  serverName,
}: NonNullable<DestinationSettings['tls']>): Promise<MllpClientTls> {
  const [authorities, certificate, key] = await Promise.all(
    [caFile, certFile, keyFile].map(async (file) => (file === undefined ? undefined : readFile(file, 'utf8'))),
  );
  return {
    ...(authorities === undefined ? {} : { authorities }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { serverName }),
  };
}
