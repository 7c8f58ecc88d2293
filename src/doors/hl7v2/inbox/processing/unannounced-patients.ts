import { Injectable } from '@nestjs/common';
import { Outbox } from '../../../../core/domain-events/outbox.js';
import { HeldItems } from '../../../../core/held/held-items.js';
import { UnknownPatients } from '../../../../core/held/unknown-patients.js';
import { UnitOfWork, type TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import { HeldMessages } from '../store/held-messages.js';
import type { InboundRecord } from '../store/inbound-record.js';

/** Somebody announced the patient while the message was read: it means something else now. */
export class PatientKnown extends Error {}

/** Messages about patients whom nobody has announced, and those that come behind them. */
@Injectable()
export class UnannouncedPatients {
  constructor(
    private readonly unknown: UnknownPatients,
    private readonly items: HeldItems,
    private readonly messages: HeldMessages,
    private readonly outbox: Outbox,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Holds the message until its patient comes; answers the id of the item. PatientKnown. */
  async hold(transaction: TenantTransaction, { id }: InboundRecord, { awaited = [] }: InboundPlan): Promise<string> {
    const held = await this.unknown.hold(transaction, id, awaited);
    if (held === null) throw new PatientKnown('The patient has come meanwhile.');
    return held;
  }

  /** The item by which earlier messages about the patient waited that are still to be worked off; null: it is this one’s turn. */
  async earlier(record: InboundRecord, { named = [] }: InboundPlan): Promise<string | null> {
    if (named.length === 0) return null;
    return this.unitOfWork.inTenant(tenantOf(record), (transaction) =>
      this.messages.awaitedBefore(transaction, this.unknown.keyOf(named), record.id),
    );
  }

  /** Has the message worked off behind those of the item. */
  async follow(transaction: TenantTransaction, itemId: string): Promise<void> {
    await this.outbox.append(transaction, { kind: 'held.settled', subjectId: itemId });
  }

  /** Whether a person decided that the patients of this message get a record. */
  async isAccepted(record: InboundRecord): Promise<boolean> {
    const { heldItemId } = record;
    if (heldItemId === null) return false;
    const decision = await this.unitOfWork.inTenant(tenantOf(record), (transaction) =>
      this.items.decision(transaction, heldItemId),
    );
    return decision?.resolution.action === 'accept';
  }
}
