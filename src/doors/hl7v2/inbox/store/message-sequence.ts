import { Injectable } from '@nestjs/common';
import type { ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import type { Transaction } from '../../../../core/ports/unit-of-work.js';
import { SystemStatements } from '../../../../platform/database/statements.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import { messageNumbers } from '../../../../standards/hl7v2/er7/message-numbers.js';
import { messageKindOf, type MessageKind } from '../../mapping/message-kinds.js';
import type { NextStatements } from '../../mapping/reading/earlier-handling.js';
import type { InboundRecord } from './inbound-record.js';

/** Ids of messages are in the order of their receipt. */
const LATER = 'message.organization_id = $2 and message.environment = $3 and message.id > $1';
/** What was kept without being carried out says nothing. */
const TAKEN = `(message.state = 'processed' or (message.state = 'ignored' and not message.problems @> '[{"code":"message.not_carried_out"}]'))`;
const WITH_TERM = (terms: string): string =>
  `message.terms <> '{}' and message.terms && ${terms}::bytea[] and ${LATER}`;
const OWN_DIGESTS = '(select file_digests from hl7_inbound where id = $1)';
const WITH_FILE = `message.file_digests <> '{}' and message.file_digests && ${OWN_DIGESTS} and ${LATER}`;
/** $4: terms of its patients, $5: of its orders. */
const OF_LATER = `select sutura_now() as "askedAt",
  coalesce((select array_agg(distinct message.message_type) from hl7_inbound message where ${WITH_TERM('$4')} and ${TAKEN}), '{}') as "ofPatients",
  coalesce((select array_agg(distinct message.message_type) from hl7_inbound message where ${WITH_TERM('$5')} and ${TAKEN}), '{}') as "ofOrders",
  coalesce((select array_agg(encode(photo.digest, 'hex')) from unnest(${OWN_DIGESTS}) photo (digest) where exists (
    select from hl7_inbound message where message.file_digests <> '{}' and message.file_digests @> array[photo.digest] and ${LATER} and message.state = 'processed')), '{}') as "broughtSince",
  exists (select from hl7_inbound message where ${WITH_TERM('($4::bytea[] || $5)')} and message.state = 'received')
    or exists (select from hl7_inbound message where ${WITH_FILE} and message.state = 'received') as "isAnyAtWork"`;
const OVERTAKEN = `message.state = 'received' or (message.state in ('processed', 'ignored') and message.processed_at > $4)`;
/** $4: since then. */
export const COME_SINCE = `select (
    exists (select from hl7_inbound message where message.terms <> '{}' and message.terms && (select terms from hl7_inbound where id = $1) and ${LATER} and (${OVERTAKEN}))
    or exists (select from hl7_inbound message where ${WITH_FILE} and (${OVERTAKEN}))) as "isOvertaken"`;
const SAID_BEFORE = `select asked.version from unnest($4::text[]) asked (version) where exists (select from hl7_inbound message
  where message.said_versions <> '{}' and message.said_versions @> array[asked.version] and message.organization_id = $2 and message.environment = $3 and message.id <= $1)`;

/** What later messages say of the photos, patients and orders of one that is read once more. */
export interface FoundStatements {
  readonly statements: NextStatements;
  readonly askedAt: Date;
  /** One of them is still to be done, or being done. */
  readonly isAnyAtWork: boolean;
}

interface LaterRow {
  readonly askedAt: Date;
  readonly ofPatients: readonly string[];
  readonly ofOrders: readonly string[];
  readonly broughtSince: readonly string[];
  readonly isAnyAtWork: boolean;
}

/**
 * Messages that were received after another one and name its photos, patients or orders: by the index of each, and without a lock. Their order is that of
 * receipt, whenever they were done.
 */
@Injectable()
export class MessageSequence {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
  ) {}

  async of(record: InboundRecord, bytes: Buffer): Promise<FoundStatements> {
    const { patients, orders } = messageNumbers(bytes);
    const { terms } = this.encryption;
    const { rows } = await this.statements.run<LaterRow>(OF_LATER, [
      ...placeOf(record),
      terms.wanted('patient', patients).flat(),
      terms.wanted('order', orders).flat(),
    ]);
    const { askedAt, ofPatients, ofOrders, broughtSince, isAnyAtWork } = rows[0]!;
    const statements = {
      broughtSince,
      saidSince: saidBy(ofPatients.map(kindOf), ofOrders.map(kindOf)),
      saidBefore: (versions: readonly string[]) => this.saidBefore(record, versions),
    };
    return { statements, askedAt, isAnyAtWork };
  }

  /** At the end of the transaction that carries the message out. `fhir.version_conflict` where one came since: it is to be planned anew. */
  async requireNone(transaction: Transaction, record: InboundRecord, askedAt: Date): Promise<void> {
    const { rows } = await statementsOf(transaction).run<{ readonly isOvertaken: boolean }>(COME_SINCE, [
      ...placeOf(record),
      askedAt,
    ]);
    if (rows[0]!.isOvertaken)
      throw new SuturaError('fhir.version_conflict', { detail: 'A later message has said the same meanwhile.' });
  }

  private async saidBefore(record: InboundRecord, versions: readonly string[]): Promise<ReadonlySet<string>> {
    if (versions.length === 0) return new Set();
    const { rows } = await this.statements.run<{ readonly version: string }>(SAID_BEFORE, [
      ...placeOf(record),
      [...versions],
    ]);
    return new Set(rows.map(({ version }) => version));
  }
}

function placeOf({ id, organizationId, environment }: InboundRecord): string[] {
  return [id, organizationId, environment];
}

/** `ORU^R01`. */
function kindOf(messageType: string): MessageKind {
  const [messageCode = '', triggerEvent = ''] = messageType.split('^');
  return messageKindOf({ messageCode, triggerEvent });
}

const ANNOUNCED: readonly ResourceType[] = ['Patient', 'Encounter'];

/** The records that later messages say something of, by their kinds. A name beside an order is no announcement. */
function saidBy(ofPatients: readonly MessageKind[], ofOrders: readonly MessageKind[]): ResourceType[] {
  const isAnnounced = ofPatients.some((kind) => kind === 'patient' || kind === 'merge');
  const isDescribed = ofPatients.some((kind) => kind === 'results' || kind === 'order' || kind === 'document');
  return [
    ...(isAnnounced ? ANNOUNCED : []),
    ...(isDescribed ? (['BodyStructure'] as const) : []),
    ...(ofOrders.includes('order') ? (['ServiceRequest'] as const) : []),
  ];
}
