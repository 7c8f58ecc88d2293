import { Injectable } from '@nestjs/common';
import { UnitOfWork, type TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import type { DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import { ReceivedOrders } from '../../../../standards/hl7v2/records/received-orders.js';
import { AcknowledgmentWriter } from '../../ack/acknowledgment-writer.js';
import { acknowledgmentModeOf } from '../../ack/acknowledgment-mode.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import { isOutdatedBy, type EarlierHandling } from '../../mapping/reading/earlier-handling.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { InboundRecord } from '../store/inbound-record.js';
import { MessageSequence } from '../store/message-sequence.js';
import { ReprocessedMessages } from '../store/reprocessed-messages.js';
import { analysesOf, answersOf, pointedImagesOf } from './applied-outcome.js';

/** The new outcome of a message that was read once more. */
interface NewOutcome {
  readonly state: 'processed' | 'ignored';
  readonly problems: readonly Hl7Problem[];
  readonly plan: InboundPlan;
  readonly applied?: AppliedBundle;
}

/** A message as it was read once more. */
interface ReadOnceMore {
  readonly record: InboundRecord;
  readonly source: Hl7Source;
  readonly earlier: EarlierHandling;
  readonly askedAt: Date;
  readonly decoded: DecodedMessage;
}

/**
 * Writes the outcome of a message that was read once more, in the transaction of its changes: its state, the orders that results will repeat, and the
 * acknowledgment that a resend gets. Nothing is sent. `fhir.version_conflict` as MessageSequence.
 */
@Injectable()
export class ReprocessedOutcomes {
  constructor(
    private readonly messages: ReprocessedMessages,
    private readonly acknowledgments: AcknowledgmentWriter,
    private readonly receivedOrders: ReceivedOrders,
    private readonly later: MessageSequence,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Of one that changes nothing. */
  writeAlone(read: ReadOnceMore, outcome: Omit<NewOutcome, 'applied'>): Promise<void> {
    return this.unitOfWork.inTenant(tenantOf(read.record), (transaction) => this.write(transaction, read, outcome));
  }

  async write(
    transaction: TenantTransaction,
    { record, source, earlier, askedAt, decoded }: ReadOnceMore,
    { state, problems, plan, applied }: NewOutcome,
  ): Promise<void> {
    if (applied !== undefined) await this.later.requireNone(transaction, record, askedAt);
    const effect = applied === undefined ? { plan } : { plan, applied };
    const ack = this.acknowledgments.write({
      request: decoded,
      source,
      code: 'AA',
      problems,
      isEnhanced: acknowledgmentModeOf(decoded.header, source.acknowledgment).kind === 'enhanced',
      orders: answersOf(effect),
    });
    this.messages.conclude(transaction, record, {
      state,
      ackCode: 'AA',
      ack,
      problems,
      analysisIds: applied?.analysisIds ?? [],
      pointedImageIds: pointedImagesOf(effect),
      saidVersions: applied === undefined ? [] : saidBy(plan, applied, earlier),
    });
    if (applied !== undefined) await this.keepOrders(transaction, record, earlier, plan, applied);
  }

  /** Of a message that was taken, the orders are kept, perhaps as a later message changed them: only new ones are added. */
  private async keepOrders(
    transaction: TenantTransaction,
    { id, sourceId }: InboundRecord,
    earlier: EarlierHandling,
    plan: InboundPlan,
    applied: AppliedBundle,
  ): Promise<void> {
    for (const { received, entry } of plan.orders) {
      const isNew = entry !== null && plan.bundle?.entry?.[entry]?.request?.method === 'POST';
      if (earlier.kind === 'taken' && !isNew) continue;
      const orderKey = entry === null ? null : (applied.references[entry] ?? null);
      const analysisIds = analysesOf(plan, applied, entry);
      await this.receivedOrders.keep(transaction, { inboundId: id, sourceId, orderKey, analysisIds, received });
    }
  }
}

/** The versions (`Type/id/version`) that say what the message says, and nothing that came later than it. */
function saidBy({ bundle }: InboundPlan, { references, versions }: AppliedBundle, earlier: EarlierHandling): string[] {
  return (bundle?.entry ?? []).flatMap(({ request, resource }, at) => {
    const { versionId, isNew } = versions[at] ?? { versionId: undefined, isNew: false };
    if (versionId === undefined || resource === undefined) return [];
    // What a condition found there already, or what was put as it was, has the version of whoever wrote it.
    const isOver =
      request?.method === 'PUT' && resource.meta?.versionId !== versionId && !isOutdatedBy(earlier, resource);
    return isNew || isOver ? [`${references[at]}/${versionId}`] : [];
  });
}
