import { SystemStatements } from '../../platform/database/statements.js';
import type { NewInbound } from './inbound-record.js';
import { storableProblems, storableText } from './inbound-rows.js';

const COLUMNS = [
  'id',
  'organization_id',
  'environment',
  'source_id',
  'transport',
  'key_id',
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
] as const;
/** Messages in one statement. */
const LARGEST_GROUP = 32;
/** Beside a statement that carries this much another one may go. */
const LARGE_BYTES = 64 * 1024;
const MOST_STATEMENTS = 2;
/** Bytes in one statement: larger messages are written by themselves. */
const LARGEST_GROUP_BYTES = 1024 * 1024;

interface Waiting {
  readonly message: NewInbound;
  /** False: another message has its key. */
  readonly written: (inserted: boolean) => void;
  readonly failed: (fault: unknown) => void;
}

/**
 * Keeps messages of concurrent connections: those that come while a statement is on its way leave together with the next one. Each sender waits
 * until its own message is committed; they only share the wait for the disk. One statement at a time makes the groups large, which costs the
 * database and this process the least; small messages do not wait for the commit of a large one.
 */
export class InboundWriter {
  private readonly waiting: Waiting[] = [];
  /** By how many messages they write. */
  private readonly commands = new Map<number, string>();
  private running = 0;
  private largeRunning = 0;
  private isBeginning = false;

  /** `leaseS`: for how long this process keeps what it has taken. */
  constructor(
    private readonly statements: SystemStatements,
    private readonly leaseS: number,
  ) {}

  /** False: another message of its source has its key. `service.unavailable`. */
  write(message: NewInbound): Promise<boolean> {
    return new Promise((written, failed) => {
      this.waiting.push({ message, written, failed });
      this.begin();
    });
  }

  /** Once everything has been read that has arrived by now: it leaves together. */
  private begin(): void {
    if (this.isBeginning || !this.mayBegin()) return;
    this.isBeginning = true;
    setImmediate(() => {
      this.isBeginning = false;
      void this.writeNext();
    });
  }

  private mayBegin(): boolean {
    return this.waiting.length > 0 && this.running < MOST_STATEMENTS && this.running === this.largeRunning;
  }

  private async writeNext(): Promise<void> {
    if (!this.mayBegin()) return;
    const group = this.nextGroup();
    const isLarge = group.reduce((bytes, { message }) => bytes + message.raw.length, 0) >= LARGE_BYTES;
    this.running += 1;
    if (isLarge) {
      this.largeRunning += 1;
      this.begin();
    }
    await this.writeGroup(group);
    this.running -= 1;
    if (isLarge) this.largeRunning -= 1;
    this.begin();
  }

  private async writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const inserted = await this.insert(group);
      for (const { message, written } of group) written(inserted.has(message.id));
    } catch (fault) {
      if (group.length === 1) group[0]!.failed(fault);
      else await this.insertEach(group);
    }
  }

  private nextGroup(): Waiting[] {
    const group: Waiting[] = [];
    let bytes = 0;
    while (this.waiting.length > 0 && group.length < LARGEST_GROUP) {
      bytes += this.waiting[0]!.message.raw.length;
      if (group.length > 0 && bytes > LARGEST_GROUP_BYTES) break;
      group.push(this.waiting.shift()!);
    }
    return group;
  }

  /** One that cannot be written must not take the others with it. */
  private async insertEach(group: readonly Waiting[]): Promise<void> {
    for (const one of group) {
      await this.insert([one]).then((inserted) => one.written(inserted.has(one.message.id)), one.failed);
    }
  }

  private async insert(group: readonly Waiting[]): Promise<ReadonlySet<string>> {
    const { rows: inserted } = await this.statements.runPrepared<{ id: string }>(this.commandFor(group.length), group.flatMap(({ message }) => valuesOf(message)));
    return new Set(inserted.map(({ id }) => id));
  }

  private commandFor(size: number): string {
    const known = this.commands.get(size);
    if (known !== undefined) return known;
    const width = COLUMNS.length;
    const row = (place: number): string => `(${COLUMNS.map((_, column) => `$${place * width + column + 1}`).join(', ')}, sutura_now(), ${this.leaseOf(place)}, ${this.endOf(place)})`;
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
  ];
}
