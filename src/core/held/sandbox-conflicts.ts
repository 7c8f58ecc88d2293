import type { JobRequest } from '../analysis/analysis-job.js';
import { askedForBySandbox, requireSandboxOutcome, type SandboxOutcome } from '../analysis/sandbox-outcome.js';
import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { Digest } from '../ports/digest.js';
import type { IdSource } from '../ports/id-source.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { Caller } from '../tenancy/api-key.js';
import { NOTHING_CAME, type HeldResolution } from './held-item.js';
import type { HeldItems, NewHeldItem } from './held-items.js';
import { IDENTITY_WAITS_FOR } from './identity-conflicts.js';

const WAITS =
  'nothing is analysed or charged until a person has decided about the item of heldId. Repeat the request then for its job.';
const DISCARDED = 'a person decided that nothing of this request is filed. Upload the photo anew for another try.';

export interface SandboxConflictPorts {
  readonly items: HeldItems;
  readonly unitOfWork: UnitOfWork;
  readonly ids: IdSource;
  readonly digest: Digest;
}

/**
 * Requests for a job that asked to wait for a person (`held:identity_conflict`), which native ones, without a name or birth date, never do by
 * themselves. They stand on the list as any other, and a decision about them counts for their repeat: the same key, photo and subject.
 */
export class SandboxConflicts {
  constructor(private readonly ports: SandboxConflictPorts) {}

  /**
   * Performs the request; `identity.conflict` with the id of what waits where it asked for that and nobody has decided, or it was discarded. With
   * `another` the patient's number is of the authority that was named. What AnalysisService.create refuses.
   */
  async orHold<T>(caller: Caller, asked: JobRequest, perform: (request: JobRequest) => Promise<T>): Promise<T> {
    const outcome = requireSandboxOutcome(caller.environment, asked.metadata);
    if (outcome?.kind !== 'held:identity_conflict') return perform(asked);
    const key = this.keyOf(caller, asked);
    const before = await this.ports.unitOfWork.inTenant(caller, (transaction) =>
      this.ports.items.newest(transaction, key),
    );
    if (before !== null && before.resolution === null) throw refusal(outcome, WAITS, before.itemId);
    if (before?.resolution?.action === 'discard') throw refusal(outcome, DISCARDED);
    if (before?.resolution !== undefined && before.resolution !== null)
      return perform({ ...decided(asked, before.resolution), isSandboxDecided: true });
    try {
      return await perform(asked);
    } catch (fault) {
      if (!isSuturaError(fault, 'identity.conflict')) throw fault;
      throw refusal(outcome, WAITS, await this.hold(caller, this.itemOf(outcome, key, asked, fault.facts.record)));
    }
  }

  private async hold(caller: Caller, item: NewHeldItem): Promise<string> {
    const held = await this.ports.unitOfWork.inTenant(caller, (transaction) =>
      this.ports.items.hold(transaction, item, null),
    );
    return typeof held === 'string' ? held : held.itemId;
  }

  private keyOf({ keyId }: Caller, { imageId, subject }: JobRequest): Uint8Array {
    const text = JSON.stringify(['sandbox', keyId, imageId, subject]);
    const bytes = new TextEncoder();
    return bytes.encode(this.ports.digest.sha256(bytes.encode(text)));
  }

  private itemOf(
    outcome: SandboxOutcome,
    key: Uint8Array,
    { imageId }: JobRequest,
    record: string | undefined,
  ): NewHeldItem {
    const patientIds = record === undefined ? [] : [record.slice(record.indexOf('/') + 1)];
    const resources = record === undefined ? [] : [record];
    return {
      id: this.ports.ids.next(),
      reason: 'identity_conflict',
      door: 'rest',
      key,
      came: { ...NOTHING_CAME, imageIds: [imageId], resources, patientIds },
      waitsFor: askedForBySandbox(outcome, IDENTITY_WAITS_FOR),
      actions: ['same', 'another', 'discard'],
    };
  }
}

function refusal(outcome: SandboxOutcome, what: string, heldId?: string): SuturaError {
  return new SuturaError('identity.conflict', {
    detail: askedForBySandbox(outcome, what),
    ...(heldId === undefined ? {} : { heldId }),
  });
}

function decided(asked: JobRequest, { action, authority }: HeldResolution): JobRequest {
  return action === 'another' && authority !== undefined && asked.subject?.patientId !== undefined
    ? { ...asked, subject: { ...asked.subject, patientSystem: authority } }
    : asked;
}
