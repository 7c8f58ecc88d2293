import { Injectable } from '@nestjs/common';
import type { AnalysisRequest, AnalysisOptions, RequestChange } from '../../core/analysis/analysis-request.js';
import { AnalysisRequestRepository, type DueRequest } from '../../core/analysis/analysis-request.repository.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements, toJsonb } from '../../platform/database/statements.js';
import { StoredDocuments } from '../../platform/database/stored-documents.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** As JSON has it, with dates as text. */
interface StoredOptions extends Omit<AnalysisOptions, 'capturedAt'> {
  readonly capturedAt: string | null;
}

const STORED_OPTIONS = new StoredDocuments<StoredOptions>('order', []);

interface RequestRow extends Omit<AnalysisRequest, 'options'> {
  /** In the form of the release that wrote `wishVersion`. */
  readonly wish: unknown;
  readonly wishVersion: number;
}

const INSERT = `insert into analysis_requests (id, organization_id, environment, order_key, image_id, wish, wish_version, state, error, retry_at, created_at, awaits_patient)
  values ($1, $2, $3, $4, $5, $6, ${STORED_OPTIONS.presentVersion}, $7, $8, $9, $10, $11)`;
/** Named one by one, as the result of a prepared statement must not change when a migration adds a column. */
const COLUMNS = `id, organization_id as "organizationId", environment, order_key as "orderKey", image_id as "imageId", wish, wish_version as "wishVersion", state,
  awaits_patient as "awaitsPatient", error, retry_at as "retryAt", created_at as "createdAt"`;
const OF_TENANT = `select ${COLUMNS} from analysis_requests where organization_id = $1 and environment = $2`;
const FIND = `${OF_TENANT} and id = $3`;
const TAKE_DUE = `with due as (
    select request.id from analysis_requests request join images image on image.id = request.image_id
      where request.state = 'waiting' and request.image_id is not null and not request.awaits_patient and request.retry_at <= (select sutura_now())
        and ($3 or image.status <> 'awaiting_upload')
      order by request.retry_at limit $1 for update of request skip locked)
  update analysis_requests request
    set retry_at = sutura_now() + greatest(make_interval(secs => $2), least(interval '1 hour', (sutura_now() - request.created_at) / 10))
    from due where request.id = due.id
    returning request.id, request.image_id as "imageId",
      json_build_object('organizationId', request.organization_id, 'environment', request.environment) as tenant`;

@Injectable()
export class SqlAnalysisRequestRepository extends AnalysisRequestRepository {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async insert(transaction: TenantTransaction, request: AnalysisRequest): Promise<void> {
    await statementsOf(transaction).runPrepared(INSERT, [
      request.id,
      request.organizationId,
      request.environment,
      request.orderKey,
      request.imageId,
      toJsonb(request.options),
      request.state,
      toJsonb(request.error),
      request.retryAt,
      request.createdAt,
      request.awaitsPatient,
    ]);
  }

  find(transaction: TenantTransaction, id: string): Promise<AnalysisRequest | null> {
    return this.one(transaction, FIND, transaction.tenant, id);
  }

  findForUpdate(transaction: TenantTransaction, id: string): Promise<AnalysisRequest | null> {
    return this.one(transaction, `${FIND} for update`, transaction.tenant, id);
  }

  listOfOrder(transaction: TenantTransaction, orderKey: string): Promise<AnalysisRequest[]> {
    return this.many(
      transaction,
      `${OF_TENANT} and order_key = $3 order by created_at, id`,
      transaction.tenant,
      orderKey,
    );
  }

  listOfImage(transaction: TenantTransaction, imageId: string): Promise<AnalysisRequest[]> {
    if (!isCanonicalUuid(imageId)) return Promise.resolve([]);
    return this.many(
      transaction,
      `${OF_TENANT} and image_id = $3 order by created_at, id`,
      transaction.tenant,
      imageId,
    );
  }

  async update(transaction: TenantTransaction, id: string, change: RequestChange): Promise<void> {
    const { tenant } = transaction;
    const values: unknown[] = [id, tenant.organizationId, tenant.environment];
    const assignments = [
      ...(change.orderKey === undefined ? [] : [`order_key = $${values.push(change.orderKey)}`]),
      ...(change.imageId === undefined ? [] : [`image_id = $${values.push(change.imageId)}`]),
      ...(change.options === undefined
        ? []
        : [`wish = $${values.push(toJsonb(change.options))}, wish_version = ${STORED_OPTIONS.presentVersion}`]),
      ...(change.state === undefined ? [] : [`state = $${values.push(change.state)}`]),
      ...(change.awaitsPatient === undefined ? [] : [`awaits_patient = $${values.push(change.awaitsPatient)}`]),
      ...(change.retryAt === undefined ? [] : [`retry_at = $${values.push(change.retryAt)}`]),
      ...(change.error === undefined ? [] : [`error = $${values.push(toJsonb(change.error))}`]),
    ];
    if (assignments.length === 0) return;
    await statementsOf(transaction).run(
      `update analysis_requests set ${assignments.join(', ')} where id = $1 and organization_id = $2 and environment = $3`,
      values,
    );
  }

  async postpone(transaction: TenantTransaction, id: string, delayS: number): Promise<void> {
    const { tenant } = transaction;
    const update = `update analysis_requests set retry_at = sutura_now() + make_interval(secs => $4) where id = $1 and organization_id = $2 and environment = $3`;
    await statementsOf(transaction).run(update, [id, tenant.organizationId, tenant.environment, delayS]);
  }

  async takeDue(limit: number, lendS: number, alsoAwaiting: boolean): Promise<DueRequest[]> {
    return (await this.statements.run<DueRequest>(TAKE_DUE, [limit, lendS, alsoAwaiting])).rows;
  }

  private async one(
    transaction: TenantTransaction,
    sql: string,
    tenant: Tenant,
    id: string,
  ): Promise<AnalysisRequest | null> {
    if (!isCanonicalUuid(id)) return null;
    return (await this.many(transaction, sql, tenant, id))[0] ?? null;
  }

  private async many(
    transaction: TenantTransaction,
    sql: string,
    tenant: Tenant,
    key: string,
  ): Promise<AnalysisRequest[]> {
    const { rows } = await statementsOf(transaction).runPrepared<RequestRow>(sql, [
      tenant.organizationId,
      tenant.environment,
      key,
    ]);
    return rows.map(toRequest);
  }
}

function toRequest({ wish, wishVersion, ...request }: RequestRow): AnalysisRequest {
  const options = STORED_OPTIONS.read(wish, wishVersion);
  return {
    ...request,
    options: { ...options, capturedAt: options.capturedAt === null ? null : new Date(options.capturedAt) },
  };
}
