import { Injectable } from '@nestjs/common';
import { HeldRequests, RequestSeal, type HeldRequest, type HeldRequestState } from '../../core/held/held-requests.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const KEEP = `insert into held_requests (organization_id, environment, item_id, content) values ($1, $2, $3, $4) on conflict (item_id) do nothing`;
const TAKE = `select content from held_requests where organization_id = $1 and environment = $2 and item_id = $3 and answer is null for update`;
const FINISH = `update held_requests set content = null, answer = $4 where organization_id = $1 and environment = $2 and item_id = $3`;
const STATE = `select item.id as "itemId", item.resolution, request.answer from held_items item join held_requests request on request.item_id = item.id
  where item.organization_id = $1 and item.environment = $2 and item.key = $3 order by item.since desc, item.id desc limit 1`;

@Injectable()
export class SqlHeldRequests extends HeldRequests {
  constructor(private readonly sealing: RequestSeal) {
    super();
  }

  async keep(transaction: TenantTransaction, itemId: string, request: HeldRequest): Promise<void> {
    const sealed = this.sealing.seal(Buffer.from(JSON.stringify(request)), itemId);
    await statementsOf(transaction).run(KEEP, [...placeOf(transaction, itemId), Buffer.from(sealed)]);
  }

  async take(transaction: TenantTransaction, itemId: string): Promise<HeldRequest | null> {
    const place = placeOf(transaction, itemId);
    const row = (await statementsOf(transaction).run<{ content: Buffer }>(TAKE, place)).rows[0];
    if (row === undefined) return null;
    return JSON.parse(Buffer.from(this.sealing.open(row.content, itemId)).toString('utf8')) as HeldRequest;
  }

  async finish(transaction: TenantTransaction, itemId: string, answer: unknown): Promise<void> {
    await statementsOf(transaction).run(FINISH, [...placeOf(transaction, itemId), toJsonb(answer)]);
  }

  async state(transaction: TenantTransaction, key: Uint8Array): Promise<HeldRequestState | null> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, Buffer.from(key)];
    return (await statementsOf(transaction).run<HeldRequestState>(STATE, values)).rows[0] ?? null;
  }
}

function placeOf({ tenant: { organizationId, environment } }: TenantTransaction, itemId: string): readonly string[] {
  return [organizationId, environment, itemId];
}
