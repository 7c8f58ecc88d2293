import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import type { ResourceInteractions } from '../interactions/resource-interactions.js';
import type { BundleEntry } from './bundle-entry.js';
import { atEntry } from './entry-fault.js';
import { answerDelete } from './entry-interaction.js';
import { identityOf } from './read-entry.js';

/** The DELETE entries of one transaction: first of all its work (R4 http.html 3.1.0.11.2), and looked at once more at its end. */
export class TransactionDeletions {
  private readonly answers = new Map<BundleEntry, FhirAnswer>();

  constructor(
    private readonly entries: readonly BundleEntry[],
    private readonly interactions: ResourceInteractions,
  ) {}

  /** In one order, so that two transactions cannot wait for each other. The answers by entry. */
  async perform(call: FhirCall): Promise<ReadonlyMap<BundleEntry, FhirAnswer>> {
    const deletes = this.entries.filter(({ method, skipped }) => skipped === undefined && method === 'DELETE');
    for (const entry of deletes.sort(byIdentity))
      this.answers.set(entry, await at(entry, () => answerDelete(this.interactions, call, entry)));
    return this.answers;
  }

  /** `Type/id` of what is gone. */
  addresses(): string[] {
    return [...this.answers.values()].flatMap(({ gone }) =>
      gone === undefined ? [] : [`${gone.resourceType}/${gone.id}`],
    );
  }

  /** `fhir.in_use`, once all is written: another entry may have changed what referred to a deleted resource. */
  async refuseReferred(call: FhirCall): Promise<void> {
    for (const [entry, answer] of this.answers)
      await at(entry, () => this.interactions.deleting.refuseReferred(call, [answer]));
  }
}

function byIdentity(first: BundleEntry, second: BundleEntry): number {
  const [one, other] = [identityOf(first.target), identityOf(second.target)];
  return one < other ? -1 : Number(one > other);
}

async function at<T>({ index }: BundleEntry, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw atEntry(thrown, index);
  }
}
