import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { UnitOfWork, type Transaction } from '../../../core/ports/unit-of-work.js';
import { isCanonicalUuid, SystemStatements } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { MessageEncryption } from '../../encryption/message-encryption.js';
import type { Hl7Destination } from '../hl7-destination.js';
import { RESULTS_OUT_CHANNEL, type NewMessage, type OutboundState } from './outbound-message.js';
import { OutboundQueue } from './outbound-queue.js';
import { NEWER_DELIVERED } from './outbox-rows.js';

/** Writes the bytes of a message for another destination, with that one's control id. */
export type Readdress = (bytes: Buffer, destination: Hl7Destination, controlId: string) => Buffer;

const FIND = `select message.state, message.destination_id as "destinationId", destination.deleted_at is not null as "isDeleted", message.message
  from hl7_outbox message join hl7_destinations destination on destination.id = message.destination_id where message.id = $1`;
const AGAIN = `update hl7_outbox message set message = coalesce($3, message), size_bytes = coalesce($4, size_bytes), state = 'waiting', next_at = sutura_now(), failures = 0, refusals = 0, application_code = null, parked_for = null
  where message.id = $1 and message.state = $2 and not ${NEWER_DELIVERED} returning message.id`;
const NOW = `update hl7_outbox set next_at = sutura_now(), failures = 0 where id = $1 and state = 'waiting' returning id`;
const PARK = `update hl7_outbox set state = 'parked', parked_for = 'operator' where id = $1 and state = 'waiting' returning id`;
const DISCARD = `update hl7_outbox set state = 'discarded' where id = $1 and state = 'parked' returning id`;
const TELL = 'select pg_notify($1, $2)';

const LOCK = `select state, kind, subject_id as "subjectId", version, lane, preliminary, image_ids as "imageIds", message, destination_id as "destinationId", organization_id as "organizationId", environment
  from hl7_outbox where id = $1 for update`;
const HAS_NEWER = `select from hl7_outbox where destination_id = $1 and subject_id = $2 and version > $3 and state in ('waiting', 'delivered', 'parked') limit 1`;
const MOVED = `update hl7_outbox set state = 'moved', parked_for = null,
    moved_to = (select id from hl7_outbox where destination_id = $2 and subject_id = $3 and version = $4) where id = $1 returning moved_to as "movedTo"`;

type Movable = Omit<NewMessage, 'build'> &
  Pick<Hl7Destination, 'organizationId' | 'environment'> & {
    readonly state: OutboundState;
    readonly destinationId: string;
    readonly message: Buffer;
  };

interface Found {
  readonly state: OutboundState;
  readonly destinationId: string;
  readonly isDeleted: boolean;
  readonly message: Buffer;
}

