import type { Transaction } from '../../../../core/ports/unit-of-work.js';
import { stateOf } from '../../../../platform/database/database-fault.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import type { ApplicationCode } from '../../ack/acknowledgment-code.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { InboundState } from './inbound-record.js';
import { storableProblems } from './inbound-rows.js';

/** The outcome of a message. */
export interface Conclusion {
  readonly state: Extract<InboundState, 'processed' | 'ignored' | 'failed' | 'held'>;
  readonly retryable: boolean;
  readonly ackCode: ApplicationCode;
  readonly ack: Buffer | null;
  readonly problems: readonly Hl7Problem[];
  readonly analysisIds: readonly string[];
  readonly pointedImageIds: readonly string[];
  /** Of `held`: what it waits for. */
  readonly heldItemId?: string | undefined;
}

/** An outcome as it is stored. */
interface StoredConclusion extends Conclusion {
  readonly id: string;
  readonly leaseToken: string;
}

/** The lease has passed to another process; everything done for the message here must be undone. */
export class LeaseLost extends Error {}

const DIVISION_BY_ZERO = '22012';
const VALUES = 10;
/** Outcomes of one statement: each number is a text of its own, prepared on each connection. */
const LARGEST = 8;

/** Writes the outcomes of all messages that share a transaction with its commit, by as few statements as there can be. */
export class WrittenConclusions {
  private readonly waiting = new WeakMap<Transaction, StoredConclusion[]>();
  /** By number of outcomes. */
  private readonly commands = new Map<number, string>();

  /** The commit fails with LeaseLost if any of its messages has passed to another process. */
  add(transaction: Transaction, conclusion: StoredConclusion): void {
    const known = this.waiting.get(transaction);
    if (known !== undefined) return void known.push(conclusion);
    const all = [conclusion];
    this.waiting.set(transaction, all);
    statementsOf(transaction).beforeCommit(() => {
      for (let from = 0; from < all.length; from += LARGEST) this.send(transaction, all.slice(from, from + LARGEST));
    });
  }

  private send(transaction: Transaction, group: readonly StoredConclusion[]): void {
    statementsOf(transaction).sendPrepared(this.commandFor(group.length), group.flatMap(valuesOf), (error) =>
      stateOf(error) === DIVISION_BY_ZERO ? new LeaseLost('The lease of a message has passed on.') : error,
    );
  }

  private commandFor(size: number): string {
    const known = this.commands.get(size);
    if (known !== undefined) return known;
    const places = Array.from({ length: size }, (_, place) => place);
    // One update for each, all by the primary key: joined with a list, they might read the whole table.
    const updates = places.map((place) => `c${place} as (${updateWith(place * VALUES)})`);
    const counts = places.map((place) => `(select count(*) from c${place})`);
    const command = `with ${updates.join(', ')} select 1 / (${counts.join(' + ')} = ${size})::int`;
    this.commands.set(size, command);
    return command;
  }
}

/** Its parameters are those behind the given number. */
function updateWith(before: number): string {
  const at = (value: number): string => `$${before + value}`;
  return `update hl7_inbound set state = ${at(3)}, retryable = ${at(4)}, ack_code = ${at(5)}, ack = ${at(6)}, problems = ${at(7)}, analysis_ids = ${at(8)}, pointed_image_ids = ${at(9)},
    held_item = coalesce(${at(10)}, held_item), processed_at = sutura_now(), lease_token = null where id = ${at(1)} and state = 'received' and lease_token = ${at(2)} returning id`;
}

function valuesOf(conclusion: StoredConclusion): unknown[] {
  const {
    id,
    leaseToken,
    state,
    retryable,
    ackCode,
    ack,
    problems,
    analysisIds,
    pointedImageIds,
    heldItemId = null,
  } = conclusion;
  return [
    id,
    leaseToken,
    state,
    retryable,
    ackCode,
    ack,
    storableProblems(problems),
    [...analysisIds],
    [...pointedImageIds],
    heldItemId,
  ];
}
