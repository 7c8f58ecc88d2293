import { Injectable } from '@nestjs/common';
import type { DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import {
  askedProblems,
  behindProblems,
  heldProblems,
  isCuredByWaiting,
  isToBeAsked,
  isToBeHeld,
  isToWait,
  waitingProblems,
} from '../../mapping/held-plan.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { HeldMessage } from '../store/inbound-record.js';
import { GroupedOutcomes } from './grouped-outcomes.js';
import { IdentityHolding, type WaitsForDecision } from './identity-holding.js';
import type { PlannedMessage } from './message-planning.js';
import { OutcomeWriter, type WrittenOutcome } from './outcome-writer.js';
import { PatientKnown, UnannouncedPatients } from './unannounced-patients.js';

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

  /** Accepts and keeps a message that has to wait; null: it waits for nothing. `announced`: its patient has come while it was read. LeaseLost. */
  async writeFor(
    held: HeldMessage,
    source: Hl7Source,
    decoded: DecodedMessage,
    { plan, waits }: PlannedMessage,
  ): Promise<WrittenOutcome | 'announced' | null> {
    if (waits !== null && isToBeHeld(plan, source)) return this.hold(held, source, { decoded, plan }, waits);
    if (isToBeAsked(plan)) return this.ask(held, source, { decoded, plan });
    if (isToWait(plan)) return this.awaitPatient(held, source, { decoded, plan });
    const behind = isCuredByWaiting(plan) ? await this.unannounced.earlier(held.record, plan) : null;
    return behind === null ? null : this.follow(held, source, { decoded, plan }, behind);
  }

  /** Accepted and kept until somebody announces its patient. */
  private async awaitPatient(
    held: HeldMessage,
    source: Hl7Source,
    { decoded, plan }: Understood,
  ): Promise<WrittenOutcome | 'announced'> {
    try {
      return await this.groups.beside(held, async (transaction) => {
        const heldItemId = await this.unannounced.hold(transaction, held.record, plan);
        const problems = waitingProblems(plan.problems, heldItemId);
        const outcome = { request: decoded, state: 'held', ackCode: 'AA', problems, plan, heldItemId } as const;
        return this.outcomes.write(transaction, held, source, outcome);
      });
    } catch (fault) {
      if (fault instanceof PatientKnown) return 'announced';
      throw fault;
    }
  }

  /** Accepted and kept; it is worked off behind earlier ones about its patient, which waited and go on now. */
  private follow(
    held: HeldMessage,
    source: Hl7Source,
    { decoded, plan }: Understood,
    heldItemId: string,
  ): Promise<WrittenOutcome> {
    return this.groups.beside(held, async (transaction) => {
      await this.unannounced.follow(transaction, heldItemId);
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
