import type { Transaction, UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, type SystemStatements } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { BodyStore, DeliveryState, NewDelivery, WrittenDelivery } from './delivery.js';
import { noted, sentAgain } from './delivery-history.js';
import type { DeliveryQueue, QueuedEndpoint } from './delivery-queue.js';
import {
  forgottenAttempt,
  heldEndpoint,
  ownList,
  refusalOf,
  type QueueDefinition,
  type QueueRefusal,
} from './queue-definition.js';

/** Writes the body of a delivery for another endpoint, with that one's number. */
type Rewrite<Own> = (moved: Own & { readonly bytes: Buffer }, number: number) => WrittenDelivery;

interface Found {
  readonly state: DeliveryState;
  readonly endpointId: string;
  readonly isDeleted: boolean;
  readonly attempts: number;
  readonly body: Buffer;
}

type Movable = Omit<NewDelivery, 'write'> & Tenant & Omit<Found, 'isDeleted' | 'attempts'>;

/** What operators do with single deliveries, over all tenants: never reachable with a caller's key. All methods throw the queue's `notFound`. */
export class DeliveryControl<Own> {
  private readonly sql: ReturnType<typeof statementsFor>;

  constructor(
    private readonly definition: QueueDefinition<Own>,
    private readonly statements: SystemStatements,
    protected readonly unitOfWork: UnitOfWork,
    private readonly queue: DeliveryQueue<Own>,
    private readonly bodies: BodyStore,
  ) {
    this.sql = statementsFor(definition);
  }

  /**
   * Puts a parked delivery back in its place. `by`: who does it, as its history names them. `rewrite` adapts its bytes to the endpoint's present settings; the number stays.
   * `waits`, `notParked`, `superseded`, `sealed`, `endpointDeleted`.
   */
  requeue(id: string, by: string, rewrite: (bytes: Buffer) => Buffer = (bytes) => bytes): Promise<void> {
    return this.again(id, 'parked', by, { rewrite });
  }

  /** As `requeue`, as long as no attempt was made since it had so many: else `waits` or `notParked`. */
  requeueAsFound(
    { id, attempts }: { readonly id: string; readonly attempts: number },
    by: string,
    rewrite: (bytes: Buffer) => Buffer = (bytes) => bytes,
  ): Promise<void> {
    return this.again(id, 'parked', by, { rewrite, attempts });
  }

  /** Puts a parked delivery back in its place as it was made anew: other bytes, the same number. As `requeue`, in a transaction over all tenants. */
  async requeueIn(
    transaction: Transaction,
    id: string,
    by: string,
    { bytes, columns }: WrittenDelivery,
  ): Promise<void> {
    const { state, endpointId, isDeleted } = await this.find(id);
    if (state === 'waiting') throw this.refusal('waits');
    if (state !== 'parked') throw this.refusal('notParked');
    if (isDeleted) throw this.refusal('endpointDeleted');
    const written = { size_bytes: bytes.length, ...columns, [this.definition.body]: this.bodies.seal(bytes, id) };
    const values = [id, endpointId, by, ...Object.values<unknown>(written)];
    const { rows } = await statementsOf(transaction).run(this.sql.requeueAs(Object.keys(written), 4), values);
    if (rows[0] === undefined) throw this.refusal((await this.find(id)).isDeleted ? 'endpointDeleted' : 'superseded');
    await statementsOf(transaction).run(this.sql.notify, [this.definition.channel, endpointId]);
  }

  /** Sends a delivered one again, with the same bytes. As `requeue`. */
  replay(id: string, by: string): Promise<void> {
    return this.again(id, 'delivered', by, { rewrite: (bytes) => bytes });
  }

  /** Retries a waiting delivery now, ignoring pauses; it still waits for those before it. `notWaiting`. */
  retryNow(id: string, by: string): Promise<void> {
    return this.change(id, by, this.sql.now, 'notWaiting', ' now');
  }

  /** Parks a waiting delivery; if it is being sent just now, its answer still counts. `notWaiting`. */
  park(id: string, by: string): Promise<void> {
    return this.change(id, by, this.sql.park, 'notWaiting');
  }

  /** Discards a parked delivery, sealed or not. `notParked`. */
  discard(id: string, by: string): Promise<void> {
    return this.change(id, by, this.sql.discard, 'notParked');
  }

