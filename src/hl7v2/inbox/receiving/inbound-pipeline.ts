import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { failpoint } from '../../../platform/failpoints.js';
import { Logger } from '../../../platform/logging/logger.js';
import { acceptCodeOf, applicationCodeOf } from '../../ack/acknowledgment-code.js';
import { acknowledgmentModeOf, NO_RETURN, returnWayOf } from '../../ack/acknowledgment-mode.js';
import { problemsOf } from '../../ack/record-faults.js';
import { contentDigest } from '../../er7/content-digest.js';
import { findEncodedFiles } from '../../er7/encoded-files.js';
import { peekHeader } from '../../er7/message-header.js';
import { messageKindOf } from '../../mapping/message-kinds.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { messageTerms } from '../../encryption/message-terms.js';
import { MessageEncryption } from '../../encryption/message-encryption.js';
import { AcknowledgmentWriter } from '../../ack/acknowledgment-writer.js';
import { DeferredConnections } from '../processing/deferred-connections.js';
import { RepeatedMessages } from './repeated-messages.js';
import { Hl7Metrics } from './hl7-metrics.js';
import { messageKeyOf, type NewInbound } from '../store/inbound-record.js';
import { InboundStore, type KnownMessage } from '../store/inbound-store.js';
import { InboundWorker } from '../processing/inbound-worker.js';
import { MessageRunner } from '../processing/message-runner.js';
import { CONTROL_ID_REUSED, judge, TOO_LONG, UNPARSABLE, verdictOf, type ReceiptVerdict } from './receipt-verdict.js';
import { ReceivedAcknowledgments } from './received-acknowledgments.js';
import { IncomingTraffic } from '../processing/incoming-traffic.js';
import type { Judged, MessageOrigin, Reply } from './reply.js';

const SILENCE: Reply = { ack: null, code: null };
/** Of what is no message: enough to see what it is. */
const UNPARSABLE_KEPT_BYTES = 4096;
/** Another message may take the key between our statement and the look at who has it. */
const KEY_TRIES = 3;

/**
 * The way of a message from its frame to its acknowledgment (docs/conformance/hl7v2.md): read its header, keep it, and only once it is safe answer:
 * in enhanced mode that it is safe, in original mode what became of it.
 */
@Injectable()
export class InboundPipeline {
  constructor(
    private readonly store: InboundStore,
    private readonly vault: MessageEncryption,
    private readonly ids: IdSource,
    private readonly desk: AcknowledgmentWriter,
    private readonly runs: MessageRunner,
    private readonly duplicates: RepeatedMessages,
    private readonly worker: InboundWorker,
    private readonly deferred: DeferredConnections,
    private readonly answers: ReceivedAcknowledgments,
    private readonly receptions: IncomingTraffic,
    private readonly metrics: Hl7Metrics,
    private readonly logger: Logger,
  ) {}

  /** One complete message. Never throws: what cannot be kept is answered so. */
  async receive(message: Uint8Array, reception: MessageOrigin): Promise<Reply> {
    const began = performance.now();
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    const peeked = peekHeader(bytes);
    if (peeked === null) return this.unparsable(bytes, reception);
    if (messageKindOf(peeked.header) === 'answer') return this.answered(bytes, reception);
    const receipt = judge(bytes, peeked, reception.source);
    const { reply, problems } = await this.receptions.during(() => this.keepAndAnswer(bytes, receipt, reception));
    if (reply.code !== null) this.metrics.acknowledged(reply.code, (performance.now() - began) / 1000, problems);
    await failpoint('hl7_before_ack');
    return reply;
  }

  /** The beginning of a message that is larger than what is taken: nothing of it is kept. */
  oversize(beginning: Uint8Array, { source, transport }: MessageOrigin): Reply {
    this.metrics.received(transport, 'oversize');
    const header = peekHeader(beginning)?.header ?? null;
    this.logger.warn('hl7.message_too_long', { listenerId: source.id, hasHeader: header !== null });
    if (header === null) return SILENCE;
    const mode = acknowledgmentModeOf(header, source.acknowledgment);
    return this.reject(
      { header, mode, problems: [TOO_LONG], request: { header, message: null }, isTooLong: true },
      source,
    );
  }

