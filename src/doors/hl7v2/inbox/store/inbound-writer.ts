import { SystemStatements } from '../../../../platform/database/statements.js';
import { BatchedCommits } from '../../../../platform/database/batched-commits.js';
import type { NewInbound } from './inbound-record.js';
import { storableProblems, storableText } from './inbound-rows.js';

const COLUMNS = [
  'id',
  'organization_id',
  'environment',
  'source_id',
  'transport',
  'key_id',
  'may_review',
  'address',
  'sending_application',
  'sending_facility',
  'control_id',
  'message_type',
  'version',
  'message_key',
  'holds_key',
  'sha256',
  'raw',
  'size_bytes',
  'state',
  'lease_token',
  'accept_code',
  'application_ack',
  'ack_code',
  'ack',
  'problems',
  'file_digests',
  'terms',
] as const;
/**
 * One statement at a time makes groups large. Small messages do not wait for the commit of a large one, which is
 * written by itself.
 */
const LIMITS = {
  largest: 32,
  atOnce: 2,
  patienceMs: 1000,
  weight: { of: ({ raw }: NewInbound) => raw.length, largest: 1024 * 1024, heavy: 64 * 1024 },
};

/**
 * Stores messages, those of concurrent connections in one statement. Each sender waits for the commit of its own
 * message; they only share the wait for the disk.
 */
export class InboundWriter {
  private readonly work = new BatchedCommits<NewInbound, boolean>((group) => this.insert(group), LIMITS);
  /** By number of messages. */
  private readonly commands = new Map<number, string>();

  /** `leaseS`: duration of the lease that this process takes. */
  constructor(
    private readonly statements: SystemStatements,
    private readonly leaseS: number,
  ) {}

  /** False: another message of its source has its key. `service.unavailable`. */
  write(message: NewInbound): Promise<boolean> {
    return this.work.run('', message);
  }

  private async insert(group: readonly NewInbound[]): Promise<boolean[]> {
    const { rows } = await this.statements.runPrepared<{ id: string }>(
      this.commandFor(group.length),
      group.flatMap(valuesOf),
    );
    const inserted = new Set(rows.map(({ id }) => id));
    return group.map(({ id }) => inserted.has(id));
  }

  private commandFor(size: number): string {
    const known = this.commands.get(size);
    if (known !== undefined) return known;
    const width = COLUMNS.length;
    const row = (place: number): string =>
      `(${COLUMNS.map((_, column) => `$${place * width + column + 1}`).join(', ')}, sutura_now(), ${this.leaseOf(place)}, ${this.endOf(place)})`;
    const command = `insert into hl7_inbound (${COLUMNS.join(', ')}, received_at, lease_until, processed_at) values ${Array.from({ length: size }, (_, place) => row(place)).join(', ')}
      on conflict (source_id, message_key) where holds_key do nothing returning id`;
    this.commands.set(size, command);
    return command;
  }

  private leaseOf(row: number): string {
    return `sutura_now() + case when $${row * COLUMNS.length + COLUMNS.indexOf('lease_token') + 1}::uuid is null then interval '0' else interval '${this.leaseS} seconds' end`;
  }

  private endOf(row: number): string {
    return `case when $${row * COLUMNS.length + COLUMNS.indexOf('state') + 1} = 'received' then null else sutura_now() end`;
  }
}

/** In the order of the columns. */
function valuesOf(message: NewInbound): unknown[] {
  const { messageKey } = message;
  return [
    message.id,
    message.organizationId,
    message.environment,
    message.sourceId,
    message.transport,
    message.keyId,
    message.mayReview,
    message.address,
    storableText(message.sendingApplication),
    storableText(message.sendingFacility),
    storableText(message.controlId),
    storableText(message.messageType),
    storableText(message.version),
    messageKey,
    messageKey !== null,
    message.sha256,
    message.raw,
    message.sizeBytes,
    message.state,
    message.leaseToken,
    message.acceptCode,
    message.applicationAck,
    message.ackCode,
    message.ack,
    storableProblems(message.problems),
    message.fileDigests,
    message.terms ?? [],
  ];
}
