import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../../core/tenancy/api-key.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import { failpoint } from '../../../../platform/failpoints.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { inSpan } from '../../../../platform/tracing/spans.js';
import { applicationCodeOf } from '../../ack/acknowledgment-code.js';
import { problemsOf } from '../../ack/record-faults.js';
import { inTurns } from '../../../../platform/turns/turns.js';
import { decodingMessage, type DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import type { MessageHeader } from '../../../../standards/hl7v2/er7/er7-message.js';
import { isAccepted, receiptProblems } from '../../mapping/header-check.js';
import { heldProblems, isToBeHeld } from '../../mapping/held-plan.js';
import { InboundMapper } from '../../mapping/inbound-mapper.js';
import { asksInVain, messageKindOf } from '../../mapping/message-kinds.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import { UNSETTLED } from '../../mapping/reading/message-reading.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { warned } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { ClinicalRecords, type AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { HeldMessage } from '../store/inbound-record.js';
import { LeaseLost } from '../store/written-conclusions.js';
import { GroupedOutcomes } from './grouped-outcomes.js';
import { IdentityHolding, type WaitsForDecision } from './identity-holding.js';
import { OutcomeWriter, type Outcome, type WrittenOutcome } from './outcome-writer.js';

/**
 * Conflicts with concurrent changes of the record. The message is planned again from the start, since its effect may
 * differ now.
 */
const REPEATED = ['service.unavailable', 'fhir.version_conflict', 'fhir.duplicate'] as const;
const TRIES = 3;
const PAUSE_MS = 40;

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

interface Planned extends Omit<Understood, 'decoded'> {
  readonly waits: WaitsForDecision | null;
}

/**
 * Carries out a stored message and writes its outcome, in one transaction. Faults of the message are an outcome; a
 * fault of the service is thrown and leaves the message as it was.
 */
@Injectable()
export class MessageProcessor {
  constructor(
    private readonly mapper: InboundMapper,
    private readonly records: ClinicalRecords,
    private readonly holding: IdentityHolding,
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
    return this.withTries((isLast) => this.carryOut(held, source, decoded, { cancellation, isLast }));
  }

  /** Records that nothing could be done for a message: it is kept, and a resend or a replay begins anew. */
  async giveUp(held: HeldMessage, source: Hl7Source, fault: unknown, retryable: boolean): Promise<WrittenOutcome> {
    const decoded = await inTurns(decodingMessage(held.bytes, { characterSet: source.characterSet }));
    const request = decoded.kind === 'message' ? decoded : { header: decoded.header, message: null };
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
    const { plan, waits, confirmsIdentity } = await this.planned(held, source, decoded);
    if (waits !== null && isToBeHeld(plan, source)) return this.hold(held, source, { decoded, plan }, waits);
    if (plan.problems.some(isError)) return this.refuse(held, source, decoded, plan.problems, plan);
    if (plan.bundle === null && plan.joins.length === 0)
      return this.withoutEffect(held, source, {
        request: decoded,
        state: 'ignored',
        ackCode: 'AA',
        problems: plan.problems,
        plan,
      });
    try {
      return await this.apply(held, source, { decoded, plan, confirmsIdentity }, cancellation);
    } catch (fault) {
      // Another message was quicker: read again, this one may mean something else now.
      if (!isRefusal(fault) || (!isLast && isSuturaError(fault, ...REPEATED))) throw fault;
      return this.refuse(held, source, decoded, [...problemsOf(fault, plan.places), ...plan.problems], plan);
    }
  }

  /** Planned by what people decided about the patients; `waits`: about one of them nobody has. */
  private async planned(held: HeldMessage, source: Hl7Source, decoded: DecodedMessage): Promise<Planned> {
    let settled = UNSETTLED;
    for (;;) {
      const reading = settled;
      const mapped = await this.records.looking(tenantOf(held.record), (lookups) =>
        this.mapper.plan(decoded.message, decoded.header, source, lookups, reading),
      );
      const plan = { ...mapped, problems: [...decoded.warnings, ...mapped.problems] };
      const confirmsIdentity = settled.same.size > 0;
      if (mapped.conflicts.length === 0) return { plan, waits: null, confirmsIdentity };
      const found = await this.holding.lookUp(held.record, mapped.conflicts, settled);
      if ('waits' in found) return { plan, waits: found.waits, confirmsIdentity };
      ({ settled } = found);
    }
  }

  /** Accepted and kept; nothing of it is filed until a person has decided. */
  private async hold(
    held: HeldMessage,
    source: Hl7Source,
    { decoded, plan }: Pick<Understood, 'decoded' | 'plan'>,
    waits: WaitsForDecision,
  ): Promise<WrittenOutcome> {
    return this.groups.beside(held, async (transaction) => {
      const heldItemId = await this.holding.hold(transaction, held.record, waits);
      return this.outcomes.write(transaction, held, source, {
        request: decoded,
        state: 'held',
        ackCode: 'AA',
        problems: heldProblems(plan.problems, heldItemId),
        plan,
        heldItemId,
      });
    });
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
    const quota = source.quotaPolicy === 'hold' ? 'wait' : 'refuse';
    await this.records.apply(callerOf(held), bundle, {
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

  private async withTries(work: (isLast: boolean) => Promise<WrittenOutcome>): Promise<WrittenOutcome> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(attempt === TRIES);
      } catch (fault) {
        if (attempt === TRIES || !isSuturaError(fault, ...REPEATED)) throw fault;
        this.logger.debug('hl7.message_repeated', { attempt });
        await delay(PAUSE_MS * attempt * (0.5 + Math.random()));
      }
    }
  }
}

const DELETIONS: readonly string[] = ['A23', 'A29'];

/** The warnings for a message that is kept without effect; null: it is to be carried out. */
function withoutEffectBy(header: MessageHeader, { acceptedMessages }: Hl7Source): Hl7Problem[] | null {
  const place = { segment: 'MSH', sequence: 1, field: 9, repetition: 1, component: 2 };
  if (messageKindOf(header) === 'kept')
    return asksInVain(header)
      ? [
          warned(
            'message.not_carried_out',
            place,
            DELETIONS.includes(header.triggerEvent)
              ? 'This event is kept and not carried out: nothing was deleted. A record is erased by its organization.'
              : 'This event is kept and not carried out. Records of patients are joined by A40.',
          ),
        ]
      : [];
  return isAccepted(header, acceptedMessages)
    ? null
    : [
        warned(
          'message.not_carried_out',
          place,
          'This event is not on the list of this connection (acceptedMessages). It was kept and changed nothing.',
        ),
      ];
}

/** Whether the content is at fault, so that the same message would be refused again. */
function isRefusal(fault: unknown): boolean {
  if (fault instanceof LeaseLost || fault instanceof Overdue || !isSuturaError(fault)) return false;
  return !['internal', 'unavailable', 'storage_full'].includes(fault.kind);
}

function isError({ severity }: Hl7Problem): boolean {
  return severity === 'error';
}

function callerOf({ record }: HeldMessage): Caller {
  const { keyId, id, address } = record;
  return {
    ...tenantOf(record),
    keyId,
    scopes: ['images:write', 'analysis:write', 'analysis:read'],
    origin: { requestId: id, address },
  };
}

function waitingForQuota({ waitsForQuotaUntil }: AppliedBundle): Hl7Problem[] {
  if (waitsForQuotaUntil === null) return [];
  const text = `Stored. The daily analyses are used up, so it waits for quota until ${waitsForQuotaUntil.toISOString()}.`;
  return [{ severity: 'warning', condition: '207', place: null, code: 'quota.exceeded', text }];
}