  private async keepAndAnswer(bytes: Buffer, receipt: ReceiptVerdict, reception: MessageOrigin): Promise<Judged> {
    try {
      for (let attempt = 1; attempt <= KEY_TRIES; attempt += 1) {
        const message = this.toKeep(bytes, receipt, reception);
        await failpoint('hl7_before_insert');
        if (await this.store.insert(message)) return await this.kept(bytes, message, receipt, reception);
        const known = await this.store.findByKey(reception.source.id, message.messageKey!);
        if (known === null) continue;
        const judged = await this.known(known, bytes, message, receipt, reception);
        if (judged !== null) return judged;
      }
      throw new SuturaError('service.unavailable');
    } catch (fault) {
      this.metrics.received(reception.transport, 'not_kept');
      this.logger.error('hl7.message_not_kept', { listenerId: reception.source.id }, fault);
      const problems = problemsOf(fault instanceof SuturaError ? fault : new SuturaError('service.unavailable'));
      return { reply: this.reject({ ...receipt, problems }, reception.source), problems };
    }
  }

  private async kept(
    bytes: Buffer,
    message: NewInbound,
    receipt: ReceiptVerdict,
    reception: MessageOrigin,
  ): Promise<Judged> {
    await failpoint('hl7_after_insert');
    this.metrics.received(reception.transport, 'new');
    const { problems, mode } = receipt;
    if (mode.kind === 'enhanced') {
      if (message.state === 'received') this.takeUpLater(message, receipt, reception);
      return { reply: this.accept(receipt, reception.source), problems };
    }
    if (message.state === 'failed')
      return { reply: { ack: this.vault.open(message.ack!, message.id), code: message.ackCode }, problems };
    const record = {
      ...message,
      receivedAt: new Date(),
      attempts: 1,
      replays: 0,
      processedAt: null,
      analysisIds: [],
      pointedImageIds: [],
      erased: [],
    };
    const written = await this.runs.now({ record, bytes, leaseToken: message.leaseToken! }, reception.source);
    return { reply: { ack: written.ack, code: written.code }, problems: written.problems };
  }

  /** null: the key is free now, and the message can be kept after all. */
  private async known(
    known: KnownMessage,
    bytes: Buffer,
    message: NewInbound,
    receipt: ReceiptVerdict,
    reception: MessageOrigin,
  ): Promise<Judged | null> {
    const { source, transport } = reception;
    const isSame = known.sha256.equals(message.sha256);
    // What is to be done again can be done with the message that has its photo, not with the one that was left without.
    const isErased = known.retryable && known.record.erased.length > 0;
    if (isSame && known.isSealed && (await this.store.replaceSealed(known.record.id))) return null;
    if (known.hasExpired || isErased || (!isSame && source.reusedControlId === 'process')) {
      await this.store.releaseKey(known.record.id);
      return null;
    }
    if (isSame) {
      this.metrics.received(transport, 'duplicate');
      this.logger.info('hl7.message_repeated', { messageId: known.record.id });
      return receipt.mode.kind === 'enhanced'
        ? this.acceptedBefore(known, receipt, reception)
        : this.duplicates.answer(known, receipt, source);
    }
    this.metrics.received(transport, 'reused_control_id');
    this.logger.warn('hl7.control_id_reused', { messageId: known.record.id, listenerId: source.id });
    const refused = { ...receipt, problems: [CONTROL_ID_REUSED] };
    await this.store.insert(this.toKeep(bytes, refused, reception, null));
    return { reply: this.reject(refused, source), problems: refused.problems };
  }

  private async acceptedBefore(
    known: KnownMessage,
    receipt: ReceiptVerdict,
    reception: MessageOrigin,
  ): Promise<Judged> {
    const { record, ack } = known;
    const { source, connection } = reception;
    if (record.state === 'failed' && receipt.problems.length === 0) {
      const { acceptCode, applicationAck } = verdictOf(receipt);
      await this.store.tryAgain(record.id, acceptCode, applicationAck);
      this.takeUpLater({ id: record.id, applicationAck }, receipt, reception);
      return { reply: this.accept(receipt, source), problems: [] };
    }
    const problems = record.acceptCode === 'CE' || record.acceptCode === 'CR' ? record.problems : [];
    // A sender that waits on its connection, and lost the first one, hears the outcome on this one.
    if (
      returnWayOf(receipt.mode, source) === 'connection' &&
      record.applicationAck === 'later' &&
      connection !== null
    ) {
      if (ack === null) this.deferred.remember(record.id, connection);
      else setImmediate(() => connection.send(this.desk.freshen(ack, source)));
    }
    return { reply: this.accept({ ...receipt, problems }, source), problems };
  }

  private takeUpLater(
    { id, applicationAck }: Pick<NewInbound, 'id' | 'applicationAck'>,
    { mode }: ReceiptVerdict,
    { source, connection }: MessageOrigin,
  ): void {
    if (applicationAck === 'later' && returnWayOf(mode, source) === 'connection' && connection !== null)
      this.deferred.remember(id, connection);
    // After the accept acknowledgment has left.
    setImmediate(() => this.worker.poke());
  }

