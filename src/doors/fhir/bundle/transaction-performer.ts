import { Injectable } from '@nestjs/common';
import type { ResourceType } from '@medplum/fhirtypes';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { ResourceInteractions } from '../interactions/resource-interactions.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import type { BundleEntry } from './bundle-entry.js';
import type { ShapedBundle } from './bundle-shape.js';
import { readEntry, refuseRepeats } from './read-entry.js';
import { TransactionDraft } from './transaction-draft.js';
import { TransactionRun } from './transaction-run.js';
import { UnservedEntries } from './unsupported-entries.js';

/** The base, request id, door, quota policy and strictness of a transaction. */
interface TransactionRequest extends Pick<FhirCall, 'base' | 'requestId' | 'door' | 'quota' | 'confirmsIdentity'> {
  /** Unknown parameters of searches among the entries are refused. */
  readonly strict: boolean;
}

/** The outcome of an entry. */
export interface PerformedEntry {
  readonly entry: BundleEntry;
  readonly answer: FhirAnswer;
}

/** The one way that a transaction Bundle is taken, whichever door it came through. */
@Injectable()
export class TransactionPerformer {
  constructor(
    private readonly interactions: ResourceInteractions,
    private readonly searching: ResourceSearch,
    private readonly store: ResourceStore,
    private readonly unserved: UnservedEntries,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Prepares the entries, then calls `inside` within the database transaction: `run` performs them there, once, and answers in their order.
   * Prepared bytes that are not needed after all are discarded. `fhir.bundle`, and the refusal of the first bad entry.
   */
  async perform<T>(
    caller: Caller,
    request: TransactionRequest,
    shaped: ShapedBundle,
    inside: (call: FhirCall, run: () => Promise<PerformedEntry[]>) => Promise<T>,
  ): Promise<T> {
    const { strict, ...context } = request;
    const aside = await this.unserved.skipUnsupported(caller, shaped, request.base);
    const entries = shaped.entries.map((entry, index) => aside.get(index) ?? readEntry(entry, index, request.base));
    refuseRepeats(entries.filter(({ skipped }) => skipped === undefined));
    const known = await this.idsOf(caller, entries);
    const draft = await TransactionDraft.prepare(this.interactions, caller, request.base, entries, known);
    let made: TransactionRun | null = null;
    try {
      const result = await this.unitOfWork.inTenant(caller, (transaction) => {
        const call: FhirCall = { ...context, transaction, caller };
        return inside(call, async () => {
          made = new TransactionRun(draft, call, this.interactions, this.searching, strict);
          return (await made.run()).map((answer, at) => ({ entry: entries[at]!, answer }));
        });
      });
      await draft.discard((write) => made === null || made.isUnused(write));
      return result;
    } catch (fault) {
      await draft.discard();
      throw fault;
    }
  }

  /** The ids here of what entries put to or patch, by `Type/id`: of what is there, and of what was deleted and can come to life again. */
  private async idsOf(caller: Caller, entries: readonly BundleEntry[]): Promise<ReadonlyMap<string, string>> {
    const named = entries.flatMap(({ method, target, skipped }) =>
      skipped === undefined && (method === 'PUT' || method === 'PATCH') && target.kind === 'instance'
        ? [{ type: target.type, id: target.id }]
        : [],
    );
    if (named.length === 0) return new Map();
    return this.unitOfWork.inTenant(caller, async (transaction) => {
      const aliases = await this.store.resolve(transaction, named);
      const here = named.map(({ type, id }) => ({
        type,
        id: aliases.get(`${type}/${id}`) ?? id,
        asked: `${type}/${id}`,
      }));
      const missing = new Set((await this.store.missing(transaction, here)).map(({ type, id }) => `${type}/${id}`));
      const known = new Map<string, string>();
      for (const { type, id, asked } of here) {
        const isThere = !missing.has(`${type}/${id}`);
        const gone = isThere ? null : await this.store.findDeleted(transaction, type as ResourceType, id);
        if (isThere || gone?.isKnown === true) known.set(asked, id);
      }
      return known;
    });
  }
}
