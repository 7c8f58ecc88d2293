import { Injectable } from '@nestjs/common';
import {
  PatientDataEraser,
  PatientDataErasers,
  type ErasedData,
  type Numberings,
  type UnannouncedData,
  type UnannouncedNumber,
} from '../../../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../../../core/erasure/patient-record.js';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { spelledSystem } from '../../../../core/patients/authority-forms.js';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { MessageEncryption, SEAL_HEAD_BYTES } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import { UnannouncedMessages, WAITS } from './unannounced-messages.js';

/** The most messages in memory at once: each may be of the largest size. */
const AT_ONCE = 8;
const RETRY_AFTER_S = 5;
const MINE = 'organization_id = $1 and environment = $2';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const HEADS = `select distinct substring(raw for ${SEAL_HEAD_BYTES}) as head from hl7_inbound where ${MINE}
  union select distinct substring(message for ${SEAL_HEAD_BYTES}) from hl7_outbox where ${MINE}`;
const BY_TERM = `select id from hl7_inbound where ${MINE} and terms <> '{}' and terms && $3::bytea[]`;
const BY_ANALYSIS = `select id from hl7_inbound where ${MINE} and analysis_ids && $3::uuid[]
  union select inbound_id from hl7_orders where ${MINE} and analysis_ids && $3::uuid[]`;
/** What could not be read when it came, or came before its numbers were noted. */
const WITHOUT_TERMS = `select id, raw from hl7_inbound where ${MINE} and terms = '{}' and id > $3 order by id limit ${AT_ONCE}`;
const IN_STATE = `select exists (select from hl7_inbound where id = any($1) and state = 'received') as "isInUse", exists (select from hl7_inbound where id = any($1) and state = 'held') as "isHeld"`;
/** What was held for a number of $3 and $4, also where somebody discarded it. */
const BY_ITEM = `select distinct message.id from held_awaited_numbers awaited
    join unnest($3::text[], $4::text[]) own (system, value) on own.system = awaited.system and own.value = awaited.value
    join hl7_inbound message on message.held_item = awaited.item_id
  where awaited.organization_id = $1 and awaited.environment = $2`;
/** Those of the messages $3 that were held for other numbers than $4 and $5: somebody else’s, who has one value with the patient. */
const OF_OTHERS = `select message.id from hl7_inbound message where ${MINE} and message.id = any($3)
  and exists (select from held_awaited_numbers awaited where awaited.item_id = message.held_item)
  and not exists (select from held_awaited_numbers awaited join unnest($4::text[], $5::text[]) own (system, value)
    on own.system = awaited.system and own.value = awaited.value where awaited.item_id = message.held_item)`;
/** Decisions about messages that are gone. */
const REMOVE_DECISIONS = `delete from held_items item where ${MINE} and id = any($3) and settled_at is not null
  and not exists (select from hl7_inbound message where message.held_item = item.id) returning id`;
/** What results would repeat: of the patient's analyses, and of orders whose message names nobody else. */
const REMOVE_ORDERS = `delete from hl7_orders where ${MINE} and (analysis_ids && $3::uuid[] or (analysis_ids = '{}' and inbound_id = any($4)))`;
const REMOVE_ANSWERS = `delete from hl7_outbox where ${MINE} and kind = 'ack' and subject_id = any($3)`;
const REMOVE = `delete from hl7_inbound where ${MINE} and id = any($3) and not exists (select from hl7_orders where inbound_id = hl7_inbound.id) returning size_bytes as bytes, held_item as "heldItem"`;
/** A message that also brought another patient's order stays as a row, without its words. */
const EMPTY = `update hl7_inbound set raw = $4, files = null, ack = null, terms = '{}', problems = '[]', file_digests = '{}', said_versions = '{}' where ${MINE} and id = $3 returning size_bytes as bytes`;

interface IdRow {
  readonly id: string;
}

/**
 * Messages that came in about a patient: by their analyses, by the numbers of the patient that no other patient has, and, where nothing was noted of a
 * message, by its bytes. A message goes whole. One that has only a number of several patients is left for an operator.
 */
@Injectable()
export class PatientMessagesEraser extends PatientDataEraser {
  private readonly ofNobody: UnannouncedMessages;

  constructor(
    private readonly encryption: MessageEncryption,
    erasers: PatientDataErasers,
  ) {
    super();
    this.ofNobody = new UnannouncedMessages(encryption);
    erasers.declare(this);
  }

  override numberings(transaction: TenantTransaction, value: string): Promise<Numberings> {
    return this.ofNobody.numberings(transaction, value);
  }

  override unannounced(transaction: TenantTransaction, number: UnannouncedNumber): Promise<UnannouncedData> {
    return this.ofNobody.find(transaction, number);
  }

  override async refuseInUse(transaction: TenantTransaction, patient: ErasedPatient): Promise<void> {
    const { own } = await this.find(transaction, patient);
    const { rows } = await statementsOf(transaction).run<{ isInUse: boolean; isHeld: boolean }>(IN_STATE, [own]);
    if (rows[0]!.isInUse) throw new SuturaError('patient.in_use', { retryAfterS: RETRY_AFTER_S });
    if (rows[0]!.isHeld) throw new SuturaError('patient.in_use', { detail: WAITS });
  }