  private accept(receipt: ReceiptVerdict, source: Hl7Source): Reply {
    const code = acceptCodeOf(receipt.problems);
    const { acceptCode, applicationAck } = verdictOf(receipt);
    const problems =
      applicationAck === 'later' && returnWayOf(receipt.mode, source) === null ? [NO_RETURN] : receipt.problems;
    return {
      code,
      ack:
        acceptCode === null
          ? null
          : this.desk.write({ request: receipt.request, source, code, problems, isEnhanced: true }),
    };
  }

  /** An answer to what was not kept, or may not be kept under its own key. */
  private reject(receipt: ReceiptVerdict, source: Hl7Source): Reply {
    if (receipt.mode.kind === 'enhanced') return this.accept(receipt, source);
    const { request, problems } = receipt;
    const code = applicationCodeOf(problems);
    return { code, ack: this.desk.write({ request, source, code, problems, isEnhanced: false }) };
  }

  private toKeep(
    bytes: Buffer,
    receipt: ReceiptVerdict,
    reception: MessageOrigin,
    messageKey = messageKeyOf(receipt.header),
  ): NewInbound {
    const { header, mode, problems, request, isTooLong } = receipt;
    const { source, transport, keyId, address } = reception;
    const verdict = verdictOf(receipt);
    const id = this.ids.next();
    const isAnsweredNow = mode.kind === 'original' && verdict.ackCode !== null;
    const ack = isAnsweredNow
      ? this.desk.write({ request, source, code: verdict.ackCode!, problems, isEnhanced: false })
      : null;
    const { sendingApplication, sendingFacility, controlId, versionId } = header;
    const messageType = [header.messageCode, header.triggerEvent].filter((part) => part !== '').join('^');
    // One literal: put together from parts, an object of this size costs two hundred times as much.
    return {
      id,
      organizationId: source.organizationId,
      environment: source.environment,
      sourceId: source.id,
      transport,
      keyId,
      address,
      sendingApplication,
      sendingFacility,
      controlId,
      messageType,
      version: versionId,
      messageKey,
      sha256: contentDigest(bytes),
      fileDigests: isTooLong ? [] : findEncodedFiles(bytes).flatMap(({ digests }) => digests),
      terms: isTooLong ? [] : messageTerms(this.vault, bytes),
      raw: this.vault.seal(bytes, id),
      sizeBytes: bytes.length,
      state: verdict.state,
      acceptCode: verdict.acceptCode,
      applicationAck: verdict.applicationAck,
      ackCode: verdict.ackCode,
      ack: ack === null ? null : this.vault.seal(ack, id),
      problems,
      leaseToken: mode.kind === 'original' && verdict.state === 'received' ? this.ids.next() : null,
    };
  }

  /** Kept with its first bytes, so that who looks after the interface sees what came, and from where. */
  private async unparsable(bytes: Buffer, { source, transport, keyId, address }: MessageOrigin): Promise<Reply> {
    this.metrics.received(transport, 'unparsable');
    const id = this.ids.next();
    this.logger.warn('hl7.unparsable', { listenerId: source.id, messageId: id });
    const ack = source.nakUnparsable
      ? this.desk.write({
          request: { header: null, message: null },
          source,
          code: 'AR',
          problems: [UNPARSABLE],
          isEnhanced: false,
        })
      : null;
    const { organizationId, environment } = source;
    const kept: NewInbound = {
      ...{ id, organizationId, environment, sourceId: source.id, transport, keyId, address },
      ...{ sendingApplication: '', sendingFacility: '', controlId: '', messageType: '', version: '', messageKey: null },
      ...{
        sha256: contentDigest(bytes),
        raw: this.vault.seal(bytes.subarray(0, UNPARSABLE_KEPT_BYTES), id),
        sizeBytes: bytes.length,
      },
      ...{
        state: 'failed',
        acceptCode: null,
        applicationAck: 'now',
        ackCode: 'AR',
        ack: ack === null ? null : this.vault.seal(ack, id),
        problems: [UNPARSABLE],
        leaseToken: null,
        fileDigests: [],
      },
    };
    try {
      await this.store.insert(kept);
    } catch (fault) {
      this.logger.error('hl7.message_not_kept', { listenerId: source.id }, fault);
    }
    return ack === null ? SILENCE : { ack, code: 'AR' };
  }

  private async answered(bytes: Buffer, { source, transport }: MessageOrigin): Promise<Reply> {
    this.metrics.received(transport, 'answer');
    await this.answers.take(bytes, source);
    return { ack: null, code: 'AA' };
  }
}
