import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import type { PatientIdentifier } from '../../../../core/patients/patient.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import { failpoint } from '../../../../platform/failpoints.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { inSpan } from '../../../../platform/tracing/spans.js';
import { applicationCodeOf } from '../../ack/acknowledgment-code.js';
import { problemsOf } from '../../ack/record-faults.js';
import { inTurns } from '../../../../platform/turns/turns.js';
import { decodingMessage, type DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import { receiptProblems } from '../../mapping/header-check.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { ClinicalRecords, type AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { EarlierHandling } from '../../mapping/reading/earlier-handling.js';
import type { HeldMessage, InboundRecord } from '../store/inbound-record.js';
import { GroupedOutcomes } from './grouped-outcomes.js';
import { MessagePlanning, type PlannedMessage } from './message-planning.js';
import {
  callerOf,
  isError,
  isOvertaken,
  isRefusal,
  waitingForQuota,
  withoutEffectBy,
  withTries,
} from './processing-rules.js';
import { OutcomeWriter, type Outcome, type WrittenOutcome } from './outcome-writer.js';
import { applyWithoutRefusedProcedures } from './refused-procedures.js';
import { PatientsKnown } from './unannounced-patients.js';
import { WaitingMessages, wasAccepted } from './waiting-messages.js';

/** Set by the waiting caller: from then on nothing of the message may be committed. */
export interface Cancellation {
  isCancelled: boolean;
}

/** The work was given up before its commit. */
export class Overdue extends Error {}

/** A decoded message with its plan. */
interface Understood {
  readonly decoded: DecodedMessage;
  readonly plan: InboundPlan;
  readonly confirmsIdentity: boolean;
}

/**
 * Carries out a stored message and writes its outcome, in one transaction. Faults of the message are an outcome; a
 * fault of the service is thrown and leaves the message as it was.
 */
@Injectable()
export class MessageProcessor {
  constructor(
    private readonly planning: MessagePlanning,
    private readonly records: ClinicalRecords,
    private readonly waiting: WaitingMessages,
    private readonly outcomes: OutcomeWriter,
    private readonly groups: GroupedOutcomes,
    private readonly logger: Logger,
  ) {}

  /** LeaseLost, Overdue, and faults of the service. */
  process(held: HeldMessage, source: Hl7Source, cancellation: Cancellation): Promise<WrittenOutcome> {
    return inSpan('hl7.process', { 'sutura.hl7.message.id': held.record.id }, async (span) => {
      const written = await this.decodeAndProcess(held, source, cancellation);
      span.note({ 'sutura.hl7.message.outcome': written.code });
      return written;
    });
  }

  private async decodeAndProcess(
    held: HeldMessage,
    source: Hl7Source,
    cancellation: Cancellation,
  ): Promise<WrittenOutcome> {
    const decoded = await inTurns(decodingMessage(held.bytes, { characterSet: source.characterSet }));
    if (decoded.kind === 'undecodable') {
      const request = { header: decoded.header, message: null };
      return this.withoutEffect(held, source, {
        request,
        state: 'failed',
        ackCode: decoded.outcome,
        problems: [decoded.problem],
      });
    }
    const refusals = receiptProblems(decoded.message, decoded.header, source);
    if (refusals.length > 0) return this.refuse(held, source, decoded, refusals);
    const vain = withoutEffectBy(decoded.header, source);
    if (vain !== null)
      return this.withoutEffect(held, source, {
        request: decoded,
        state: 'ignored',
        ackCode: 'AA',
        problems: [...decoded.warnings, ...vain],
      });
    return withTries(this.logger, (isLast) => this.carryOut(held, source, decoded, { cancellation, isLast }));
  }

  /** Records that nothing could be done for a message: it is kept, and a resend or a replay begins anew. */
  async giveUp(held: HeldMessage, source: Hl7Source, fault: unknown, retryable: boolean): Promise<WrittenOutcome> {
    const decoded = await inTurns(decodingMessage(held.bytes, { characterSet: source.characterSet }));
    const request = decoded.kind === 'message' ? decoded : { header: decoded.header, message: null };
    if (wasAccepted(held) && !retryable)
      return this.waiting.stand(held, source, request, { problems: problemsOf(fault) });
    return this.withoutEffect(held, source, {
      request,
      state: 'failed',
      ackCode: 'AR',
      problems: problemsOf(fault),
      retryable,
    });
  }

  private async carryOut(
    held: HeldMessage,
    source: Hl7Source,
    decoded: DecodedMessage,
    { cancellation, isLast }: { readonly cancellation: Cancellation; readonly isLast: boolean },
  ): Promise<WrittenOutcome> {
    await this.records.require(tenantOf(held.record));
    const earlier = earlierOf(held.record);
    const { waiting, planned } = await this.planOrWait(held, source, decoded, earlier);
    if (waiting !== null) return waiting;
    const { plan, confirmsIdentity } = planned;
    if (plan.problems.some(isError)) return this.refuse(held, source, decoded, plan.problems, plan);
    const apply = (taken: InboundPlan): Promise<WrittenOutcome> =>
      taken.bundle === null && taken.joins.length === 0
        ? this.withoutEffect(held, source, {
            request: decoded,
            state: 'ignored',
            ackCode: 'AA',
            problems: taken.problems,
            plan: taken,
          })
        : this.apply(held, source, { decoded, plan: taken, confirmsIdentity }, cancellation);
    const { mayReview } = held.record;
    return applyWithoutRefusedProcedures(plan, { mayReview, isLast }, apply, (fault, taken) => {
      // Another message was quicker: read again, this one may mean something else now.
      if (!isRefusal(fault) || (!isLast && isOvertaken(fault))) throw fault;
      return this.refuse(held, source, decoded, [...problemsOf(fault, taken.places), ...taken.problems], taken);
    });
  }

  /** The message is read once more with the patients who have come while it was read. */
  private async planOrWait(
    held: HeldMessage,
    source: Hl7Source,
    decoded: DecodedMessage,
    earlier: EarlierHandling | null,
  ): Promise<{ readonly waiting: WrittenOutcome | null; readonly planned: PlannedMessage }> {
    for (let come: readonly PatientIdentifier[] = []; ;) {
      const planned = await this.planning.plan(held.record, source, decoded, earlier, come);
      try {
        return { waiting: await this.waiting.writeFor(held, source, decoded, planned), planned };
      } catch (fault) {
        if (!(fault instanceof PatientsKnown)) throw fault;
        come = [...come, ...fault.come];
      }
    }
  }

  private async apply(
    held: HeldMessage,
    source: Hl7Source,
    { decoded, plan, confirmsIdentity }: Understood,
    cancellation: Cancellation,
  ): Promise<WrittenOutcome> {
    const written: { value?: WrittenOutcome } = {};
    await failpoint('hl7_before_apply');
    const within = async (transaction: TenantTransaction, applied: AppliedBundle): Promise<void> => {
      if (cancellation.isCancelled) throw new Overdue('The sender has been told to try again.');
      const problems = [...plan.problems, ...waitingForQuota(applied)];
      written.value = await this.outcomes.write(transaction, held, source, {
        request: decoded,
        state: 'processed',
        ackCode: 'AA',
        problems,
        plan,
        applied,
      });
      await failpoint('hl7_in_apply');
    };
    const bundle = plan.bundle ?? { resourceType: 'Bundle', type: 'transaction' };
    const quota = source.quotaPolicy === 'hold' || wasAccepted(held) ? 'wait' : 'refuse';
    await this.records.apply(callerOf(held.record), bundle, {
      requestId: held.record.id,
      quota,
      joins: plan.joins,
      waitingOrders: plan.waitingOrders,
      newPhotos: plan.newPhotos,
      newOrders: plan.newOrders,
      confirmsIdentity,
      within,
    });
    await failpoint('hl7_after_apply');
    if (written.value === undefined) throw new Error('The record applied a message without writing its outcome.');
    return this.outcomes.announce(held, written.value);
  }

  private refuse(
    held: HeldMessage,
    source: Hl7Source,
    decoded: DecodedMessage,
    problems: readonly Hl7Problem[],
    plan?: InboundPlan,
  ): Promise<WrittenOutcome> {
    if (wasAccepted(held)) return this.waiting.stand(held, source, decoded, { problems, plan });
    const outcome = {
      request: decoded,
      state: 'failed',
      ackCode: applicationCodeOf(problems),
      problems,
      ...(plan === undefined ? {} : { plan }),
    } as const;
    return this.withoutEffect(held, source, outcome);
  }

  private withoutEffect(held: HeldMessage, source: Hl7Source, outcome: Outcome): Promise<WrittenOutcome> {
    return this.groups.write(held, source, outcome);
  }
}

/** A replay, or a resend of a message that had failed, is read as if it came now, but its photos are not kept twice. */
function earlierOf({ replays, receivedAt, problems, pointedImageIds }: InboundRecord): EarlierHandling | null {
  if (replays === 0) return null;
  return { kind: 'replayed', receivedAt, standsFrom: receivedAt, problems, pointedImageIds, later: null };
}