  /** `hl7.sealed` where a message of the tenant was encrypted with a key that is not set: its patient is unknown. */
  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData> {
    const statements = statementsOf(transaction);
    const tenant = tenantValues(patient);
    const heads = await statements.run<{ head: Buffer }>(HEADS, tenant);
    if (heads.rows.some(({ head }) => !this.encryption.hasKeyOf(head))) throw new SuturaError('hl7.sealed');
    const { own, shared } = await this.find(transaction, patient);
    await statements.run(REMOVE_ORDERS, [...tenant, analysesOf(patient), own]);
    await statements.run(REMOVE_ANSWERS, [...tenant, own]);
    const removed = await statements.run<{ bytes: number; heldItem: string | null }>(REMOVE, [...tenant, own]);
    const items = [...new Set(removed.rows.flatMap(({ heldItem }) => heldItem ?? []))];
    const decisions = await statements.run<IdRow>(REMOVE_DECISIONS, [...tenant, items]);
    const left = await statements.run<IdRow>(`select id from hl7_inbound where id = any($1)`, [own]);
    const bytes = removed.rows.map((row) => row.bytes);
    for (const { id } of left.rows) bytes.push(await this.empty(transaction, patient, id));
    return {
      counts: [
        { what: 'HL7 v2 messages in', rows: bytes.length, bytes: bytes.reduce((sum, one) => sum + one, 0) },
        { what: 'decisions about what was held', rows: decisions.rows.length, bytes: 0 },
      ],
      leftMessages: shared,
    };
  }

  private async find(
    transaction: TenantTransaction,
    patient: ErasedPatient,
  ): Promise<{ readonly own: readonly string[]; readonly shared: readonly string[] }> {
    const statements = statementsOf(transaction);
    const { words, sharedValues } = patient;
    const values = [...new Set(words.numbers.map(({ value }) => value))];
    const own = values.filter((value) => !sharedValues.includes(value));
    const ids = async (sql: string, searched: readonly unknown[]): Promise<string[]> =>
      (await statements.run<IdRow>(sql, [...tenantValues(patient), searched])).rows.map(({ id }) => id);
    const terms = (searched: readonly string[]): Buffer[] => this.encryption.terms.wanted('patient', searched).flat();
    const analysed = await ids(BY_ANALYSIS, analysesOf(patient));
    const named = await ids(BY_TERM, terms(own));
    const others = (await this.ofOthers(transaction, patient, named)).filter((id) => !analysed.includes(id));
    const found = new Set([
      ...analysed,
      ...named.filter((id) => !others.includes(id)),
      ...(patient.messageIds ?? []),
      ...(await this.unread(transaction, patient, own)),
      ...(await this.awaited(transaction, patient)),
    ]);
    const shared = [...others, ...(await ids(BY_TERM, terms(sharedValues)))].filter((id) => !found.has(id));
    return { own: [...found], shared: [...new Set(shared)] };
  }

  /** What was held for a number of the patient, of that very numbering. */
  private async awaited(transaction: TenantTransaction, patient: ErasedPatient): Promise<string[]> {
    const { numbers } = patient.words;
    const searched = [numbers.map(({ system }) => spelledSystem(system)), numbers.map(({ value }) => value)];
    const { rows } = await statementsOf(transaction).run<IdRow>(BY_ITEM, [...tenantValues(patient), ...searched]);
    return rows.map(({ id }) => id);
  }

  private async ofOthers(
    transaction: TenantTransaction,
    patient: ErasedPatient,
    messageIds: readonly string[],
  ): Promise<string[]> {
    const { numbers } = patient.words;
    const own = [numbers.map(({ system }) => spelledSystem(system)), numbers.map(({ value }) => value)];
    const searched = [...tenantValues(patient), messageIds, ...own];
    return (await statementsOf(transaction).run<IdRow>(OF_OTHERS, searched)).rows.map(({ id }) => id);
  }

  private async unread(
    transaction: TenantTransaction,
    patient: ErasedPatient,
    values: readonly string[],
  ): Promise<string[]> {
    if (values.length === 0) return [];
    const found: string[] = [];
    for (let after = FIRST_ID; ;) {
      const page = await statementsOf(transaction).run<{ id: string; raw: Buffer }>(WITHOUT_TERMS, [
        ...tenantValues(patient),
        after,
      ]);
      for (const { id, raw } of page.rows) {
        after = id;
        const bytes = this.encryption.open(raw, id);
        if (values.some((value) => bytes.includes(value) || bytes.includes(value, 0, 'latin1'))) found.push(id);
      }
      if (page.rows.length < AT_ONCE) return found;
    }
  }

  private async empty(transaction: TenantTransaction, patient: ErasedPatient, id: string): Promise<number> {
    const note = this.encryption.seal(Buffer.from('ERASED'), id);
    const { rows } = await statementsOf(transaction).run<{ bytes: number }>(EMPTY, [
      ...tenantValues(patient),
      id,
      note,
    ]);
    return rows[0]?.bytes ?? 0;
  }
}

function tenantValues({ tenant: { organizationId, environment } }: ErasedPatient): [string, string] {
  return [organizationId, environment];
}

/** A request keeps its id as an analysis. */
function analysesOf({ jobIds, requestIds }: ErasedPatient): string[] {
  return [...new Set([...jobIds, ...requestIds])];
}
