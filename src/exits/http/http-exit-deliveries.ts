import type {
  DeliveryExit,
  DeliveryFilter,
  ExitAttempt,
  ExitDelivery,
  FoundDelivery,
} from '../../core/deliveries/delivery-exit.js';
import { actsOf, toPastEvents, type KeptHistory } from '../kit/index.js';
import { isCanonicalUuid, type SystemStatements } from '../../platform/database/statements.js';
import type { HttpQueueDefinition } from './http-deliveries.js';

type Row = Omit<ExitDelivery, 'exit'>;

/** An exit over HTTP as operators see it: the part about its deliveries, over all tenants. */
export abstract class HttpExitDeliveries implements Pick<DeliveryExit, 'name' | 'named' | 'find' | 'list'> {
  private readonly sql: ReturnType<typeof statementsFor>;

  constructor(
    readonly name: string,
    definition: HttpQueueDefinition<unknown>,
    private readonly statements: SystemStatements,
  ) {
    this.sql = statementsFor(definition);
  }

  async named(id: string): Promise<ExitDelivery | null> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Row>(this.sql.named, [id])).rows[0] : undefined;
    return row === undefined ? null : this.toDelivery(row);
  }

  /** With its body and attempts, oldest first. */
  async find(id: string): Promise<FoundDelivery | null> {
    const delivery = await this.named(id);
    if (delivery === null) return null;
    const { rows } = await this.statements.run<{ body: Buffer; history: KeptHistory }>(this.sql.body, [id]);
    const log = (await this.statements.run<ExitAttempt>(this.sql.attempts, [id])).rows;
    const acts = actsOf(toPastEvents(rows[0]?.history ?? []));
    return { delivery, body: rows[0]?.body.toString('utf8') ?? '', log, acts };
  }

  /** Newest first. */
  async list(
    { endpointId, organizationId, environment, state }: DeliveryFilter,
    limit: number,
  ): Promise<ExitDelivery[]> {
    if ([endpointId, organizationId].some((id) => id !== undefined && !isCanonicalUuid(id))) return [];
    const wanted = [endpointId, organizationId, environment, state].map((value) => value ?? null);
    return (await this.statements.run<Row>(this.sql.list, [...wanted, limit])).rows.map((row) => this.toDelivery(row));
  }

  private toDelivery(row: Row): ExitDelivery {
    return { exit: this.name, ...row };
  }
}

function statementsFor({ deliveries, attempts, endpointId }: HttpQueueDefinition<unknown>) {
  const columns = `id, ${endpointId} as "endpointId", organization_id as "organizationId", environment, type, state, attempts,
  coalesce(fault, case when state <> 'delivered' then status_code::text end) as fault, created_at as "createdAt",
  case when state = 'waiting' then next_at end as "nextAt", delivered_at as "deliveredAt"`;
  return {
    named: `select ${columns} from ${deliveries} where id = $1`,
    body: `select body, history from ${deliveries} where id = $1`,
    list: `select ${columns} from ${deliveries} where ($1::uuid is null or ${endpointId} = $1)
  and ($2::uuid is null or organization_id = $2) and ($3::text is null or environment = $3) and ($4::text is null or state = $4)
  order by id desc limit $5`,
    attempts: `select at, delivered, status_code::text as answer, fault from ${attempts} where delivery_id = $1 order by id`,
  };
}
