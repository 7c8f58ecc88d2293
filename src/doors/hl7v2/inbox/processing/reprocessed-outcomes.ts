import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import type { DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import { ReceivedOrders } from '../../../../standards/hl7v2/records/received-orders.js';
import { AcknowledgmentWriter } from '../../ack/acknowledgment-writer.js';
import { acknowledgmentModeOf } from '../../ack/acknowledgment-mode.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import type { EarlierHandling } from '../../mapping/reading/earlier-handling.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { InboundRecord } from '../store/inbound-record.js';
import { ReprocessedMessages } from '../store/reprocessed-messages.js';
import { analysesOf, answersOf, pointedImagesOf } from './applied-outcome.js';

/** The new outcome of a message that was read once more. */
interface NewOutcome {
  readonly state: 'processed' | 'ignored';
  readonly problems: readonly Hl7Problem[];
  readonly plan: InboundPlan;
  readonly applied?: AppliedBundle;
}

/**
 * Writes the outcome of a message that was read once more, in the transaction of its changes: its state, the orders that results will repeat, and the
 * acknowledgment that a resend gets. Nothing is sent.
 */
@Injectable()
export class ReprocessedOutcomes {
  constructor(
    private readonly messages: ReprocessedMessages,
    private readonly acknowledgments: AcknowledgmentWriter,
    private readonly receivedOrders: ReceivedOrders,
  ) {}

  async write(
    transaction: TenantTransaction,
    {
      record,
      source,
      earlier,
      decoded,
    }: {
      readonly record: InboundRecord;
      readonly source: Hl7Source;
      readonly earlier: EarlierHandling;
      readonly decoded: DecodedMessage;
    },
    { state, problems, plan, applied }: NewOutcome,
  ): Promise<void> {
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