  /** Deliveries that wait or are parked for the endpoint, in their order. */
  async pending(
    transaction: Transaction,
    endpointId: string,
  ): Promise<readonly { readonly id: string; readonly state: 'waiting' | 'parked' }[]> {
    const { rows } = await statementsOf(transaction).run<{ id: string; state: 'waiting' | 'parked' }>(
      this.sql.pending,
      [endpointId],
    );
    return rows;
  }

  /** Parks everything that waits for the endpoint, for this reason. Returns how many. */
  async parkAll(transaction: Transaction, endpointId: string, reason: string): Promise<number> {
    return (await statementsOf(transaction).run(this.sql.parkAll, [endpointId, reason])).affected;
  }

  async discardAll(transaction: Transaction, endpointId: string): Promise<number> {
    return (await statementsOf(transaction).run(this.sql.discardAll, [endpointId])).affected;
  }

  /**
   * Moves a waiting or parked delivery to another endpoint of its tenant, at the end of the queue. Returns its new id.
   * `wrongEndpoint`, `notParked`, `sealed`, `superseded`, `alreadyThere`.
   */
  moveTo(id: string, by: string, endpoint: QueuedEndpoint, rewrite: Rewrite<Own>): Promise<string> {
    if (!isCanonicalUuid(id)) return Promise.reject(this.refusal('notFound'));
    return this.unitOfWork.inSystem((transaction) => this.moveToIn(transaction, id, by, endpoint, rewrite));
  }

  /** As `moveTo`, within a transaction. `by` null: the service, with its endpoint. */
  async moveToIn(
    transaction: Transaction,
    id: string,
    by: string | null,
    endpoint: QueuedEndpoint,
    rewrite: Rewrite<Own>,
  ): Promise<string> {
    const statements = statementsOf(transaction);
    const found = (await statements.run<Movable & Own>(this.sql.lock, [id])).rows[0];
    if (found === undefined) throw this.refusal('notFound');
    const { state, body, endpointId, organizationId, environment, subjectId, version, lane, preliminary } = found;
    const isTenants = endpoint.organizationId === organizationId && endpoint.environment === environment;
    if (!isTenants || endpoint.id === endpointId) throw this.refusal('wrongEndpoint');
    if (state !== 'parked' && state !== 'waiting') throw this.refusal('notParked');
    if ((await statements.run(this.sql.hasNewer, [endpoint.id, subjectId, version])).rows.length > 0)
      throw this.refusal('superseded');
    const bytes = this.bodies.open(body, id);
    const write = (number: number): WrittenDelivery => rewrite({ ...found, bytes }, number);
    const moved = { subjectId, version, lane, preliminary, write };
    if ((await this.queue.enqueue(transaction, endpoint, [moved])) === 0) throw this.refusal('alreadyThere');
    const { rows } = await statements.run<{ movedTo: string }>(this.sql.moved, [
      id,
      endpoint.id,
      subjectId,
      version,
      by,
    ]);
    await statements.run(this.sql.notify, [this.definition.channel, endpointId]);
    return rows[0]!.movedTo;
  }

  private async again(
    id: string,
    from: 'parked' | 'delivered',
    by: string,
    { rewrite, attempts }: { readonly rewrite: (bytes: Buffer) => Buffer; readonly attempts?: number },
  ): Promise<void> {
    const { endpointId, body } = await this.findAs(id, from, attempts);
    const bytes = this.bodies.open(body, id);
    const rewritten = rewrite(bytes);
    const changed = rewritten.equals(bytes)
      ? [null, null]
      : [this.bodies.seal(rewritten, id), rewritten.length - bytes.length];
    const values = [id, from, ...changed, endpointId, by, attempts ?? null];
    if ((await this.statements.run(this.sql.again, values)).rows[0] === undefined) {
      await this.findAs(id, from, attempts);
      throw this.refusal('superseded');
    }
    await this.notify(endpointId);
  }

  /** `waits`, `notParked`, `endpointDeleted`. */
  private async findAs(id: string, wanted: 'parked' | 'delivered', attempts: number | undefined): Promise<Found> {
    const found = await this.find(id);
    if (found.state === 'waiting') throw this.refusal('waits');
    if (found.state !== wanted || found.attempts !== (attempts ?? found.attempts)) throw this.refusal('notParked');
    if (found.isDeleted) throw this.refusal('endpointDeleted');
    return found;
  }

