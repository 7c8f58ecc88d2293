import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { inGroups } from '../../../../core/trace/in-groups.js';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../../../platform/database/statements.js';
import { MessageSearch } from '../../../../standards/hl7v2/encryption/message-search.js';
import { MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import type { StoredFile } from '../../../../standards/hl7v2/er7/stored-file.js';
import { MessageFileStore, readable } from '../../../../standards/hl7v2/files/message-file-store.js';
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

/** Messages of a listener that came in a range of time. */
export interface ReprocessRange {
  readonly sourceId: string;
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
  readonly state?: InboundState | undefined;
  readonly messageType?: string | undefined;
  /** Only those that were taken with warnings. */
  readonly isWarned: boolean;
}

/** The criteria by which messages of a photo are found. */
export interface MessagesOfPhoto {
  readonly tenant: Tenant;
  readonly imageId: string;
  /** Of its bytes, hex. */
  readonly sha256: string | null;
  /** The message that brought it. */
  readonly messageId: string | null;
  readonly analysisIds: readonly string[];
}

/** A message with the state of the photos that it named by URL. */
export interface ListedInbound extends InboundRecord {
  readonly photos: readonly PointedPhoto[];
}

export interface InboundContent {
  readonly record: ListedInbound;
  readonly bytes: Buffer;
  /** As its row has it; null: as its bytes. */
  readonly raw: Buffer | null;
  /** False: the object store lost a photo of it. */
  readonly isWhole: boolean;
  readonly ack: Buffer | null;
}

interface ShownRow extends RecordRow {
  readonly raw: Buffer;
  readonly files: readonly StoredFile[] | null;
  readonly ack: Buffer | null;
}

/** The messages that wait to be processed. */
export interface InboundBacklog {
  readonly waiting: number;
  /** Seconds since the oldest was received; 0 without one. */
  readonly oldestS: number;
  /** Messages that no configured key opens. */
  readonly sealed: number;
}

/** Messages of a range that may be read once more, oldest first. */
const TO_REPROCESS = `select id from hl7_inbound where source_id = $1 and ($2::timestamptz is null or received_at >= $2) and ($3::timestamptz is null or received_at < $3) and ($4::uuid is null or id > $4)
    and state in ('processed', 'ignored', 'failed', 'sealed') and ($5::text is null or state = $5) and ($6::text is null or message_type = $6)
    and (not $7 or (state in ('processed', 'ignored') and problems <> '[]'))
  order by id limit $8`;
const FIND = `select ${RECORD_COLUMNS} from hl7_inbound where id = any($1::uuid[])`;
const SHOW = `select ${RECORD_COLUMNS}, raw, files, ack from hl7_inbound where id = $1`;
/** By its analyses ("one,another"), by its own id, and by the digest of the photo. */
const OF_PHOTOS = `select asked.image_id as "imageId", told.*
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::bytea[]) as asked (image_id, organization_id, environment, analyses, message_id, digest)
  cross join lateral (select ${RECORD_COLUMNS} from hl7_inbound where organization_id = asked.organization_id and environment = asked.environment and id in (
      select inbound_id from hl7_orders where analysis_ids && string_to_array(asked.analyses, ',')::uuid[] and organization_id = asked.organization_id and environment = asked.environment
      union select asked.message_id
      union select id from hl7_inbound where file_digests <> '{}' and file_digests @> array[asked.digest] and organization_id = asked.organization_id and environment = asked.environment)
    order by id limit $7) told`;
const BACKLOG = `select count(*)::int as waiting, coalesce(extract(epoch from sutura_now() - min(received_at)), 0)::float8 as "oldestS",
    (select count(*)::int from hl7_inbound where state = 'sealed') as sealed
  from hl7_inbound where state = 'received'`;

/** Inbound messages as operators see them, over all tenants. Never reached with a caller's key. */
@Injectable()
export class InboundQueries {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
    private readonly files: MessageFileStore,
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

  /** Ids, oldest first, of those that may be read once more; `after`: the last id of the page before. */
  async listToReprocess(
    { sourceId, from, to, state, messageType, isWarned }: ReprocessRange,
    limit: number,
    after: string | null,
  ): Promise<string[]> {
    const values = [sourceId, from ?? null, to ?? null, after, state ?? null, messageType ?? null, isWarned, limit];
    return (await this.statements.run<{ readonly id: string }>(TO_REPROCESS, values)).rows.map(({ id }) => id);
  }

  /** Those of these ids that there are, without their bytes and photos. */
  async findAll(ids: readonly string[]): Promise<InboundRecord[]> {
    const known = ids.filter(isCanonicalUuid);
    return known.length === 0 ? [] : (await this.statements.run<RecordRow>(FIND, [known])).rows;
  }

  /** Without its bytes, which may be sealed. `hl7.message_not_found`. */
  async find(id: string): Promise<ListedInbound> {
    const row = (await this.findAll([id]))[0];
    if (row === undefined) throw new SuturaError('hl7.message_not_found');
    return (await this.withPhotos([row]))[0]!;
  }

  /** The messages of each photo, oldest first, at most so many of each, by image id. */
  async listOfPhotos(
    photos: readonly MessagesOfPhoto[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly InboundRecord[]>> {
    if (photos.length === 0) return new Map();
    const { rows } = await this.statements.run<RecordRow & { readonly imageId: string }>(OF_PHOTOS, [
      photos.map(({ imageId }) => imageId),
      photos.map(({ tenant }) => tenant.organizationId),
      photos.map(({ tenant }) => tenant.environment),
      photos.map(({ analysisIds }) => analysisIds.join(',')),
      photos.map(({ messageId }) => (messageId !== null && isCanonicalUuid(messageId) ? messageId : null)),
      photos.map(({ sha256 }) => (sha256 === null ? null : Buffer.from(sha256, 'hex'))),
      limit,
    ]);
    return inGroups(rows, ({ imageId }) => imageId);
  }

  /**
   * A message with its bytes as they came, and those of its acknowledgment, as sent; `ack` null: there is none, or none that a key
   * decrypts. `hl7.message_not_found`, `hl7.sealed`, and what the object store says where it cannot be asked.
   */
  async show(id: string): Promise<InboundContent> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<ShownRow>(SHOW, [id])).rows[0] : undefined;
    if (row === undefined) throw new SuturaError('hl7.message_not_found');
    const { raw, files, ack, ...record } = row;
    const filled = await this.files.fill(this.encryption.open(raw, id), files);
    return {
      record: (await this.withPhotos([record]))[0]!,
      bytes: readable(filled),
      raw: files === null || files.length === 0 ? null : raw,
      isWhole: filled.lost.length === 0,
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
