import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../core/ports/id-source.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { messageTerms } from '../../encryption/message-terms.js';
import { MessageEncryption } from '../../encryption/message-encryption.js';
import type { Hl7Destination } from '../hl7-destination.js';
import { RESULTS_OUT_CHANNEL, type NewMessage } from './outbound-message.js';

/** Holds the destination's row until the commit: numbers are given in the order of the commits. No row: the destination was deleted meanwhile. */
const LOCK_SENDER = `insert into hl7_senders (destination_id, organization_id, environment)
  select id, $2, $3 from hl7_destinations where id = $1 and deleted_at is null
  on conflict (destination_id) do update set last_number = hl7_senders.last_number returning last_number`;
const KNOWN = 'select from hl7_outbox where destination_id = $1 and subject_id = $2 and version = $3';
const COUNT = 'update hl7_senders set last_number = last_number + 1 where destination_id = $1 returning last_number';
const INSERT = `insert into hl7_outbox (id, destination_id, organization_id, environment, number, control_id, kind, subject_id, version, lane,
    preliminary, image_ids, terms, message, size_bytes, state, next_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'waiting', sutura_now(), sutura_now())`;
const COLLAPSE = `update hl7_outbox set state = 'collapsed'
  where destination_id = $1 and subject_id = $2 and version < $3 and preliminary and state = 'waiting' and (unsent or attempts = 0)`;
const LAST_VERSION =
  'select coalesce(max(version), 0)::int as version from hl7_outbox where destination_id = $1 and subject_id = $2';

/** Puts messages into the outbox, each with the number that makes its MSH-10. */
@Injectable()
export class OutboundQueue {
  constructor(
    private readonly vault: MessageEncryption,
    private readonly ids: IdSource,
  ) {}

  /**
   * Writes the messages, in their order, with the caller's change; senders hear of them at the commit. A message whose subject and version
   * the destination has already is passed over. With the destination's setting `collapse` a final result takes the place of preliminary ones
   * that were never sent. Answers how many were written; none for a destination that was deleted. Lock several destinations in the order of their ids.
   */
  async enqueue(
    transaction: Transaction,
    destination: Pick<Hl7Destination, keyof Tenant | 'id' | 'settings'>,
    messages: readonly NewMessage[],
  ): Promise<number> {
    const { id, organizationId, environment } = destination;
    const statements = statementsOf(transaction);
    if ((await statements.run(LOCK_SENDER, [id, organizationId, environment])).rows.length === 0) return 0;
    let written = 0;
    for (const message of messages) {
      if ((await statements.run(KNOWN, [id, message.subjectId, message.version])).rows.length > 0) continue;
      await this.insert(transaction, destination, message);
      written += 1;
    }
    if (written > 0) await statements.run('select pg_notify($1, $2)', [RESULTS_OUT_CHANNEL, id]);
    return written;
  }

  /** The highest version of the subject that the destination has been given; 0: none. */
  async lastVersion(transaction: Transaction, destinationId: string, subjectId: string): Promise<number> {
    const { rows } = await statementsOf(transaction).run<{ version: number }>(LAST_VERSION, [destinationId, subjectId]);
    return rows[0]!.version;
  }

  private async insert(
    transaction: Transaction,
    destination: Pick<Hl7Destination, keyof Tenant | 'id' | 'settings'>,
    message: NewMessage,
  ): Promise<void> {
    const { id: destinationId, organizationId, environment, settings } = destination;
    const { kind, subjectId, version, lane, preliminary, imageIds } = message;
    const statements = statementsOf(transaction);
    const { rows } = await statements.run<{ last_number: string }>(COUNT, [destinationId]);
    const number = Number(rows[0]!.last_number);
    const controlId = controlIdOf(number);
    const bytes = message.build(controlId);
    const id = this.ids.next();
    const sealed = this.vault.seal(bytes, id);
    await statements.run(INSERT, [
      id,
      destinationId,
      organizationId,
      environment,
      number,
      controlId,
      kind,
      subjectId,
      version,
      lane,
      preliminary,
      imageIds,
      messageTerms(this.vault, bytes),
      sealed,
      bytes.length,
    ]);
    if (settings.collapse && !preliminary) await statements.run(COLLAPSE, [destinationId, subjectId, version]);
  }
}

/** MSH-10: at most 20 characters in every version, the same on every repeat. */
export function controlIdOf(number: number): string {
  return `SUT-${String(number).padStart(9, '0')}`;
}
