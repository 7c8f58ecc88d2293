import { Injectable } from '@nestjs/common';
import type { Attachment } from '../../core/attachments/attachment.repository.js';
import { AttachmentRepository } from '../../core/attachments/attachment.repository.js';
import type { TenantTransaction, SystemTransaction } from '../../core/ports/unit-of-work.js';
import type { Environment } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** The driver gives bigint columns as text. */
interface AttachmentRow {
  readonly id: string;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly status: Attachment['status'];
  readonly content_type: string;
  readonly size_bytes: string;
  readonly sha256: string;
  readonly object_key: string;
  readonly created_at: Date;
}

const INSERT = `insert into attachments (id, organization_id, environment, status, content_type, size_bytes, sha256, object_key, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const OWN = 'id = $1 and organization_id = $2 and environment = $3';
const FORGOTTEN = `select * from attachments where status = 'staged' and created_at < (select sutura_now()) - make_interval(secs => $1)
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
    const row = (await statementsOf(transaction).run<AttachmentRow>(`select * from attachments where ${OWN}`, values))
      .rows[0];
    return row === undefined ? null : toAttachment(row);
  }

  async markStored(transaction: TenantTransaction, id: string): Promise<boolean> {
    const { tenant } = transaction;
    const update = `update attachments set status = 'stored' where ${OWN} and status = 'staged'`;
    return (
      (await statementsOf(transaction).run(update, [id, tenant.organizationId, tenant.environment])).affected === 1
    );
  }

  async findForgotten(transaction: SystemTransaction, olderThanS: number, limit: number): Promise<Attachment[]> {
    return (await statementsOf(transaction).run<AttachmentRow>(FORGOTTEN, [olderThanS, limit])).rows.map(toAttachment);
  }

  async remove(transaction: TenantTransaction, id: string): Promise<boolean> {
    return (
      (await statementsOf(transaction).run(`delete from attachments where id = $1 and status = 'staged'`, [id]))
        .affected === 1
    );
  }
}

function toAttachment(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    organizationId: row.organization_id,
    environment: row.environment,
    status: row.status,
    contentType: row.content_type,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    objectKey: row.object_key,
    createdAt: row.created_at,
  };
}
