import type { Numberings, UnannouncedData, UnannouncedNumber } from '../../../../core/erasure/patient-data-eraser.js';
import { IN_DOUBT } from '../../../../core/erasure/patient-removal.js';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { isCanonicalUuid } from '../../../../platform/database/statements.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { SEAL_HEAD_BYTES, type MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import { authoritiesBeside, messageNumbers } from '../../../../standards/hl7v2/er7/message-numbers.js';
import { statedSystem } from '../../mapping/reading/identifiers.js';

/** The most messages in memory at once: each may be of the largest size. */
const AT_ONCE = 8;
const RETRY_AFTER_S = 5;
const MINE = 'organization_id = $1 and environment = $2';
/** What is said of a message that has not ended without a trace. */
const STANDING = `message.id, message.state, message.held_item as "itemId",
  (message.analysis_ids <> '{}' or exists (select from hl7_orders told where told.inbound_id = message.id and told.analysis_ids <> '{}')) as "isAnalysed"`;
const AWAITED = `select item_id as "itemId", system, item.settled_at is not null as "isSettled" from held_awaited_numbers awaited
  join held_items item on item.id = awaited.item_id where awaited.organization_id = $1 and awaited.environment = $2 and awaited.value = $3`;
const OF_ITEMS = `select ${STANDING} from hl7_inbound message where ${MINE} and held_item = any($3) order by id for update`;
const BY_TERM = `select ${STANDING} from hl7_inbound message where ${MINE} and terms <> '{}' and terms && $3::bytea[] order by id for update`;
const RAW = `select id, raw, substring(raw for ${SEAL_HEAD_BYTES}) as head from hl7_inbound where id = any($1)`;

export const WAITS =
  'A message under a number of the patient waits for a person. Decide about it first: the list of what is held has it, and what is discarded there goes with the patient.';

interface MessageRow {
  readonly id: string;
  readonly state: string;
  readonly itemId: string | null;
  readonly isAnalysed: boolean;
}

interface AwaitedRow {
  readonly itemId: string;
  readonly system: string;
  readonly isSettled: boolean;
}

/** What of messages is kept under a number that nobody has announced: those that were held for it and discarded, and those that were refused. */
export class UnannouncedMessages {
  constructor(private readonly encryption: MessageEncryption) {}

  /** As messages were held for, and as refused ones state it beside the value. */
  async numberings(transaction: TenantTransaction, value: string): Promise<Numberings> {
    if (!isCanonicalUuid(transaction.tenant.organizationId)) return { stated: [], known: [], isUnread: false };
    const stated = new Set((await this.awaited(transaction, value)).map(({ system }) => system));
    const refused = (await this.byTerm(transaction, value)).filter(isRefused);
    let isUnread = false;
    for await (const bytes of this.texts(transaction, idsOf(refused))) {
      isUnread ||= bytes === null;
      if (bytes !== null) for (const system of systemsBeside(bytes, value)) stated.add(system);
    }
    return { stated: [...stated], known: [], isUnread };
  }

  async find(
    transaction: TenantTransaction,
    { value, systems, isKnownValue }: UnannouncedNumber,
  ): Promise<UnannouncedData> {
    const awaited = await this.awaited(transaction, value);
    const items = awaited.filter(({ system }) => systems.includes(system));
    const statements = statementsOf(transaction);
    const { organizationId, environment } = transaction.tenant;
    const itemIds = items.map(({ itemId }) => itemId);
    const held = (await statements.run<MessageRow>(OF_ITEMS, [organizationId, environment, itemIds])).rows;
    if (items.some(({ isSettled }) => !isSettled)) throw new SuturaError('patient.in_use', { detail: WAITS });
    const named = await this.byTerm(transaction, value);
    const own = new Set([...held, ...named.filter(({ itemId }) => itemId !== null && itemIds.includes(itemId))]);
    const others = new Set(awaited.map(({ itemId }) => itemId).filter((id) => !itemIds.includes(id)));
    // Where a patient has the value in another numbering, nothing tells what came without a held item from theirs.
    const loose = isKnownValue
      ? []
      : named.filter(({ itemId }) => itemId === null || (!others.has(itemId) && !itemIds.includes(itemId)));
    for (const message of [...own, ...loose]) refuseStanding(message);
    const messageIds = idsOf([...own]);
    const otherValues = new Set<string>();
    await this.read(transaction, { ids: messageIds, value, otherValues });
    const refused = await this.read(transaction, { ids: idsOf(loose.filter(isRefused)), value, otherValues, systems });
    const all = [...new Set([...messageIds, ...refused])];
    const left = named.filter(({ id, state }) => !all.includes(id) && ['failed', 'discarded', 'held'].includes(state));
    return { messageIds: all, photoIds: [], otherValues: [...otherValues], leftMessages: idsOf(left) };
  }

