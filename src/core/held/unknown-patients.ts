import type { Outbox } from '../domain-events/outbox.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import type { PatientIdentifier } from '../patients/patient.js';
import type { Digest } from '../ports/digest.js';
import type { IdSource } from '../ports/id-source.js';
import type { SystemTransaction, TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { AwaitedNumbers } from './awaited-numbers.js';
import {
  NOTHING_CAME,
  type HeldActor,
  type HeldCount,
  type HeldItem,
  type HeldReason,
  type HeldResolution,
} from './held-item.js';
import type { HeldItems } from './held-items.js';
import type { HeldPage, HeldSource } from './held-source.js';

const REASONS: readonly HeldReason[] = ['patient_unknown'];
const WAITS_FOR =
  'The patient by the number that the messages name, whom nobody has announced: they go on by themselves once the patient comes by any door.';
/** Whoever announces the patient; nobody has decided. */
const BY_ARRIVAL: HeldActor = { name: 'the patient has come' };

export interface UnknownPatientsPorts {
  readonly awaited: AwaitedNumbers;
  readonly digest: Digest;
  readonly ids: IdSource;
  readonly items: HeldItems;
  readonly outbox: Outbox;
  readonly patients: PatientRepository;
  readonly unitOfWork: UnitOfWork;
}

/** Messages about patients whom nobody has announced, of senders who may only name those who are known. */
export class UnknownPatients implements HeldSource {
  readonly reasons = REASONS;

  constructor(private readonly ports: UnknownPatientsPorts) {}

  open(transaction: TenantTransaction, page: HeldPage): Promise<readonly HeldItem[]> {
    return this.ports.items.open(transaction, REASONS, page);
  }

  find(transaction: TenantTransaction, id: string): Promise<HeldItem | null> {
    return this.ports.items.find(transaction, REASONS, id);
  }

  count(transaction: SystemTransaction): Promise<readonly HeldCount[]> {
    return this.ports.items.count(transaction, REASONS);
  }

  /** What is known of messages about the same numbers, in whatever order they stand. */
  keyOf(numbers: readonly PatientIdentifier[]): Uint8Array {
    const text = new TextEncoder();
    const sorted = numbers.map(({ system, value }) => JSON.stringify([system, value])).sort();
    return text.encode(this.ports.digest.sha256(text.encode(JSON.stringify(['patient', ...sorted]))));
  }

  /** Holds a message until a patient has one of the numbers; answers the id of the item, or null where one has it by now: nothing is held. */
  async hold(
    transaction: TenantTransaction,
    messageId: string,
    numbers: readonly PatientIdentifier[],
  ): Promise<string | null> {
    const { awaited, ids, items, patients } = this.ports;
    // Whoever announces one of them at this moment waits for this transaction, or is seen here.
    const carriers = await patients.claim(transaction, numbers);
    if (carriers.some((carrier) => carrier !== null)) return null;
    const held = await items.hold(
      transaction,
      {
        id: ids.next(),
        reason: 'patient_unknown',
        door: 'hl7v2',
        key: this.keyOf(numbers),
        came: { ...NOTHING_CAME, messageIds: [messageId] },
        waitsFor: WAITS_FOR,
        actions: ['accept', 'discard'],
      },
      null,
    );
    if (typeof held !== 'string') throw new SuturaError('fhir.version_conflict');
    await awaited.keep(transaction, held, numbers);
    return held;
  }

  /** `accept`: the records are made from what the messages say; `discard`: nothing of them is ever filed. */
  async resolve(tenant: Tenant, item: HeldItem, resolution: HeldResolution, actor: HeldActor): Promise<void> {
    const pointer = resolution.authority !== undefined ? '/authority' : resolution.to === undefined ? null : '/to';
    if (pointer !== null)
      throw new SuturaError('request.invalid', { errors: [{ pointer, detail: 'is not for this action' }] });
    await this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      await this.settle(transaction, item.id, resolution, actor);
      // Of what was accepted the numbers stay until their record is there, which the item then names.
      if (resolution.action === 'discard') await this.ports.awaited.drop(transaction, item.id);
    });
  }

  /** Has what waited for this patient worked off. Idempotent. */
  async arrive(tenant: Tenant, patientId: string): Promise<void> {
    const { awaited, items, unitOfWork } = this.ports;
    await unitOfWork.inTenant(tenant, async (transaction) => {
      for (const itemId of await awaited.ofPatient(transaction, patientId)) {
        await items.noteRecord(transaction, itemId, patientId);
        if ((await items.find(transaction, REASONS, itemId)) !== null)
          await this.settle(transaction, itemId, { action: 'link', to: `Patient/${patientId}` }, BY_ARRIVAL);
        await awaited.drop(transaction, itemId);
      }
    });
  }

  private async settle(
    transaction: TenantTransaction,
    itemId: string,
    resolution: HeldResolution,
    actor: HeldActor,
  ): Promise<void> {
    if (!(await this.ports.items.settle(transaction, itemId, resolution, actor)))
      throw new SuturaError('held.not_found');
    await this.ports.outbox.append(transaction, { kind: 'held.settled', subjectId: itemId });
  }
}
