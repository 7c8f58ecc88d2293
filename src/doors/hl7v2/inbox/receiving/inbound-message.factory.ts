import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../../core/ports/id-source.js';
import { AcknowledgmentWriter } from '../../ack/acknowledgment-writer.js';
import { MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import { messageTerms } from '../../../../standards/hl7v2/encryption/search-terms.js';
import { inTurns, ownTurnFor } from '../../../../platform/turns/turns.js';
import { digestingContent } from '../../../../standards/hl7v2/er7/content-digest.js';
import { findingEncodedFiles } from '../../../../standards/hl7v2/er7/encoded-files.js';
import { messageKeyOf, type NewInbound } from '../store/inbound-record.js';
import { initialStateOf, type InitialVerdict } from './initial-verdict.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { MessageOrigin } from './reply.js';

/** The first bytes that are kept of a frame without MSH: enough to see what it is. */
const UNPARSABLE_KEPT_BYTES = 4096;

/** Makes the rows of new messages, with their acknowledgment where the header alone decides it. */
@Injectable()
export class InboundMessageFactory {
  constructor(
    private readonly ids: IdSource,
    private readonly encryption: MessageEncryption,
    private readonly acknowledgments: AcknowledgmentWriter,
  ) {}

  async create(
    bytes: Buffer,
    verdict: InitialVerdict,
    { source, transport, keyId, mayReview, address }: MessageOrigin,
    messageKey = messageKeyOf(verdict.header),
  ): Promise<NewInbound> {
    const { header, mode, problems, request, isTooLong } = verdict;
    const { state, acceptCode, applicationAck, ackCode } = initialStateOf(verdict);
    const found = await this.found(bytes, isTooLong);
    const id = this.ids.next();
    const raw = this.encryption.seal(bytes, id);
    await ownTurnFor(bytes);
    const isOriginal = mode.kind === 'original';
    const ack =
      isOriginal && ackCode !== null
        ? this.acknowledgments.write({ request, source, code: ackCode, problems, isEnhanced: false })
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
      mayReview,
      address,
      sendingApplication,
      sendingFacility,
      controlId,
      messageType,
      version: versionId,
      messageKey,
      sha256: found.sha256,
      fileDigests: found.fileDigests,
      terms: found.terms,
      raw,
      sizeBytes: bytes.length,
      state,
      acceptCode,
      applicationAck,
      ackCode,
      ack: ack === null ? null : this.encryption.seal(ack, id),
      problems,
      leaseToken: isOriginal && state === 'received' ? this.ids.next() : null,
    };
  }

  /** A frame without MSH, so that an operator sees what came, and from where. `ack`: null unless the source wants an AR. */
  async createUnparsable(
    bytes: Buffer,
    { source, transport, keyId, mayReview, address }: MessageOrigin,
    problem: Hl7Problem,
  ): Promise<{ readonly message: NewInbound; readonly ack: Buffer | null }> {
    const sha256 = await inTurns(digestingContent(bytes));
    const id = this.ids.next();
    const problems = [problem];
    const request = { header: null, message: null };
    const ack = source.nakUnparsable
      ? this.acknowledgments.write({ request, source, code: 'AR', problems, isEnhanced: false })
      : null;
    const message: NewInbound = {
      id,
      organizationId: source.organizationId,
      environment: source.environment,
      sourceId: source.id,
      transport,
      keyId,
      mayReview,
      address,
      sendingApplication: '',
      sendingFacility: '',
      controlId: '',
      messageType: '',
      version: '',
      messageKey: null,
      sha256,
      fileDigests: [],
      raw: this.encryption.seal(bytes.subarray(0, UNPARSABLE_KEPT_BYTES), id),
      sizeBytes: bytes.length,
      state: 'failed',
      acceptCode: null,
      applicationAck: 'now',
      ackCode: 'AR',
      ack: ack === null ? null : this.encryption.seal(ack, id),
      problems,
      leaseToken: null,
    };
    return { message, ack };
  }

  /** What is looked for in the bytes of a message, in turns: it may have megabytes. */
  private async found(
    bytes: Buffer,
    isTooLong: boolean,
  ): Promise<Pick<NewInbound, 'sha256' | 'fileDigests'> & { readonly terms: readonly Buffer[] }> {
    const sha256 = await inTurns(digestingContent(bytes));
    if (isTooLong) return { sha256, fileDigests: [], terms: [] };
    const files = await inTurns(findingEncodedFiles(bytes));
    await ownTurnFor(bytes);
    const terms = messageTerms(this.encryption.terms, bytes);
    await ownTurnFor(bytes);
    return { sha256, fileDigests: files.flatMap(({ digests }) => digests), terms };
  }
}
