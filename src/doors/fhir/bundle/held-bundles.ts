import { Injectable } from '@nestjs/common';
import type { Bundle, Patient, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { HeldItems, type NewHeldItem } from '../../../core/held/held-items.js';
import { NOTHING_CAME } from '../../../core/held/held-item.js';
import { HeldRequests, type HeldRequestState } from '../../../core/held/held-requests.js';
import { IDENTITY_WAITS_FOR } from '../../../core/held/identity-conflicts.js';
import { StorageAllowance } from '../../../core/images/storage-allowance.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import type { Preconditions } from '../call/fhir-call.js';
import type { PutRequest, ResourceChoice } from '../interactions/put-request.js';
import { withPatch, type SentPatch } from '../interactions/sent-patch.js';
import { digestOf } from './body-digest.js';
import { readPatch } from './entry-interaction.js';

/** What a repeat of a request is answered with that was held, once it is done. */
export type HeldAnswer =
  | { readonly kind: 'done'; readonly bundle: Bundle }
  | { readonly kind: 'held again' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: string };

/** A transaction as it waits: the body of one that was posted, or one for a PUT. */
export interface HeldTransaction {
  readonly bundle: Bundle;
  /** `Patient/id` that it would have made somebody else. */
  readonly record: string;
  /** Of a PATCH, which counts for the record as it is when a person has decided that it is the same one. `bundle` puts what it made when it came. */
  readonly patch?: SentPatch;
  /** Place of the entry that would have; absent: it came before this was kept, or is none of the Patient itself. */
  readonly at?: number;
  /** Records of the same transaction of which a person has decided that they are the same. */
  readonly confirmed?: readonly string[];
  /** Of PATCHes within a transaction: what those of the record made of it when they came, by their place in the Bundle. They count where it is another's. */
  readonly made?: Readonly<Record<number, Patient>>;
}

/** A PATCH as it was sent. */
export interface PatchRequest {
  readonly type: string;
  readonly target: ResourceChoice;
  readonly patch: SentPatch;
  readonly conditions: Preconditions;
}

const WAITS =
  'The record has another birth date and other given names. The request is kept, and nothing of it is filed until a person has decided who is meant. Repeat it later for its result.';
/** What a repeat is told that was discarded. */
export const DISCARDED = 'A person decided that nothing of this request is filed. Correct it, and send it anew.';
const RETRY_AFTER_S = 2;

/** Transactions that would make a patient another person: they are kept until somebody has decided, and repeats are answered accordingly. */
@Injectable()
export class HeldBundles {
  constructor(
    private readonly items: HeldItems,
    private readonly requests: HeldRequests,
    private readonly ids: IdSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ResourceStore,
    private readonly allowance: StorageAllowance,
  ) {}

  /**
   * Performs a transaction that was not held before; what it is answered with where it was, and is done. `identity.conflict` with the id of what
   * waits, `storage.limit` where the organization may keep no more, and the refusals of `perform`.
   */
  async orHold<T>(caller: Caller, bundle: unknown, perform: () => Promise<T>): Promise<T | Bundle> {
    if (!changesPatient(bundle)) return perform();
    return this.decided(caller, { bundle }, perform, (record, fault) =>
      this.posted(caller, bundle as Bundle, record, fault),
    );
  }

  /** The same for a PATCH: it is held with the whole record that it makes. */
  async orHoldPatch<T>(caller: Caller, asked: PatchRequest, perform: () => Promise<T>): Promise<T | Bundle> {
    if (asked.type !== 'Patient') return perform();
    return this.decided(caller, { patch: asked }, perform, (record) => this.patched(caller, asked, record));
  }

  /** `request`: by which a repeat is known. `content`: what is kept, where `Patient/id` would become somebody else. */
  private async decided<T>(
    caller: Caller,
    request: object,
    perform: () => Promise<T>,
    content: (record: string, fault: SuturaError) => Promise<HeldTransaction>,
  ): Promise<T | Bundle> {
    const key = Buffer.from(await digestOf({ keyId: caller.keyId, ...request }), 'hex');
    const before = await this.unitOfWork.inTenant(caller, (transaction) => this.requests.state(transaction, key));
    if (before !== null) return answered(before);
    try {
      return await perform();
    } catch (fault) {
      if (!(fault instanceof SuturaError) || fault.code !== 'identity.conflict') throw fault;
      const { record } = fault.facts;
      // Of a contained Patient: nobody's record would be changed.
      if (record === undefined) throw fault;
      throw waiting(await this.hold(caller, await content(record, fault), key), fault);
    }
  }

  /** A PATCH says no whole record: what it would have made is kept with it, for the case that it is another one's. */
  private async posted(caller: Caller, bundle: Bundle, record: string, fault: SuturaError): Promise<HeldTransaction> {
    const at = placeOfFault(fault);
    const entry = at === null ? undefined : bundle.entry?.[at];
    if (at === null || entry === undefined) return { bundle, record };
    if (!isPatientPatch(entry)) return { bundle, record, ...(isPatientPut(entry) ? { at } : {}) };
    const patched = withPatch(await this.present(caller, record), readPatch(entry.resource));
    return { bundle, record, at, made: { [at]: patched } };
  }

  private async patched(caller: Caller, { patch, conditions }: PatchRequest, record: string): Promise<HeldTransaction> {
    const current = await this.present(caller, record);
    const put = {
      type: 'Patient',
      target: { kind: 'id', id: current.id! },
      body: withPatch(current, patch),
      conditions,
    } as const;
    return { bundle: putBundle(put), record, patch };
  }

  /** `fhir.not_found` where it is gone since. */
  private async present(caller: Caller, record: string): Promise<Patient> {
    const id = record.slice(record.indexOf('/') + 1);
    const current = await this.unitOfWork.inTenant(caller, (transaction) =>
      this.store.find<Patient>(transaction, 'Patient', id),
    );
    if (current === null) throw new SuturaError('fhir.not_found');
    return current.resource;
  }

  private async hold(caller: Caller, content: HeldTransaction, key: Uint8Array): Promise<string> {
    const item = identityItem(this.ids.next(), key, content);
    const bytes = Buffer.byteLength(JSON.stringify(content));
    await this.allowance.require(caller.organizationId, bytes);
    this.allowance.note(caller.organizationId, bytes);
    return this.unitOfWork.inTenant(caller, async (transaction) => {
      const held = await this.items.hold(transaction, item, null);
      // Decided by somebody while this was on its way: the repeat finds what became of it.
      if (typeof held !== 'string') return held.itemId;
      await this.requests.keep(transaction, held, { caller, content });
      return held;
    });
  }
}

/** The same as a transaction, as it is kept where it is held. */
export function putBundle({ type, target, body, conditions }: PutRequest): Bundle {
  const { ifMatch } = conditions;
  const url = `${type}${target.kind === 'id' ? `/${target.id}` : `?${target.criteria}`}`;
  const request = { method: 'PUT', url, ...(ifMatch === undefined ? {} : { ifMatch }) } as const;
  return { resourceType: 'Bundle', type: 'transaction', entry: [{ resource: body as Resource, request }] };
}

/** The item of the list for a transaction that waits. */
export function identityItem(id: string, key: Uint8Array | null, { record }: HeldTransaction): NewHeldItem {
  return {
    id,
    reason: 'identity_conflict',
    door: 'fhir',
    key,
    came: { ...NOTHING_CAME, resources: [record], patientIds: [record.slice(record.indexOf('/') + 1)] },
    waitsFor: IDENTITY_WAITS_FOR,
    actions: ['same', 'another', 'discard'],
  };
}

function answered({ itemId, resolution, answer }: HeldRequestState): Bundle {
  const known = answer as HeldAnswer | null;
  if (known?.kind === 'done') return known.bundle;
  if (known?.kind === 'refused') throw new SuturaError(known.code, { detail: known.detail });
  if (resolution?.action === 'discard') throw new SuturaError('identity.conflict', { detail: DISCARDED });
  throw new SuturaError('identity.conflict', {
    detail: WAITS,
    heldId: itemId,
    ...(resolution === null ? {} : { retryAfterS: RETRY_AFTER_S }),
  });
}

function waiting(heldId: string, fault: SuturaError): SuturaError {
  const facts = { ...fault.facts, detail: WAITS, heldId };
  if (!(fault instanceof OutcomeError)) return new SuturaError('identity.conflict', facts);
  return new OutcomeError(
    'identity.conflict',
    fault.issues.map((issue) => ({ ...issue, details: WAITS })),
    facts,
  );
}

/** Only a Patient that is put or patched can become somebody else. */
function changesPatient(bundle: unknown): boolean {
  const { entry } = (bundle ?? {}) as { readonly entry?: unknown };
  return Array.isArray(entry) && entry.some((one) => isPatientPut(one) || isPatientPatch(one));
}

export function isPatientPut(entry: unknown): boolean {
  const { request, resource } = (entry ?? {}) as {
    readonly request?: { readonly method?: unknown };
    readonly resource?: { readonly resourceType?: unknown };
  };
  return request?.method === 'PUT' && resource?.resourceType === 'Patient';
}

export function isPatientPatch(entry: unknown): boolean {
  const { method, url } =
    ((entry ?? {}) as { readonly request?: { readonly method?: unknown; readonly url?: unknown } }).request ?? {};
  return method === 'PATCH' && typeof url === 'string' && /(?:^|\/)Patient[/?]/.test(url);
}

/** The place of the entry at fault; null: none is named. */
export function placeOfFault(fault: SuturaError): number | null {
  const expression = fault instanceof OutcomeError ? fault.issues[0]?.expression : undefined;
  const at = /^Bundle\.entry\[(\d+)\]/.exec(expression ?? '')?.[1];
  return at === undefined ? null : Number(at);
}
