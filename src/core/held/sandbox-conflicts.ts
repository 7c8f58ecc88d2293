import { patientIdentifierOf, type JobRequest } from '../analysis/analysis-job.js';
import { askedForBySandbox, requireSandboxOutcome, type SandboxOutcome } from '../analysis/sandbox-outcome.js';
import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { ImageRepository } from '../images/image.repository.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import type { Digest } from '../ports/digest.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Caller } from '../tenancy/api-key.js';
import { NOTHING_CAME, type HeldResolution } from './held-item.js';
import type { HeldItems, NewHeldItem } from './held-items.js';
import { IDENTITY_WAITS_FOR } from './identity-conflicts.js';

const WAITS =
  'nothing is analysed or charged until a person has decided about the item of heldId. Repeat the request then for its job.';
const DISCARDED = 'a person decided that nothing of this request is filed. Upload the photo anew for another try.';

const FULL =
  'too many such requests wait already. Decide about them first, by the list of what is held; nothing waits because of this one.';
/** So many wait at most in one organization: each is asked for, and none charged. */
const MOST_OPEN = 100;
/** A decision counts for so long. */
const KEPT_DAYS = 7;

/** By which what waits is found again. */
interface Keys {
  readonly key: Uint8Array;
  readonly repeatKey?: Uint8Array;
}

export interface SandboxConflictPorts {
  readonly items: HeldItems;
  readonly images: Pick<ImageRepository, 'find'>;
  readonly patients: Pick<PatientRepository, 'carriers'>;
  readonly unitOfWork: UnitOfWork;
  readonly ids: IdSource;
  readonly digest: Pick<Digest, 'sha256'>;
}

/**
 * Requests for a job that asked to wait for a person (`held:identity_conflict`), which native ones, without a name or birth date, never do by
 * themselves. They stand on the list as any other, and a decision about them counts for their repeat: the same key, photo and subject, or the same
 * key, Idempotency-Key, bytes of the photo and subject.
 */
export class SandboxConflicts {
  constructor(private readonly ports: SandboxConflictPorts) {}

  /**
   * Performs the request; `identity.conflict` with the id of what waits where it asked for that and nobody has decided, or it was discarded. With
   * `another` the patient's number is of the authority that was named. What AnalysisService.create refuses.
   * @param repeat what tells a repeat that uploaded the photo once more, of Idempotency-Key and bytes; null: nothing does
   */
  async orHold<T>(
    caller: Caller,
    asked: JobRequest,
    perform: (request: JobRequest) => Promise<T>,
    repeat: string | null = null,
  ): Promise<T> {
    const outcome = requireSandboxOutcome(caller.environment, asked.metadata);
    if (outcome?.kind !== 'held:identity_conflict') return perform(asked);
    const keys = this.keysOf(caller, asked, repeat);
    const before = await this.ports.unitOfWork.inTenant(caller, (transaction) =>
      this.ports.items.newest(transaction, keys.key, keys.repeatKey ?? null),
    );
    if (before !== null && before.resolution === null) throw refusal(outcome, WAITS, before.itemId);
    if (before?.resolution?.action === 'discard') throw refusal(outcome, DISCARDED);
    if (before?.resolution !== undefined && before.resolution !== null)
      return perform({ ...decided(asked, before.resolution), decidedItem: before.itemId });
    try {
      return await perform(asked);
    } catch (fault) {
      if (!isSuturaError(fault, 'identity.conflict')) throw fault;
      throw refusal(outcome, WAITS, await this.hold(caller, outcome, keys, asked));
    }
  }

  /** The record under which the job was filed, in its transaction: what was decided goes with that patient. */
  async filed(
    transaction: TenantTransaction,
    { decidedItem }: Pick<JobRequest, 'decidedItem'>,
    patientId: string | null,
  ): Promise<void> {
    if (decidedItem !== undefined && patientId !== null)
      await this.ports.items.noteRecord(transaction, decidedItem, patientId);
  }

  /** Forgets decisions that count no longer. */
  async removeOld(): Promise<void> {
    const { items, unitOfWork } = this.ports;
    await unitOfWork.inSystem((transaction) => items.removeOfSandbox(transaction, KEPT_DAYS));
  }

  private async hold(caller: Caller, outcome: SandboxOutcome, keys: Keys, asked: JobRequest): Promise<string> {
    const { items, unitOfWork } = this.ports;
    return unitOfWork.inTenant(caller, async (transaction) => {
      if ((await items.openOfSandbox(transaction)) >= MOST_OPEN) throw refusal(outcome, FULL);
      const held = await items.hold(transaction, await this.itemOf(transaction, outcome, keys, asked), null);
      return typeof held === 'string' ? held : held.itemId;
    });
  }

  private keysOf({ keyId }: Caller, { imageId, subject }: JobRequest, repeat: string | null): Keys {
    const bytes = new TextEncoder();
    const digestOf = (...parts: unknown[]) =>
      bytes.encode(this.ports.digest.sha256(bytes.encode(JSON.stringify(['sandbox', keyId, ...parts, subject]))));
    return { key: digestOf(imageId), ...(repeat === null ? {} : { repeatKey: digestOf('repeat', repeat) }) };
  }

  /** Names the patient's record where there is one: the refused request made none. */
  private async itemOf(
    transaction: TenantTransaction,
    outcome: SandboxOutcome,
    keys: Keys,
    { imageId, subject }: JobRequest,
  ): Promise<NewHeldItem> {
    const { images, patients } = this.ports;
    const filedUnder = (await images.find(transaction, imageId))?.patientId ?? null;
    const number = patientIdentifierOf(subject);
    const carriers = number === null ? [filedUnder] : await patients.carriers(transaction, [number]);
    const patientIds = carriers.filter((one) => one !== null);
    const resources = patientIds.map((one) => `Patient/${one}`);
    return {
      id: this.ports.ids.next(),
      reason: 'identity_conflict',
      door: 'rest',
      ...keys,
      came: { ...NOTHING_CAME, imageIds: [imageId], resources, patientIds },
      waitsFor: askedForBySandbox(outcome, IDENTITY_WAITS_FOR),
      // A photo that is filed under one person cannot become another's.
      actions: filedUnder === null ? ['same', 'another', 'discard'] : ['same', 'discard'],
      sandbox: outcome.asked,
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