/** What a person does with single messages of the outbox. Over all tenants: never reached from a caller's key. All throw `hl7.message_not_found`. */
@Injectable()
export class OutboundControl {
  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: OutboundQueue,
    private readonly vault: MessageEncryption,
  ) {}

  /**
   * A parked message goes where it stood. `rewrite` makes its bytes what the destination wants by now; it keeps its control id.
   * `hl7.in_progress` where it waits, `hl7.not_parked`, `hl7.superseded`, `hl7.sealed`, `hl7.destination_deleted`.
   */
  requeue(id: string, rewrite: (bytes: Buffer) => Buffer = (bytes) => bytes): Promise<void> {
    return this.again(id, 'parked', rewrite);
  }

  /** A delivered message is sent once more, with its bytes. As `requeue`. */
  replay(id: string): Promise<void> {
    return this.again(id, 'delivered', (bytes) => bytes);
  }

  /** A waiting message is tried now, however long its pause or that of its destination is; it still waits for those before it. `hl7.not_waiting`. */
  async retryNow(id: string): Promise<void> {
    const { destinationId } = await this.find(id);
    await this.change(NOW, id, 'hl7.not_waiting');
    await this.statements.run(TELL, [RESULTS_OUT_CHANNEL, `${destinationId} now`]);
  }

  /** A waiting message steps aside; where it is being sent just now, its acknowledgment still counts. `hl7.not_waiting`. */
  async park(id: string): Promise<void> {
    const { destinationId } = await this.find(id);
    await this.change(PARK, id, 'hl7.not_waiting');
    await this.tell(destinationId);
  }

  /** A parked message is given up for good, sealed or not. `hl7.not_parked`. */
  async discard(id: string): Promise<void> {
    const { destinationId } = await this.find(id);
    await this.change(DISCARD, id, 'hl7.not_parked');
    await this.tell(destinationId);
  }

  /**
   * A waiting or parked message is given to another destination of its tenant instead, behind all that waits there. Answers its new id.
   * `hl7.destination_not_found`, `hl7.not_parked`, `hl7.sealed`, `hl7.superseded`, `hl7.already_there`.
   */
  move(id: string, destination: Hl7Destination, readdress: Readdress): Promise<string> {
    if (!isCanonicalUuid(id)) return Promise.reject(new SuturaError('hl7.message_not_found'));
    return this.unitOfWork.inSystem((transaction) => this.moveIn(transaction, id, destination, readdress));
  }

  /** As `move`, in a transaction that does more. */
  async moveIn(
    transaction: Transaction,
    id: string,
    destination: Hl7Destination,
    readdress: Readdress,
  ): Promise<string> {
    const statements = statementsOf(transaction);
    const found = (await statements.run<Movable>(LOCK, [id])).rows[0];
    if (found === undefined) throw new SuturaError('hl7.message_not_found');
    const { state, message, destinationId, organizationId, environment, ...kept } = found;
    if (
      destination.organizationId !== organizationId ||
      destination.environment !== environment ||
      destination.id === destinationId
    )
      throw new SuturaError('hl7.destination_not_found', {
        detail: 'The message can go to another destination of the same organization and environment.',
      });
    if (state !== 'parked' && state !== 'waiting') throw new SuturaError('hl7.not_parked');
    if ((await statements.run(HAS_NEWER, [destination.id, kept.subjectId, kept.version])).rows.length > 0)
      throw new SuturaError('hl7.superseded');
    const bytes = this.vault.open(message, id);
    const build = (controlId: string): Buffer => readdress(bytes, destination, controlId);
    if ((await this.queue.enqueue(transaction, destination, [{ ...kept, build }])) === 0)
      throw new SuturaError('hl7.already_there');
    const { rows } = await statements.run<{ movedTo: string }>(MOVED, [
      id,
      destination.id,
      kept.subjectId,
      kept.version,
    ]);
    await statements.run(TELL, [RESULTS_OUT_CHANNEL, destinationId]);
    return rows[0]!.movedTo;
  }

  private async again(id: string, from: 'parked' | 'delivered', rewrite: (bytes: Buffer) => Buffer): Promise<void> {
    const { state, destinationId, isDeleted, message } = await this.find(id);
    if (state === 'waiting') throw new SuturaError('hl7.in_progress');
    if (state !== from) throw new SuturaError('hl7.not_parked');
    if (isDeleted) throw new SuturaError('hl7.destination_deleted');
    const bytes = this.vault.open(message, id);
    const rewritten = rewrite(bytes);
    const changed = rewritten.equals(bytes) ? [null, null] : [this.vault.seal(rewritten, id), rewritten.length];
    if ((await this.statements.run(AGAIN, [id, from, ...changed])).rows[0] === undefined)
      throw new SuturaError('hl7.superseded');
    await this.tell(destinationId);
  }

  private async change(statement: string, id: string, otherwise: ErrorCode): Promise<void> {
    if ((await this.statements.run(statement, [id])).rows[0] === undefined) throw new SuturaError(otherwise);
  }

  private async tell(destinationId: string): Promise<void> {
    await this.statements.run(TELL, [RESULTS_OUT_CHANNEL, destinationId]);
  }

  private async find(id: string): Promise<Found> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Found>(FIND, [id])).rows[0] : undefined;
    if (row === undefined) throw new SuturaError('hl7.message_not_found');
    return row;
  }
}
