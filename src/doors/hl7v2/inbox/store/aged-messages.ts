import { Injectable } from '@nestjs/common';
import { RetainedMessages, type Removed } from '../../../../core/erasure/retention-policy.js';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { MessageEncryption, SEAL_HEAD_BYTES } from '../../../../standards/hl7v2/encryption/message-encryption.js';

/** $1, $2: the tenant. Its patients on hold, with the rows that were joined into theirs. */
const HELD = `select coalesce(held.merged_into, held.id) from legal_holds hold join patients held on held.id = hold.patient_id
  where hold.organization_id = $1 and hold.environment = $2`;
const HELD_NUMBERS = `select distinct identifier.value from patient_identifiers identifier where identifier.patient_id in (${HELD})`;
const ANY_HELD = `select exists (${HELD}) as "isAnyHeld"`;
const HELD_ANALYSES = `select id from analysis_jobs where patient_id in (${HELD})
  union select report.job_id from reports report join wounds wound on wound.id = report.wound_id where wound.patient_id in (${HELD})`;
/** The most terms that are noted of a message: one with as many may have more. */
const MOST_TERMS = 64;
/** $3: before, $4: terms of patients on hold, $5: limit. Waiting and parked messages are kept. */
const OLD = (time: string, done: string): string =>
  `organization_id = $1 and environment = $2 and ${time} < $3 and state in (${done}) and not terms && $4::bytea[]`;
/** $6: whether anybody is on hold; $7: beginnings of what the keys open. Somebody could tell whose such a message is. */
const KNOWN = (content: string): string =>
  `cardinality(terms) between 1 and ${MOST_TERMS - 1} and (get_byte(${content}, 0) = 0 or substring(${content} for ${SEAL_HEAD_BYTES}) = any($7::bytea[]))`;
/** A refused message may have nothing but the number of an order, or name its patient where nobody looks. $8: analyses of patients on hold. */
const INBOUND_SPARED = `(state in ('failed', 'discarded', 'held') or not (${KNOWN('raw')}) or analysis_ids && $8::uuid[]
    or exists (select from hl7_orders kept where kept.inbound_id = hl7_inbound.id and kept.analysis_ids && $8::uuid[]))`;
/** Acknowledgments have no patient number: deleted with their message. */
const OUTBOUND_SPARED = `case kind when 'ack' then exists (select from hl7_inbound answered where answered.id = message.subject_id)
    else not (${KNOWN('message.message')}) or subject_id = any($8::uuid[])
      or exists (select from reports report where report.id = message.subject_id and report.job_id = any($8::uuid[])) end`;
/** Results of an order whose message is gone no longer repeat its fields. */
const INBOUND = `with old as (select id from hl7_inbound where ${OLD('received_at', `'processed', 'ignored', 'failed', 'discarded'`)}
      and not ($6 and ${INBOUND_SPARED}) order by id limit $5),
    orders as (delete from hl7_orders using old where inbound_id = old.id returning hl7_orders.id)
  select id from old`;
const REMOVE = 'delete from hl7_inbound where id = any($1) returning size_bytes as bytes, held_item as "heldItem"';
/** Nothing is kept under them any more. */
const REMOVE_AWAITED = `delete from held_awaited_numbers where item_id = any($1) and not exists (select from hl7_inbound where held_item = item_id)`;
const OUTBOUND = `delete from hl7_outbox where id in (select id from hl7_outbox message where ${OLD('created_at', `'delivered', 'discarded', 'collapsed', 'moved'`)}
    and not ($6 and ${OUTBOUND_SPARED})
    and not exists (select from hl7_outbox other where other.moved_to = message.id) order by id limit $5) returning size_bytes as bytes`;

/** Finished messages, by age. While any patient is on hold, messages without a known patient are kept. */
@Injectable()
export class AgedMessages extends RetainedMessages {
  constructor(private readonly encryption: MessageEncryption) {
    super();
  }

  async removeBefore(transaction: TenantTransaction, before: Date, limit: number): Promise<Removed> {
    const statements = statementsOf(transaction);
    const tenant = [transaction.tenant.organizationId, transaction.tenant.environment];
    const [anyHeld] = (await statements.run<{ isAnyHeld: boolean }>(ANY_HELD, tenant)).rows;
    const held = await statements.run<{ value: string }>(HELD_NUMBERS, tenant);
    const analyses = await statements.run<{ id: string }>(HELD_ANALYSES, tenant);
    const terms = this.encryption.terms
      .wanted(
        'patient',
        held.rows.map(({ value }) => value),
      )
      .flat();
    const heldAnalyses = analyses.rows.map(({ id }) => id);
    const values = [...tenant, before, terms, limit, anyHeld!.isAnyHeld, this.encryption.heads(), heldAnalyses];
    const old = await statements.run<{ id: string }>(INBOUND, values);
    const ids = old.rows.map(({ id }) => id);
    const inbound = await statements.run<{ bytes: number; heldItem: string | null }>(REMOVE, [ids]);
    const items = [...new Set(inbound.rows.flatMap(({ heldItem }) => heldItem ?? []))];
    if (items.length > 0) await statements.run(REMOVE_AWAITED, [items]);
    const outbound = await statements.run<{ bytes: number }>(OUTBOUND, values);
    const bytes = [...inbound.rows, ...outbound.rows].reduce((sum, row) => sum + row.bytes, 0);
    return { rows: inbound.rows.length + outbound.rows.length, bytes };
  }
}