  private async change(id: string, by: string, statement: string, otherwise: QueueRefusal, atOnce = ''): Promise<void> {
    const { endpointId } = await this.find(id);
    if ((await this.statements.run(statement, [id, by])).rows[0] === undefined) throw this.refusal(otherwise);
    await this.notify(`${endpointId}${atOnce}`);
  }

  private async notify(payload: string): Promise<void> {
    await this.statements.run(this.sql.notify, [this.definition.channel, payload]);
  }

  private async find(id: string): Promise<Found> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Found>(this.sql.find, [id])).rows[0] : undefined;
    if (row === undefined) throw this.refusal('notFound');
    return row;
  }

  private refusal(reason: QueueRefusal): Error {
    return refusalOf(this.definition, reason);
  }
}

/** Who does it, in a statement about one delivery. */
const BY = `'by', $2::text`;

function statementsFor(definition: QueueDefinition<unknown>) {
  const { deliveries, endpoints, endpointId, body, laterCounts = "newer.state = 'delivered'" } = definition;
  /** An older version would overwrite a newer one at the receiver. */
  const newerDelivered = `exists (select from ${deliveries} newer where newer.${endpointId} = delivery.${endpointId} and newer.subject_id = delivery.subject_id
    and newer.version > delivery.version and ${laterCounts})`;
  return {
    find: `select delivery.state, delivery.${endpointId} as "endpointId", endpoint.deleted_at is not null as "isDeleted", delivery.attempts, delivery.${body} as body
      from ${deliveries} delivery join ${endpoints} endpoint on endpoint.id = delivery.${endpointId} where delivery.id = $1`,
    again: `with endpoint as (${heldEndpoint(definition, 5)}) update ${deliveries} delivery set ${body} = coalesce($3, ${body}), size_bytes = size_bytes + coalesce($4::int, 0), state = 'waiting', next_at = sutura_now(), failures = 0, refusals = 0, parked_for = null${forgottenAttempt(definition)},
        history = ${sentAgain(definition, '$6::text')}
      from endpoint where delivery.id = $1 and delivery.state = $2 and ($7::int is null or delivery.attempts = $7) and not ${newerDelivered} returning delivery.id`,
    requeueAs: (columns: readonly string[], first: number): string =>
      `with endpoint as (${heldEndpoint(definition, 2)}) update ${deliveries} delivery set ${columns.map((column, index) => `${column} = $${first + index}`).join(', ')}, state = 'waiting', next_at = sutura_now(), failures = 0, refusals = 0, parked_for = null${forgottenAttempt(definition)},
        history = ${sentAgain(definition, '$3::text')}
      from endpoint where delivery.id = $1 and delivery.state = 'parked' and not ${newerDelivered} returning delivery.id`,
    now: `update ${deliveries} set next_at = sutura_now(), failures = 0, history = ${noted('retried', BY)} where id = $1 and state = 'waiting' returning id`,
    park: `update ${deliveries} set state = 'parked', parked_for = 'operator', history = ${noted('parked', `'parkedFor', 'operator', ${BY}`)} where id = $1 and state = 'waiting' returning id`,
    discard: `update ${deliveries} set state = 'discarded', history = ${noted('discarded', BY)} where id = $1 and state = 'parked' returning id`,
    pending: `select id, state from ${deliveries} where ${endpointId} = $1 and state in ('waiting', 'parked') order by number`,
    parkAll: `update ${deliveries} set state = 'parked', parked_for = $2, history = ${noted('parked', "'parkedFor', $2::text")} where ${endpointId} = $1 and state in ('waiting', 'parked')`,
    discardAll: `update ${deliveries} set state = 'discarded', history = ${noted('discarded')} where ${endpointId} = $1 and state in ('waiting', 'parked')`,
    lock: `select state, subject_id as "subjectId", version, lane, preliminary, ${body} as body, ${endpointId} as "endpointId", organization_id as "organizationId", environment${ownList(definition)}
      from ${deliveries} delivery where id = $1 for update`,
    hasNewer: `select from ${deliveries} where ${endpointId} = $1 and subject_id = $2 and version > $3 and state in ('waiting', 'delivered', 'parked') limit 1`,
    moved: `update ${deliveries} set state = 'moved', parked_for = null, history = ${noted('moved', "'by', $5::text")},
        moved_to = (select id from ${deliveries} where ${endpointId} = $2 and subject_id = $3 and version = $4) where id = $1 returning moved_to as "movedTo"`,
    notify: 'select pg_notify($1, $2)',
  };
}
