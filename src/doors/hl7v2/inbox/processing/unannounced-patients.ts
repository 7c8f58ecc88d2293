import { Injectable } from '@nestjs/common';
import { Outbox } from '../../../../core/domain-events/outbox.js';
import { UnknownPatients } from '../../../../core/held/unknown-patients.js';
import type { PatientIdentifier } from '../../../../core/patients/patient.js';
import { UnitOfWork, type TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import { HeldMessages } from '../store/held-messages.js';
import type { InboundRecord } from '../store/inbound-record.js';
import { isError } from './processing-rules.js';

/** The longest pause before a message looks again whether those before it are worked off, in seconds. */
const LONGEST_PAUSE_S = 300;

/** Somebody announced the patients with these numbers while the message was read: it means something else now. */
export class PatientsKnown extends Error {
  constructor(readonly come: readonly PatientIdentifier[]) {
    super('The patients have come meanwhile.');
  }
}

/** Messages about patients whom nobody has announced, and those that come behind them. */
@Injectable()
export class UnannouncedPatients {
  constructor(
    private readonly unknown: UnknownPatients,
    private readonly messages: HeldMessages,
    private readonly outbox: Outbox,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Holds the message until its patients come; answers the id of the item. PatientsKnown where all have. */
  async hold(transaction: TenantTransaction, { id }: InboundRecord, { awaited = [] }: InboundPlan): Promise<string> {
    const outcome = await this.unknown.hold(transaction, id, awaited);
    if ('come' in outcome) throw new PatientsKnown(outcome.come);
    return outcome.held;
  }

  /** The item by which earlier messages about one of the patients waited that are still to be worked off; null: it is this one’s turn. */
  async earlier(record: InboundRecord, { named = [] }: InboundPlan): Promise<string | null> {
    if (named.length === 0) return null;
    return this.unitOfWork.inTenant(tenantOf(record), async (transaction) => {
      const itemIds = await this.unknown.goingOn(transaction, named);
      return itemIds.length === 0 ? null : this.messages.before(transaction, itemIds, record.id);
    });
  }

  /** Has the message worked off behind those of the item: at once, and where they were not then, after ever longer pauses. `fhir.version_conflict`. */
  async follow(transaction: TenantTransaction, { heldItemId, replays }: InboundRecord, itemId: string): Promise<void> {
    await this.unknown.follow(transaction, itemId);
    const pauseS = heldItemId === null ? 0 : Math.min(2 ** Math.min(replays, 16), LONGEST_PAUSE_S);
    await this.outbox.append(transaction, { kind: 'held.settled', subjectId: itemId }, pauseS);
  }

  /** Puts an accepted message that cannot be carried out on the list; answers the id of its item. */
  stand(
    transaction: TenantTransaction,
    { id }: InboundRecord,
    { awaited = [], named = [] }: Pick<InboundPlan, 'awaited' | 'named'>,
    problems: readonly Hl7Problem[],
  ): Promise<string> {
    const codes = problems.filter(isError).map(({ code }) => code);
    return this.unknown.stand(transaction, { messageId: id, numbers: [...named, ...awaited.flat()], codes });
  }

  /** The numbers of patients of this message who get a record by a person's word. */
  async accepted(record: InboundRecord): Promise<readonly PatientIdentifier[]> {
    const { heldItemId } = record;
    if (heldItemId === null) return [];
    return this.unitOfWork.inTenant(tenantOf(record), (transaction) => this.unknown.accepted(transaction, heldItemId));
  }
}
