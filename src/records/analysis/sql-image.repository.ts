import { Injectable } from '@nestjs/common';
import type { ImageRecord } from '../../core/images/image.js';
import { ImageRepository, type StoredUpload } from '../../core/images/image.repository.js';
import type { Transaction, TenantTransaction, SystemTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid, readTwice, SystemStatements, toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** An ImageRecord each. Named one by one, as the result of a prepared statement must not change when a migration adds a column. */
const COLUMNS = `id, organization_id as "organizationId", environment, patient_id as "patientId", status, origin, awaited,
  json_build_object('contentType', announced_content_type, 'contentLength', announced_content_length, 'sha256', announced_sha256) as announced,
  max_bytes::float8 as "maxBytes", upload_expires_at as "uploadExpiresAt", object_key as "objectKey", size_bytes::float8 as "sizeBytes", sha256, verdict,
  created_at as "createdAt", stored_at as "storedAt", deleted_at as "deletedAt"`;
const SELECT = `select ${COLUMNS} from images`;
const INSERT = `insert into images (id, organization_id, environment, patient_id, status, announced_content_type, announced_content_length,
    announced_sha256, max_bytes, upload_expires_at, object_key, created_at, origin, awaited,
    size_bytes, sha256, verdict)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`;
const OWN = 'id = $1 and organization_id = $2 and environment = $3';
const BY_DIGEST = `select id from images where sha256 = $1 and status = 'stored' and organization_id = $2 and environment = $3 order by id limit $4`;
const FORGOTTEN = `${SELECT} where status = 'awaiting_upload' and origin <> 'upload' and upload_expires_at < (select sutura_now())
  order by upload_expires_at limit $1 for update skip locked`;

/**
 * A day longer than the address lives. A store that takes uploads itself may have the bytes, and they are looked at
 * late.
 */
const UNUSED = `${SELECT} where status = 'awaiting_upload' and origin = 'upload' and not awaited and upload_expires_at < (select sutura_now()) - interval '1 day'
  order by upload_expires_at limit $1`;
const KEPT = `select ((select coalesce(sum(size_bytes), 0) from images where organization_id = $1 and status = 'stored')
  + (select coalesce(sum(size_bytes), 0) from attachments where organization_id = $1)
  + (select coalesce(sum(octet_length(content)), 0) from held_requests where organization_id = $1 and content is not null))::float8 as bytes`;

@Injectable()
export class SqlImageRepository extends ImageRepository {
  constructor(private readonly systemStatements: SystemStatements) {
    super();
  }

  /** Sent with what follows: nothing is read back of a row with an id of its own. */
  insert(transaction: TenantTransaction, image: ImageRecord): Promise<void> {
    const values = [
      image.id,
      image.organizationId,
      image.environment,
      image.patientId,
      image.status,
      image.announced.contentType,
      image.announced.contentLength,
      image.announced.sha256,
      image.maxBytes,
      image.uploadExpiresAt,
      image.objectKey,
      image.createdAt,
      image.origin,
      image.awaited,
      image.sizeBytes,
      image.sha256,
      toJsonb(image.verdict),
    ];
    statementsOf(transaction).sendPrepared(INSERT, values, (error) => error);
    return Promise.resolve();
  }

  find(transaction: TenantTransaction, imageId: string): Promise<ImageRecord | null> {
    return this.select(transaction, `${SELECT} where ${OWN}`, imageId, transaction.tenant);
  }

  async listByDigest(transaction: TenantTransaction, sha256: string, limit: number): Promise<string[]> {
    const { organizationId, environment } = transaction.tenant;
    const values = [sha256, organizationId, environment, limit];
    const { rows } = await statementsOf(transaction).run<{ readonly id: string }>(BY_DIGEST, values);
    return rows.map(({ id }) => id);
  }

  findForUse(transaction: TenantTransaction, imageId: string): Promise<ImageRecord | null> {
    return this.select(transaction, `${SELECT} where ${OWN} for key share`, imageId, transaction.tenant);
  }

  findForUpdate(transaction: TenantTransaction, imageId: string): Promise<ImageRecord | null> {
    return this.select(transaction, `${SELECT} where ${OWN} for update`, imageId, transaction.tenant);
  }

  findForWaiting(transaction: TenantTransaction, imageId: string): Promise<ImageRecord | null> {
    // Does not conflict with the key-share locks of rows that refer to the image, which would deadlock with `for update`.
    return this.select(transaction, `${SELECT} where ${OWN} for no key update`, imageId, transaction.tenant);
  }

  async readAnywhere(imageId: string): Promise<ImageRecord | null> {
    if (!isCanonicalUuid(imageId)) return null;
    const read = () => this.systemStatements.runPrepared<ImageRecord>(`${SELECT} where id = $1`, [imageId]);
    return (await readTwice(read)).rows[0] ?? null;
  }

  async markStored(
    transaction: TenantTransaction,
    imageId: string,
    upload: StoredUpload,
  ): Promise<Pick<ImageRecord, 'awaited'> | null> {
    const update = `update images set status = 'stored', size_bytes = $4, sha256 = $5, verdict = $6, stored_at = sutura_now()
      where ${OWN} and status = 'awaiting_upload' returning awaited`;
    const values = [...ownRow(transaction.tenant, imageId), upload.sizeBytes, upload.sha256, toJsonb(upload.verdict)];
    const { rows } = await statementsOf(transaction).runPrepared<Pick<ImageRecord, 'awaited'>>(update, values);
    return rows[0] ?? null;
  }

  async assignPatient(transaction: TenantTransaction, imageId: string, patientId: string): Promise<void> {
    await statementsOf(transaction).runPrepared(`update images set patient_id = $4 where ${OWN}`, [
      ...ownRow(transaction.tenant, imageId),
      patientId,
    ]);
  }

  async markAwaited(transaction: TenantTransaction, imageId: string): Promise<void> {
    await statementsOf(transaction).run(
      `update images set awaited = true where ${OWN}`,
      ownRow(transaction.tenant, imageId),
    );
  }

  async findForgotten(transaction: SystemTransaction, limit: number): Promise<ImageRecord[]> {
    return (await statementsOf(transaction).run<ImageRecord>(FORGOTTEN, [limit])).rows;
  }

  async findUnused(transaction: SystemTransaction, limit: number): Promise<ImageRecord[]> {
    return (await statementsOf(transaction).run<ImageRecord>(UNUSED, [limit])).rows;
  }

  async bytesKept(transaction: SystemTransaction, organizationId: string): Promise<number> {
    return (await statementsOf(transaction).run<{ bytes: number }>(KEPT, [organizationId])).rows[0]!.bytes;
  }

  async markDeleted(transaction: TenantTransaction, imageId: string): Promise<void> {
    const update = `update images set status = 'deleted', deleted_at = sutura_now() where ${OWN} and status <> 'deleted'`;
    await statementsOf(transaction).run(update, ownRow(transaction.tenant, imageId));
  }

  private async select(
    transaction: Transaction,
    sql: string,
    imageId: string,
    tenant?: Tenant,
  ): Promise<ImageRecord | null> {
    if (!isCanonicalUuid(imageId)) return null;
    const values = tenant === undefined ? [imageId] : ownRow(tenant, imageId);
    return (await statementsOf(transaction).runPrepared<ImageRecord>(sql, values)).rows[0] ?? null;
  }
}

function ownRow(tenant: Tenant, imageId: string): unknown[] {
  return [imageId, tenant.organizationId, tenant.environment];
}
