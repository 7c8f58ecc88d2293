import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { sharedCounter } from '../../../../platform/health/shared-metrics.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { APPLICATION_CODES, type ApplicationCode } from '../../ack/acknowledgment-code.js';
import { acknowledgmentModeOf, isAsked, NO_RETURN, returnWayOf } from '../../ack/acknowledgment-mode.js';
import type { AcknowledgedMessage } from '../../ack/acknowledgment.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import { ReceivedOrders } from '../../../../standards/hl7v2/records/received-orders.js';
import { AcknowledgmentWriter } from '../../ack/acknowledgment-writer.js';
import { analysesOf, answersOf, pointedImagesOf } from './applied-outcome.js';
import { DeferredConnections } from './deferred-connections.js';
import { AcknowledgmentSending } from './acknowledgment-sending.js';
import type { HeldMessage } from '../store/inbound-record.js';
import { InboundStore } from '../store/inbound-store.js';

/** The outcome of a message, before it is stored. */
export interface Outcome {
  readonly request: AcknowledgedMessage;
  readonly state: 'processed' | 'ignored' | 'failed' | 'held';
  readonly ackCode: ApplicationCode;
  readonly problems: readonly Hl7Problem[];
  readonly retryable?: boolean;
  readonly plan?: InboundPlan;
  readonly applied?: AppliedBundle;
  readonly heldItemId?: string;
}

/** The stored outcome. */
export interface WrittenOutcome {
  readonly code: ApplicationCode;
  readonly ack: Buffer;
  readonly problems: readonly Hl7Problem[];
  /** The sender wants the application acknowledgment on the connection that it holds open. */
  readonly isDeferred: boolean;
}

/**
 * Writes outcomes: the state of the message, its acknowledgment, the orders that results will repeat, and a deferred
 * acknowledgment.
 */
@Injectable()
export class OutcomeWriter {
  private readonly outcomes = sharedCounter(
    'sutura_hl7_outcomes_total',
    'HL7 messages that were processed, by MSA-1 of the outcome, whether or not the sender asked for it',
    ['code'],
  );

  constructor(
    private readonly store: InboundStore,
    private readonly acknowledgments: AcknowledgmentWriter,
    private readonly receivedOrders: ReceivedOrders,
    private readonly returned: AcknowledgmentSending,
    private readonly connections: DeferredConnections,
    private readonly logger: Logger,
  ) {
    for (const code of APPLICATION_CODES) this.outcomes.inc({ code }, 0);
  }

  /** Writes everything in the transaction of the change, whose commit fails with LeaseLost where the lease has passed on. */
  async write(
    transaction: TenantTransaction,
    held: HeldMessage,
    source: Hl7Source,
    outcome: Outcome,
  ): Promise<WrittenOutcome> {
    const { request, state, ackCode, retryable = false, applied } = outcome;
    const mode = request.header === null ? null : acknowledgmentModeOf(request.header, source.acknowledgment);
    const way = mode === null ? null : returnWayOf(mode, source);
    // That it is accepted and waits is said once, however often it has to wait.
    const isSaid = state === 'held' && held.record.heldItemId !== null;
    const isLater =
      !isSaid &&
      held.record.applicationAck === 'later' &&
      mode?.kind === 'enhanced' &&
      isAsked(mode.application, ackCode === 'AA');
    const problems = isLater && way === null ? [...outcome.problems, NO_RETURN] : outcome.problems;
    const content = {
      request,
      source,
      code: ackCode,
      problems,
      isEnhanced: mode?.kind === 'enhanced',
      orders: answersOf(outcome),
    };
    const ack = this.acknowledgments.write(content);
    this.store.conclude(transaction, held, {
      state,
      retryable,
      ackCode,
      ack,
      problems,
      analysisIds: applied?.analysisIds ?? [],
      pointedImageIds: pointedImagesOf(outcome),
      heldItemId: outcome.heldItemId,
    });
    if (outcome.plan !== undefined && applied !== undefined)
      await this.keepOrders(transaction, held, outcome.plan, applied);
    const isDeferred = isLater && way === 'connection';
    if (isLater && !isDeferred)
      await this.returned.enqueue(transaction, held, source, (controlId) =>
        this.acknowledgments.write({ ...content, controlId }),
      );
    return { code: ackCode, ack, problems, isDeferred };
  }

  /** Counts the outcome, and sends a deferred acknowledgment on the sender's connection; called after the commit. */
  announce(held: HeldMessage, written: WrittenOutcome): WrittenOutcome {
    this.outcomes.inc({ code: written.code });
    if (written.isDeferred && !this.connections.send(held.record.id, written.ack))
      this.logger.warn('hl7.deferred_ack_unsent', { messageId: held.record.id });
    return written;
  }

  private async keepOrders(
    transaction: TenantTransaction,
    { record }: HeldMessage,
    plan: InboundPlan,
    applied: AppliedBundle,
  ): Promise<void> {
    const { id, sourceId } = record;
    for (const { received, entry } of plan.orders) {
      const orderKey = entry === null ? null : (applied.references[entry] ?? null);
      await this.receivedOrders.keep(transaction, {
        inboundId: id,
        sourceId,
        orderKey,
        analysisIds: analysesOf(plan, applied, entry),
        received,
      });
    }
  }
}