  /** Those of the messages that are of these systems alone; without them all. Each is of one person, or it is in doubt. */
  private async read(
    transaction: TenantTransaction,
    wanted: {
      readonly ids: readonly string[];
      readonly value: string;
      readonly otherValues: Set<string>;
      readonly systems?: readonly string[];
    },
  ): Promise<string[]> {
    const { ids, value, otherValues, systems } = wanted;
    const own: string[] = [];
    let at = 0;
    for await (const bytes of this.texts(transaction, ids)) {
      const id = ids[at++]!;
      if (bytes === null) throw new SuturaError('hl7.sealed');
      const stated = systemsBeside(bytes, value);
      const isOwn = systems === undefined || stated.every((system) => systems.includes(system));
      if (!isOwn && !stated.some((system) => systems.includes(system))) continue;
      if (!isOwn || (systems !== undefined && stated.length === 0) || authoritiesBeside(bytes, value).people !== 1)
        throw inDoubt();
      own.push(id);
      for (const one of messageNumbers(bytes).patients) if (one !== value) otherValues.add(one);
    }
    return own;
  }

  private async awaited(transaction: TenantTransaction, value: string): Promise<readonly AwaitedRow[]> {
    const { organizationId, environment } = transaction.tenant;
    return (await statementsOf(transaction).run<AwaitedRow>(AWAITED, [organizationId, environment, value])).rows;
  }

  private async byTerm(transaction: TenantTransaction, value: string): Promise<readonly MessageRow[]> {
    const { organizationId, environment } = transaction.tenant;
    const terms = this.encryption.terms.wanted('patient', [value]).flat();
    return (await statementsOf(transaction).run<MessageRow>(BY_TERM, [organizationId, environment, terms])).rows;
  }

  /** In the order of their ids; null: of a key that is not set. */
  private async *texts(transaction: TenantTransaction, ids: readonly string[]): AsyncGenerator<Buffer | null> {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const page = ids.slice(at, at + AT_ONCE);
      const { rows } = await statementsOf(transaction).run<{ id: string; raw: Buffer; head: Buffer }>(RAW, [page]);
      for (const id of page) {
        const { raw, head } = rows.find((row) => row.id === id)!;
        yield this.encryption.hasKeyOf(head) ? this.encryption.open(raw, id) : null;
      }
    }
  }
}

/** Nothing came of it, and nothing will. */
function refuseStanding({ state, isAnalysed }: MessageRow): void {
  if (state === 'held') throw new SuturaError('patient.in_use', { detail: WAITS });
  if (state === 'received') throw new SuturaError('patient.in_use', { retryAfterS: RETRY_AFTER_S });
  if (isAnalysed || !['failed', 'discarded'].includes(state)) throw inDoubt();
}

/** Nobody was asked whose it is. */
function isRefused({ state, itemId }: MessageRow): boolean {
  return itemId === null && ['failed', 'discarded'].includes(state);
}

function systemsBeside(bytes: Buffer, value: string): string[] {
  const { authorities } = authoritiesBeside(bytes, value);
  return authorities.map(({ namespace, universalId, type }) => statedSystem(namespace, universalId, type));
}

function idsOf(messages: readonly MessageRow[]): string[] {
  return [...new Set(messages.map(({ id }) => id))];
}

function inDoubt(): SuturaError {
  return new SuturaError('patient.ambiguous', { detail: IN_DOUBT });
}
