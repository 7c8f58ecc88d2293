import { Injectable } from '@nestjs/common';
import type { Attachment } from '../../core/attachments/attachment.repository.js';
import { AttachmentRepository } from '../../core/attachments/attachment.repository.js';
import type { TenantTransaction, SystemTransaction } from '../../core/ports/unit-of-work.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const INSERT = `insert into attachments (id, organization_id, environment, status, content_type, size_bytes, sha256, object_key, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const OWN = 'id = $1 and organization_id = $2 and environment = $3';
const SELECT = `select id, organization_id as "organizationId", environment, status, content_type as "contentType", size_bytes::float8 as "sizeBytes", sha256,
  object_key as "objectKey", created_at as "createdAt" from attachments`;
const FORGOTTEN = `${SELECT} where status = 'staged' and created_at < (select sutura_now()) - make_interval(secs => $1)
  order by created_at limit $2 for update skip locked`;

@Injectable()
export class SqlAttachmentRepository extends AttachmentRepository {
  async insert(
    transaction: TenantTransaction,
    { id, organizationId, environment, status, contentType, sizeBytes, sha256, objectKey, createdAt }: Attachment,
  ): Promise<void> {
    await statementsOf(transaction).run(INSERT, [
      id,
      organizationId,
      environment,
      status,
      contentType,
      sizeBytes,
      sha256,
      objectKey,
      createdAt,
    ]);
  }

  async find(transaction: TenantTransaction, id: string): Promise<Attachment | null> {
    const { tenant } = transaction;
    if (!isCanonicalUuid(id)) return null;
    const values = [id, tenant.organizationId, tenant.environment];
    return (await statementsOf(transaction).run<Attachment>(`${SELECT} where ${OWN}`, values)).rows[0] ?? null;
  }

  async markStored(transaction: TenantTransaction, id: string): Promise<boolean> {
    const { tenant } = transaction;
    const update = `update attachments set status = 'stored' where ${OWN} and status = 'staged'`;
    return (
      (await statementsOf(transaction).run(update, [id, tenant.organizationId, tenant.environment])).affected === 1
    );
  }

  async findForgotten(transaction: SystemTransaction, olderThanS: number, limit: number): Promise<Attachment[]> {
    return (await statementsOf(transaction).run<Attachment>(FORGOTTEN, [olderThanS, limit])).rows;
  }

  async remove(transaction: TenantTransaction, id: string): Promise<boolean> {
    return (
      (await statementsOf(transaction).run(`delete from attachments where id = $1 and status = 'staged'`, [id]))
        .affected === 1
    );
  }
}
