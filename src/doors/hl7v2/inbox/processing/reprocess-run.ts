import type { Resource } from '@medplum/fhirtypes';
import type { AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import type { WrittenInRun } from '../../mapping/reading/earlier-handling.js';

/** A version that the run wrote; `before`: when the record was last changed by anything else, null: never. */
interface WrittenRecord {
  readonly versionId: string;
  readonly before: Date | null;
}

/**
 * Messages that are read once more one after the other, oldest first: what an older one has just written is nothing that came later for those behind it.
 * What else of a record changes meanwhile has a version that the run did not write.
 */
export class ReprocessRun implements WrittenInRun {
  private readonly written = new Map<string, WrittenRecord>();

  changedBefore({ resourceType, id, meta }: Resource): Date | null | undefined {
    const known = this.written.get(`${resourceType}/${id}`);
    return known === undefined || known.versionId !== meta?.versionId ? undefined : known.before;
  }

  /** Once it is committed. */
  note({ bundle }: InboundPlan, { references, versions }: AppliedBundle): void {
    for (const [at, { request, resource }] of (bundle?.entry ?? []).entries()) {
      const [reference, version] = [references[at], versions[at]];
      if (reference === undefined || version?.versionId === undefined || resource === undefined) continue;
      const before = version.isNew ? null : request?.method === 'PUT' ? this.beforeChange(resource) : undefined;
      // What a condition found there already, or what was put as it was, has the version of whoever wrote it.
      const isWritten = version.isNew || version.versionId !== resource.meta?.versionId;
      if (before !== undefined && isWritten) this.written.set(reference, { versionId: version.versionId, before });
    }
  }

  /** Of the version that was read and is changed; undefined: it does not say. */
  private beforeChange(read: Resource): Date | null | undefined {
    const known = this.changedBefore(read);
    if (known !== undefined) return known;
    const { versionId, lastUpdated } = read.meta ?? {};
    return versionId === undefined || lastUpdated === undefined ? undefined : new Date(lastUpdated);
  }
}
