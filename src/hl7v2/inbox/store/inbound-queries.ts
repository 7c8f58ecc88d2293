import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../../platform/database/statements.js';
import { MessageSearch } from '../../encryption/message-search.js';
import { MessageEncryption } from '../../encryption/message-encryption.js';
import type { InboundRecord, InboundState } from './inbound-record.js';
import { findPointedPhotos, type PointedPhoto } from './pointed-photos.js';
import { RECORD_COLUMNS, type RecordRow } from './inbound-rows.js';

export interface InboundFilter extends Partial<Tenant> {
  /** The listener. */
  readonly sourceId?: string | undefined;
  readonly state?: InboundState | undefined;
  readonly controlId?: string | undefined;
  /** `ORU^R01`. */
  readonly messageType?: string | undefined;
  /** A number of a patient, or of an order (placer or filler), as in the message, whatever its assigning authority. */
  readonly patient?: string | undefined;
  readonly order?: string | undefined;
  /** Words or codes of its problems. */
  readonly error?: string | undefined;
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
}

/** The criteria by which messages of a photo are found. */
export interface MessagesOfPhoto {
  readonly sha256: string | null;
  readonly messageId: string | null;
  readonly analysisIds: readonly string[];
}

/** A message with the state of the photos that it named by URL. */
export interface ListedInbound extends InboundRecord {
  readonly photos: readonly PointedPhoto[];
}

/** The messages that wait to be processed. */
export interface InboundBacklog {
  readonly waiting: number;
  /** Seconds since the oldest was received; 0 without one. */
  readonly oldestS: number;
  /** Messages that no configured key opens. */
  readonly sealed: number;
}

const FIND = `select ${RECORD_COLUMNS} from hl7_inbound where id = $1`;
const SHOW = `select ${RECORD_COLUMNS}, raw, ack from hl7_inbound where id = $1`;
/** By its analyses, by its own id, and by the digest of the photo. */
const OF_PHOTO = `select ${RECORD_COLUMNS} from hl7_inbound where organization_id = $1 and environment = $2 and id in (
    select inbound_id from hl7_orders where analysis_ids && $3::uuid[] and organization_id = $1 and environment = $2
    union select $4::uuid
    union select id from hl7_inbound where file_digests <> '{}' and file_digests @> array[$5::bytea] and organization_id = $1 and environment = $2)
  order by id limit $6`;
const BACKLOG = `select count(*)::int as waiting, coalesce(extract(epoch from sutura_now() - min(received_at)), 0)::float8 as "oldestS",
    (select count(*)::int from hl7_inbound where state = 'sealed') as sealed
  from hl7_inbound where state = 'received'`;

/** Inbound messages as operators see them, over all tenants. Never reached with a caller's key. */
@Injectable()
export class InboundQueries {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
  ) {}

  /** Newest first. `after`: the last id of the page before. */
  async list(
    {
      organizationId,
      environment,
      sourceId,
      state,
      controlId,
      messageType,
      patient,
      order,
      error,
      from,
      to,
    }: InboundFilter,
    limit: number,
    after: string | null = null,
  ): Promise<ListedInbound[]> {
    if ([organizationId, sourceId, after ?? undefined].some((id) => id !== undefined && !isCanonicalUuid(id)))
      return [];
    const { terms } = this.encryption;
    const search = new MessageSearch()
      .equal('organization_id', organizationId)
      .equal('environment', environment)
      .equal('source_id', sourceId)
      .equal('state', state)
      .equal('control_id', controlId)
      .equal('message_type', messageType)
      .between('received_at', from, to)
      .before('id', after)
      .named('terms', patient === undefined ? undefined : terms.wanted('patient', [patient]))
      .named('terms', order === undefined ? undefined : terms.wanted('order', [order]))
      .says('problems', error);
    const { sql, values } = search.newestFirst(`select ${RECORD_COLUMNS} from hl7_inbound`, 'id', limit);
    return this.withPhotos((await this.statements.run<RecordRow>(sql, values)).rows);
  }

  /** Without its bytes, which may be sealed. `hl7.message_not_found`. */
  async find(id: string): Promise<ListedInbound> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<RecordRow>(FIND, [id])).rows[0] : undefined;
    if (row === undefined) throw new SuturaError('hl7.message_not_found');
    return (await this.withPhotos([row]))[0]!;
  }

  /** The messages of a photo, oldest first. `sha256`: of its bytes, hex. `messageId`: the message that brought it. */
  async listOfPhoto(
    { organizationId, environment }: Tenant,
    { sha256, messageId, analysisIds }: MessagesOfPhoto,
    limit: number,
  ): Promise<InboundRecord[]> {
    const [id, digest] = [
      messageId !== null && isCanonicalUuid(messageId) ? messageId : null,
      sha256 === null ? null : Buffer.from(sha256, 'hex'),
    ];
    return (
      await this.statements.run<RecordRow>(OF_PHOTO, [organizationId, environment, [...analysisIds], id, digest, limit])
    ).rows;
  }

  /**
   * A message with its bytes and those of its acknowledgment, as sent; `ack` null: there is none, or none that a key
   * decrypts. `hl7.message_not_found`, `hl7.sealed`.
   */
  async show(
    id: string,
  ): Promise<{ readonly record: ListedInbound; readonly bytes: Buffer; readonly ack: Buffer | null }> {
    const row = isCanonicalUuid(id)
      ? (await this.statements.run<RecordRow & { readonly raw: Buffer; readonly ack: Buffer | null }>(SHOW, [id]))
          .rows[0]
      : undefined;
    if (row === undefined) throw new SuturaError('hl7.message_not_found');
    const { raw, ack, ...record } = row;
    return {
      record: (await this.withPhotos([record]))[0]!,
      bytes: this.encryption.open(raw, id),
      ack: ack === null || !this.encryption.hasKeyOf(ack) ? null : this.encryption.open(ack, id),
    };
  }

  async backlog(): Promise<InboundBacklog> {
    return (await this.statements.run<InboundBacklog>(BACKLOG)).rows[0] ?? { waiting: 0, oldestS: 0, sealed: 0 };
  }

  private async withPhotos(records: readonly InboundRecord[]): Promise<ListedInbound[]> {
    const known = await findPointedPhotos(this.statements, records);
    return records.map((record) => ({
      ...record,
      photos: record.pointedImageIds.flatMap((id) => known.get(id) ?? []),
    }));
  }
}
