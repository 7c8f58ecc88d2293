import { Injectable } from '@nestjs/common';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { AcknowledgedMessage } from '../../ack/acknowledgment.js';
import type { DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import {
  askedProblems,
  behindProblems,
  heldProblems,
  isCuredByWaiting,
  isToBeAsked,
  isToBeHeld,
  isToWait,
  standingProblems,
  waitingProblems,
} from '../../mapping/held-plan.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { HeldMessage } from '../store/inbound-record.js';
import { GroupedOutcomes } from './grouped-outcomes.js';
import { IdentityHolding, type WaitsForDecision } from './identity-holding.js';
import type { PlannedMessage } from './message-planning.js';
import { OutcomeWriter, type WrittenOutcome } from './outcome-writer.js';
import { UnannouncedPatients } from './unannounced-patients.js';

/** Whether its sender was told before that it is accepted, and waits: a refusal would reach nobody. */
export function wasAccepted({ record }: HeldMessage): boolean {
  return record.heldItemId !== null;
}

/** A decoded message with its plan. */
interface Understood {
  readonly decoded: DecodedMessage;
  readonly plan: InboundPlan;
}

/** Messages that are accepted and kept, and of which nothing is filed yet. */
@Injectable()
export class WaitingMessages {
  constructor(
    private readonly holding: IdentityHolding,
    private readonly unannounced: UnannouncedPatients,
    private readonly outcomes: OutcomeWriter,
    private readonly groups: GroupedOutcomes,
  ) {}

  /** Accepts and keeps a message that has to wait; null: it waits for nothing. PatientsKnown, LeaseLost. */
  async writeFor(
    held: HeldMessage,
    source: Hl7Source,
    decoded: DecodedMessage,
    { plan, waits }: PlannedMessage,
  ): Promise<WrittenOutcome | null> {
    if (waits !== null && isToBeHeld(plan, source, wasAccepted(held)))
      return this.hold(held, source, { decoded, plan }, waits);
    if (isToBeAsked(plan)) return this.ask(held, source, { decoded, plan });
    if (isToWait(plan)) return this.awaitPatient(held, source, { decoded, plan });
    const behind = isCuredByWaiting(plan) ? await this.unannounced.earlier(held.record, plan) : null;
    return behind === null ? null : this.follow(held, source, { decoded, plan }, behind);
  }

  /** Keeps a message that was accepted before and cannot be carried out, for a person: its sender does not wait for an answer any more. LeaseLost. */
  stand(
    held: HeldMessage,
    source: Hl7Source,
    request: AcknowledgedMessage,
    { problems, plan }: { readonly problems: readonly Hl7Problem[]; readonly plan?: InboundPlan | undefined },
  ): Promise<WrittenOutcome> {
    return this.groups.beside(held, async (transaction) => {
      const heldItemId = await this.unannounced.stand(transaction, held.record, plan ?? {}, problems);
      const said = standingProblems(problems, heldItemId);
      const outcome = { request, state: 'held', ackCode: 'AA', problems: said, heldItemId } as const;
      return this.outcomes.write(transaction, held, source, outcome);
    });
  }

  /** Accepted and kept until somebody announces its patients. */
  private awaitPatient(held: HeldMessage, source: Hl7Source, { decoded, plan }: Understood): Promise<WrittenOutcome> {
    return this.groups.beside(held, async (transaction) => {
      const heldItemId = await this.unannounced.hold(transaction, held.record, plan);
      const problems = waitingProblems(plan.problems, heldItemId);
      const outcome = { request: decoded, state: 'held', ackCode: 'AA', problems, plan, heldItemId } as const;
      return this.outcomes.write(transaction, held, source, outcome);
    });
  }

  /** Accepted and kept; it is worked off behind earlier ones about its patient, which waited and go on now. */
  private follow(
    held: HeldMessage,
    source: Hl7Source,
    { decoded, plan }: Understood,
    heldItemId: string,
  ): Promise<WrittenOutcome> {
    return this.groups.beside(held, async (transaction) => {
      await this.unannounced.follow(transaction, held.record, heldItemId);
      const problems = behindProblems(plan.problems, heldItemId);
      const outcome = { request: decoded, state: 'held', ackCode: 'AA', problems, plan, heldItemId } as const;
      return this.outcomes.write(transaction, held, source, outcome);
    });
  }

  /** Accepted and kept; nothing of it is filed until a person has decided. */
  private async hold(
    held: HeldMessage,
    source: Hl7Source,
    { decoded, plan }: Understood,
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

  /** As `hold`, until a person has said whose the facility's numbers are. */
  private async ask(held: HeldMessage, source: Hl7Source, { decoded, plan }: Understood): Promise<WrittenOutcome> {
    return this.groups.beside(held, async (transaction) => {
      const heldItemId = await this.holding.ask(transaction, held.record, plan.unsure!);
      return this.outcomes.write(transaction, held, source, {
        request: decoded,
        state: 'held',
        ackCode: 'AA',
        problems: askedProblems(plan.problems, heldItemId),
        plan,
        heldItemId,
      });
    });
  }
}
