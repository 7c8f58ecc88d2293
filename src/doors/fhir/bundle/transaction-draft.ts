import type { Resource } from '@medplum/fhirtypes';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { ResourceInteractions } from '../interactions/resource-interactions.js';
import type { Submission } from '../interactions/resource-writing.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import type { BundleEntry } from './bundle-entry.js';
import { EntryLinks } from './entry-links.js';
import { atEntry } from './entry-fault.js';
import { findLinks, type FoundLink } from './find-links.js';
import { pacer } from '../../../platform/turns/turns.js';
import { yieldBetween } from './yield-between.js';
import { putRequestOf } from './read-entry.js';

/** Limits memory: each of these may hold a decoded photo. */
const SUBMITTED_AT_ONCE = 4;

/** A create or update whose resource is valid, with the links that will be rewritten in it. */
export interface DraftedWrite {
  readonly entry: BundleEntry;
  readonly resource: Resource;
  readonly links: readonly FoundLink[];
  /** null for an update, which brings no bytes. */
  readonly submission: Submission | null;
}

/** The work before the transaction opens: every resource is validated, its bytes are prepared, and its links are resolved. */
export class TransactionDraft {
  private constructor(
    readonly entries: readonly BundleEntry[],
    readonly writes: readonly DraftedWrite[],
    readonly links: EntryLinks,
    /** The ids here of resources that entries name by their id or by a client's, by `Type/id`: those that are there, or were until they were deleted. */
    readonly known: ReadonlyMap<string, string>,
  ) {}

  /** The refusal of the first bad entry; uploads staged until then are undone. */
  static async prepare(
    interactions: ResourceInteractions,
    caller: Caller,
    base: string,
    entries: readonly BundleEntry[],
    known: ReadonlyMap<string, string>,
  ): Promise<TransactionDraft> {
    const links = new EntryLinks(entries, base);
    const writing = entries.filter(
      ({ method, skipped }) => skipped === undefined && (method === 'POST' || method === 'PUT'),
    );
    const results = await yieldBetween(writing, SUBMITTED_AT_ONCE, (entry) =>
      draft(interactions, caller, entry, mayCreate(entry, known)),
    );
    const drafted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const transaction = new TransactionDraft(entries, drafted, links, known);
    try {
      const pause = pacer();
      for (const [at, result] of results.entries()) {
        await pause();
        const { index } = writing[at]!;
        if (result.status === 'rejected') throw atEntry(result.reason, index);
        const faults = links.faultsOf(result.value.links, result.value.entry.fullUrl);
        if (faults.length > 0) throw atEntry(new OutcomeError('fhir.reference', faults), index);
      }
    } catch (fault) {
      await transaction.discard();
      throw fault;
    }
    return transaction;
  }

  /** Discards the prepared bytes of all entries, or of those that were not created after all. */
  async discard(isUnused: (write: DraftedWrite) => boolean = () => true): Promise<void> {
    for (const write of this.writes) if (isUnused(write)) await write.submission?.prepared.discard?.();
  }
}

async function draft(
  interactions: ResourceInteractions,
  caller: Caller,
  entry: BundleEntry,
  creates: boolean,
): Promise<DraftedWrite> {
  if (entry.method === 'PUT' && !creates) {
    const resource = await interactions.changing.valid(caller, entry.target.type, entry.resource);
    return { entry, resource, links: findLinks(resource), submission: null };
  }
  const submission = await (entry.method === 'POST'
    ? interactions.writing.submit(caller, entry.target.type, entry.resource)
    : interactions.putting.submit(caller, putRequestOf(entry)));
  const { resource } = submission;
  // A PUT that turns out to be an update uses the resource as sent.
  const sent = entry.method === 'POST' || entry.resource === resource ? [] : findLinks(entry.resource as Resource);
  return { entry, resource, links: [...findLinks(resource), ...sent], submission };
}

/** True for a PUT that may have to create: one to criteria, or to an id that names nothing yet. */
function mayCreate({ target }: BundleEntry, known: ReadonlyMap<string, string>): boolean {
  return target.kind === 'type' || (target.kind === 'instance' && !known.has(`${target.type}/${target.id}`));
}
