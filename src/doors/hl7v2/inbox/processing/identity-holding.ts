import { Injectable } from '@nestjs/common';
import { Outbox } from '../../../../core/domain-events/outbox.js';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { HeldItems, type HeldDecision, type NewHeldItem } from '../../../../core/held/held-items.js';
import { NOTHING_CAME } from '../../../../core/held/held-item.js';
import { IDENTITY_WAITS_FOR } from '../../../../core/held/identity-conflicts.js';
import { UnknownAuthorities } from '../../../../core/held/unknown-authorities.js';
import { IdSource } from '../../../../core/ports/id-source.js';
import { UnitOfWork, type TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import type { PlanConflict, UnsureNumber } from '../../mapping/plan/inbound-plan.js';
import { keyOf } from '../../mapping/reading/identifiers.js';
import type { SettledIdentity } from '../../mapping/reading/message-reading.js';
import { HeldMessages } from '../store/held-messages.js';
import type { InboundRecord } from '../store/inbound-record.js';

/** A person has to decide, or `behind`: has decided, and earlier messages of that item go first. */
export interface WaitsForDecision {
  readonly conflict: PlanConflict;
  readonly behind: string | null;
  /** A decision that did not help, since it leads to the same conflict; null: there is none. */
  readonly considered: string | null;
}

/** What was found of decisions: more than was known, or what still waits for one. */
type Found = { readonly settled: SettledIdentity } | { readonly waits: WaitsForDecision };

/** Messages about people whom the record knows otherwise: what was decided about them, and where they wait. */
@Injectable()
export class IdentityHolding {
  constructor(
    private readonly items: HeldItems,
    private readonly messages: HeldMessages,
    private readonly outbox: Outbox,
    private readonly ids: IdSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly unknown: UnknownAuthorities,
  ) {}

  /** Holds a message until somebody has said whose the numbers of its facility are. `fhir.version_conflict` where somebody has meanwhile. */
  ask(transaction: TenantTransaction, { id }: InboundRecord, unsure: UnsureNumber): Promise<string> {
    return this.unknown.hold(transaction, { ...unsure, messageId: id });
  }

  lookUp(record: InboundRecord, conflicts: readonly PlanConflict[], known: SettledIdentity): Promise<Found> {
    return this.unitOfWork.inTenant(tenantOf(record), async (transaction) => {
      const same = new Set(known.same);
      const authorities = new Map(known.authorities);
      for (const conflict of conflicts) {
        const decision = await this.decisionAbout(transaction, record, conflict);
        if (decision === null) return { waits: { conflict, behind: null, considered: null } };
        const { itemId, resolution } = decision;
        const isOwn = itemId === record.heldItemId;
        if (!isOwn && (await this.messages.hasEarlier(transaction, itemId, record.id)))
          return { waits: { conflict, behind: itemId, considered: null } };
        if (resolution.action === 'same') same.add(hexOf(conflict.key));
        else for (const number of conflict.numbers) authorities.set(keyOf(number), resolution.authority ?? '');
      }
      // What was decided leads to this conflict again: somebody has to look once more.
      if (same.size + authorities.size === known.same.size + known.authorities.size) {
        const conflict = conflicts[0]!;
        const standing = await this.items.standing(transaction, conflict.key);
        return { waits: { conflict, behind: null, considered: standing?.itemId ?? null } };
      }
      return { settled: { ...known, same, authorities } };
    });
  }

  /** Holds the message; answers for what it waits. `fhir.version_conflict` where somebody has decided meanwhile. */
  async hold(
    transaction: TenantTransaction,
    { id }: InboundRecord,
    { conflict, behind, considered }: WaitsForDecision,
  ): Promise<string> {
    if (behind !== null) {
      // It is worked off behind those that this releases, too.
      await this.outbox.append(transaction, { kind: 'held.settled', subjectId: behind });
      return behind;
    }
    const item: NewHeldItem = {
      id: this.ids.next(),
      reason: 'identity_conflict',
      door: 'hl7v2',
      key: conflict.key,
      came: { ...NOTHING_CAME, messageIds: [id], patientIds: [conflict.patientId] },
      waitsFor: IDENTITY_WAITS_FOR,
      actions: ['same', 'another', 'discard'],
    };
    const held = await this.items.hold(transaction, item, considered);
    if (typeof held === 'string') return held;
    throw new SuturaError('fhir.version_conflict');
  }

  /** `same` counts for the messages that it was decided about; another person is another one in later messages, too. */
  private async decisionAbout(
    transaction: TenantTransaction,
    { heldItemId }: InboundRecord,
    { key }: PlanConflict,
  ): Promise<HeldDecision | null> {
    const own = heldItemId === null ? null : await this.items.decision(transaction, heldItemId);
    const isOwn = own !== null && own.key !== null && hexOf(own.key) === hexOf(key);
    if (isOwn && own.resolution.action !== 'discard') return own;
    return this.items.standing(transaction, key);
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
