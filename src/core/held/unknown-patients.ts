import type { Outbox } from '../domain-events/outbox.js';
import { SuturaError } from '../errors/sutura-error.js';
import { FACILITY_SYSTEM } from '../patients/authority-forms.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import type { PatientIdentifier } from '../patients/patient.js';
import type { Digest } from '../ports/digest.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { AwaitedNumbers } from './awaited-numbers.js';
import { NOTHING_CAME, type HeldActor, type HeldItem, type HeldResolution } from './held-item.js';
import type { HeldItems } from './held-items.js';
import { KeptHeldSource, refuseFields } from './kept-held-source.js';

const WAITS_FOR =
  'The patient by the number that the messages name, whom nobody has announced: they go on by themselves once the patient comes by any door.';
const BARE =
  'Their number came without an authority. A default authority that is set for the connection from now on counts for later messages alone: these are accepted, or discarded and sent again.';
const FAILED =
  'A message that was accepted while it waited, and cannot be carried out as it stands. Put right what is named, such as the record of the patient or the settings of the connection, and have it tried again; or discard it';
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

/** What became of a message that was to be held: the id of its item, or the numbers of its patients if all of them are known by now. */
export type HeldOrCome = { readonly held: string } | { readonly come: readonly PatientIdentifier[] };

/** Messages about patients whom nobody has announced, of senders who may only name those who are known. */
export class UnknownPatients extends KeptHeldSource {
  constructor(private readonly ports: UnknownPatientsPorts) {
    super(['patient_unknown'], ports);
  }

  /** What is known of messages about the same numbers, in whatever order they stand. */
  private keyOf(numbers: readonly PatientIdentifier[]): Uint8Array {
    const text = new TextEncoder();
    const sorted = [...new Set(numbers.map(({ system, value }) => JSON.stringify([system, value])))].sort();
    return text.encode(this.ports.digest.sha256(text.encode(JSON.stringify(['patient', ...sorted]))));
  }

  /** Holds a message until those of its patients have come, each with their numbers, who have not; nothing is held where all have. */
  async hold(
    transaction: TenantTransaction,
    messageId: string,
    patientsOfIt: readonly (readonly PatientIdentifier[])[],
  ): Promise<HeldOrCome> {
    const { awaited, ids, items, patients } = this.ports;
    const all = patientsOfIt.flat();
    // Whoever announces one of them at this moment waits for this transaction, or is seen here.
    const carriers = await patients.claim(transaction, all);
    const isCarried = new Map(all.map((number, at) => [number, carriers[at] !== null]));
    const numbers = patientsOfIt.filter((own) => !own.some((number) => isCarried.get(number))).flat();
    if (numbers.length === 0) return { come: all };
    const held = await items.hold(
      transaction,
      {
        id: ids.next(),
        reason: 'patient_unknown',
        door: 'hl7v2',
        key: this.keyOf(numbers),
        came: { ...NOTHING_CAME, messageIds: [messageId] },
        waitsFor: numbers.some(({ system }) => isBare(system)) ? `${WAITS_FOR} ${BARE}` : WAITS_FOR,
        actions: ['accept', 'discard'],
      },
      null,
    );
    if (typeof held !== 'string') throw new SuturaError('fhir.version_conflict');
    await awaited.keep(transaction, held, numbers);
    return { held };
  }

  /** Items whose messages about these numbers, or about a patient who has one, go on: none that was discarded, or that waits for somebody else still. */
  goingOn(transaction: TenantTransaction, numbers: readonly PatientIdentifier[]): Promise<readonly string[]> {
    return this.ports.awaited.goingOn(transaction, numbers);
  }

  /** The numbers of patients who get a record by a person's word. */
  async accepted(transaction: TenantTransaction, itemId: string): Promise<readonly PatientIdentifier[]> {
    const decision = await this.ports.items.decision(transaction, itemId);
    return decision?.resolution.action === 'accept' ? this.ports.awaited.ofItem(transaction, itemId) : [];
  }

  /**
   * Has a message worked off with those of the item, behind them, so that nobody can discard it with these: their patient has come.
   * `fhir.version_conflict` where somebody discarded them meanwhile, or the patient went.
   */
  async follow(transaction: TenantTransaction, itemId: string): Promise<void> {
    const patientId = await this.ports.awaited.comeFor(transaction, itemId);
    if (patientId !== null) await this.arriveIn(transaction, patientId);
    const decision = await this.ports.items.lockedDecision(transaction, itemId);
    if (decision === null || decision.resolution.action === 'discard') throw new SuturaError('fhir.version_conflict');
  }

  /**
   * An accepted message that cannot be carried out, with the codes of what stands against it: nobody else would hear of it. `retry` has it tried again,
   * `discard` ends it.
   */
  async stand(
    transaction: TenantTransaction,
    {
      messageId,
      numbers,
      codes,
    }: {
      readonly messageId: string;
      readonly numbers: readonly PatientIdentifier[];
      readonly codes: readonly string[];
    },
  ): Promise<string> {
    const { ids, items, patients } = this.ports;
    const carriers = numbers.length === 0 ? [] : await patients.carriers(transaction, numbers);
    const item = {
      id: ids.next(),
      reason: 'patient_unknown',
      door: 'hl7v2',
      key: null,
      came: {
        ...NOTHING_CAME,
        messageIds: [messageId],
        patientIds: [...new Set(carriers.filter((one) => one !== null))],
      },
      waitsFor: `${FAILED}. It says: ${[...new Set(codes)].join(', ')}.`,
      actions: ['retry', 'discard'],
    } as const;
    await items.hold(transaction, item, null);
    return item.id;
  }

  /** `accept`: the records are made from what the messages say; `retry`: tried again; `discard`: nothing of them is ever filed. */
  async resolve(tenant: Tenant, item: HeldItem, resolution: HeldResolution, actor: HeldActor): Promise<void> {
    refuseFields(resolution);
    await this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      // The numbers stay: of what was accepted until their record is there, of what was discarded as long as its messages, which are erased by them.
      await this.settle(transaction, item.id, resolution, actor);
    });
  }

  /** Has what waited for this patient worked off. Idempotent. */
  async arrive(tenant: Tenant, patientId: string): Promise<void> {
    await this.ports.unitOfWork.inTenant(tenant, (transaction) => this.arriveIn(transaction, patientId));
  }

  private async arriveIn(transaction: TenantTransaction, patientId: string): Promise<void> {
    const { awaited, items } = this.ports;
    for (const itemId of await awaited.ofPatient(transaction, patientId)) {
      const decision = await items.lockedDecision(transaction, itemId);
      await items.noteRecord(transaction, itemId, patientId);
      if (decision === null)
        await this.settle(transaction, itemId, { action: 'link', to: `Patient/${patientId}` }, BY_ARRIVAL);
      await awaited.drop(transaction, itemId);
    }
  }
}

/** The organization’s own numbering, or a facility’s. */
function isBare(system: string): boolean {
  return system === '' || system.startsWith(FACILITY_SYSTEM);
}
