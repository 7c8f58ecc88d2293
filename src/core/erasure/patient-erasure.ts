import type { AuditLog } from '../audit/audit-log.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { AuditAction, AuditedDoor } from '../audit/access.js';
import type { Operator } from '../tenancy/operator.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { ObjectStore } from '../images/object-store.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction, Transaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { RequestOrigin } from '../tenancy/api-key.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { LegalHolds } from './legal-holds.js';
import type { PatientErasureRecord, PatientErasureRepository, RowsErased } from './patient-erasure.repository.js';
import { addCounts, type ErasedPatient } from './patient-record.js';
import type { UnannouncedData } from './patient-data-eraser.js';
import type { PatientFinder, WantedPatient } from './patient-finder.js';
import type { PatientRecords } from './patient-records.js';
import type { PatientRemoval } from './patient-removal.js';

export interface PatientErasurePorts {
  readonly unitOfWork: UnitOfWork;
  readonly finder: PatientFinder;
  readonly patients: PatientRecords;
  readonly removal: PatientRemoval;
  readonly erasures: PatientErasureRepository;
  readonly holds: LegalHolds;
  readonly store: ObjectStore;
  readonly trail: AuditTrail;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Who asks for an erasure: an operator, or the key of an organization, with the person behind it. */
export interface ErasureAsker {
  readonly door: AuditedDoor;
  /** As AuditRecord.keyId. */
  readonly name: string;
  readonly origin?: RequestOrigin;
  readonly person?: string;
}

/** Undoes the transaction of a preview. */
class OnlyLooked extends Error {}

const RESUMED_AT_ONCE = 20;
/** The operator of background work. */
export const RETENTION_OPERATOR: Operator = { door: 'admin', name: 'retention' };

/**
 * Erases everything about one patient. Three steps, each one transaction: record who asked; delete every row, in all parts of the service or in none; delete the bytes. After a crash `resume` continues from the recorded row. The id that the patient had here stays, as the
 * pseudonym under which audit trail and counts go on.
 */
export class PatientErasure {
  /** `leaseS`: seconds for which an erasure is claimed. */
  constructor(
    private readonly ports: PatientErasurePorts,
    private readonly leaseS: number,
  ) {}

  /**
   * What an erasure would remove, by doing it and undoing it. `patient.not_found`, `patient.ambiguous`, `patient.on_hold`, `patient.in_use`, and what an eraser
   * refuses with.
   */
  async preview(asker: ErasureAsker, wanted: WantedPatient): Promise<RowsErased & { readonly patientId: string }> {
    const { unitOfWork } = this.ports;
    let found: (RowsErased & { readonly patientId: string }) | undefined;
    try {
      await unitOfWork.inSystem(async (transaction) => {
        const about = transaction.about(wanted.tenant);
        const meant = await this.find(about, wanted);
        if (typeof meant === 'string') {
          await this.refuseHeld(about, meant);
          found = { patientId: meant, ...(await this.ports.removal.remove(about, meant, null)) };
        } else {
          const removed = await this.ports.removal.removeUnannounced(about, meant);
          found = { patientId: this.ports.ids.next(), ...removed };
        }
        throw new OnlyLooked();
      });
    } catch (error) {
      if (!(error instanceof OnlyLooked)) throw error;
    }
    await unitOfWork.inSystem((transaction) =>
      this.record(transaction, asker, wanted.tenant, found!.patientId, { interaction: '$erase', action: 'R' }),
    );
    return found!;
  }

  /**
   * `patient.not_found`, `patient.ambiguous`, `patient.on_hold`, `patient.in_use`: nothing was recorded. Otherwise returns the state of the erasure, with what it waits for; one in progress continues.
   */
  async erase(asker: ErasureAsker, wanted: WantedPatient): Promise<PatientErasureRecord> {
    const id = await this.ask(asker, wanted);
    const { fault } = await this.tryOn(id);
    if (fault !== undefined) throw fault;
    return (await this.ports.erasures.find(id))!;
  }

  /**
   * Resumes interrupted and waiting erasures. Returns how many completed. A blocked one records what it waits for and is retried after the others.
   */
  async resume(): Promise<number> {
    const tried = new Set<string>();
    let ended = 0;
    let firstFault: unknown;
    for (;;) {
      const page = (await this.ports.erasures.unfinished(RESUMED_AT_ONCE)).filter((id) => !tried.has(id));
      if (page.length === 0) break;
      for (const id of page) {
        tried.add(id);
        const { isDone, fault } = await this.tryOn(id);
        if (isDone) ended += 1;
        firstFault ??= fault;
      }
    }
    if (firstFault !== undefined) throw firstFault;
    return ended;
  }

  /** `fault`: something that no refusal explains; it waits for its repair. */
  private async tryOn(id: string): Promise<{ readonly isDone: boolean; readonly fault?: unknown }> {
    try {
      return { isDone: await this.carryOn(id) };
    } catch (error) {
      const code: ErrorCode = isSuturaError(error) ? error.code : 'service.internal';
      await this.ports.erasures.waits(id, code, this.leaseS);
      const isNamed = isSuturaError(error) && error.kind !== 'internal';
      return isNamed ? { isDone: false } : { isDone: false, fault: error };
    }
  }

  private ask(asker: ErasureAsker, wanted: WantedPatient): Promise<string> {
    const { unitOfWork, erasures, removal } = this.ports;
    return unitOfWork.inSystem(async (transaction) => {
      const about = transaction.about(wanted.tenant);
      const patientId = await this.findOrPseudonym(about, wanted);
      if (typeof patientId !== 'string') return this.eraseUnannounced(about, asker, patientId);
      await this.refuseHeld(about, patientId);
      const before = await erasures.unfinishedOf(about, patientId);
      if (before !== null) return before.id;
      const patient = await removal.gather(about, patientId);
      // A concurrent request finds no rows any more.
      const meanwhile = await erasures.unfinishedOf(about, patientId);
      if (meanwhile !== null) return meanwhile.id;
      if (patient.patientIds.length === 0) throw new SuturaError('patient.not_found');
      await this.refuseWorkedOn(about, patient);
      return this.insert(about, asker, patientId);
    });
  }

  private async insert(about: TenantTransaction, asker: ErasureAsker, patientId: string): Promise<string> {
    const { erasures, clock, ids } = this.ports;
    const id = ids.next();
    const { name: askedBy, door: askedThrough } = asker;
    await erasures.insert(about, { id, patientId, askedBy, askedThrough, askedAt: clock.now() }, this.leaseS);
    const act = { interaction: '$erase', action: 'D', query: `erasure=${id}&state=asked` } as const;
    await this.record(about, asker, about.tenant, patientId, act);
    return id;
  }

  /** In the one transaction in which it was found: nobody ever sees a patient of this number, who is not one. */
  private async eraseUnannounced(
    about: TenantTransaction,
    asker: ErasureAsker,
    found: UnannouncedData,
  ): Promise<string> {
    const id = await this.insert(about, asker, this.ports.ids.next());
    const removed = await this.ports.removal.removeUnannounced(about, found);
    await this.ports.erasures.rowsErased(about, id, removed, this.leaseS);
    return id;
  }

  /** The pseudonym finds the erasure that is under way, when its rows are gone and its files are not. */
  private async findOrPseudonym(about: TenantTransaction, wanted: WantedPatient): Promise<string | UnannouncedData> {
    const isUnderWay =
      wanted.system === undefined && (await this.ports.erasures.unfinishedOf(about, wanted.patient)) !== null;
    try {
      return await (isUnderWay ? this.ports.finder.find(about, wanted) : this.find(about, wanted));
    } catch (error) {
      if (!isSuturaError(error, 'patient.not_found') || !isUnderWay) throw error;
      return wanted.patient;
    }
  }

  /** The patient, or what came of somebody whom nobody has announced. */
  private async find(about: TenantTransaction, wanted: WantedPatient): Promise<string | UnannouncedData> {
    const { finder, removal } = this.ports;
    const { patient: value, system, isId = false } = wanted;
    const patientId = await finder.find(about, wanted).catch((error: unknown) => {
      if (!isSuturaError(error, 'patient.not_found') || isId) throw error;
      return error;
    });
    if (typeof patientId === 'string') {
      if (!isId && system === undefined) await removal.refuseOthers(about, value, patientId);
      return patientId;
    }
    const found = await removal.gatherUnannounced(about, { value, system });
    if (found === null) throw patientId;
    return found;
  }

  /** True if it is done now. */
  private async carryOn(id: string): Promise<boolean> {
    await this.eraseRows(id);
    if (!(await this.eraseBytes(id))) return false;
    await this.ports.audit.seal();
    return true;
  }

  private eraseRows(id: string): Promise<void> {
    const { unitOfWork, erasures } = this.ports;
    return unitOfWork.inSystem(async (transaction) => {
      const erasure = await erasures.take(transaction, id);
      if (erasure?.state !== 'asked') return;
      const about = transaction.about(erasure);
      await this.refuseHeld(about, erasure.patientId);
      await erasures.rowsErased(about, id, await this.ports.removal.remove(about, erasure.patientId, id), this.leaseS);
    });
  }

  /** Deletes what other processes wrote about the patient meanwhile, then the bytes. False: another process did it. */
  private async eraseBytes(id: string): Promise<boolean> {
    const { unitOfWork, erasures, store } = this.ports;
    const folders = await unitOfWork.inSystem(async (transaction) => {
      const erasure = await erasures.take(transaction, id);
      return erasure?.state === 'rows_erased' ? this.lookAgain(transaction.about(erasure), erasure) : null;
    });
    if (folders === null) return false;
    for (const folder of folders) await store.deleteAll(folder);
    await unitOfWork.inSystem((transaction) => erasures.forgetSamples(transaction, id));
    return unitOfWork.inSystem(async (transaction) => {
      const erasure = await erasures.take(transaction, id);
      if (erasure?.state !== 'rows_erased') return false;
      await this.recordEnd(transaction.about(erasure), erasure);
      await erasures.done(transaction.about(erasure), id, erasure.counts);
      return true;
    });
  }

  /** By ids alone: nothing knows the patient's words any more. The folders that are to be emptied. */
  private async lookAgain(about: TenantTransaction, erasure: PatientErasureRecord): Promise<readonly string[]> {
    const { erasures, removal } = this.ports;
    const { id, record, leftMessages } = erasure;
    if (record === null) throw new Error('Rows are gone, and nobody knows which.');
    const late = await removal.removeByIds(about, record);
    const folders = [...new Set([...erasure.folders, ...late.folders])];
    const counts = addCounts(erasure.counts, late.counts);
    await erasures.rowsErased(about, id, { record, folders, counts, leftMessages }, this.leaseS);
    return folders;
  }

  /** The counts, and the digest of what stands in the place of erased words: sealed with the row. */
  private async recordEnd(about: TenantTransaction, erasure: PatientErasureRecord): Promise<void> {
    const { id, counts, askedBy: name, askedThrough: door, patientId } = erasure;
    const redacted = await this.ports.patients.redactedDigest(about, id);
    const query = [
      `erasure=${id}&state=done`,
      ...counts.map(({ what, rows, bytes }) => `${what}=${rows} rows, ${bytes} bytes`),
      ...(redacted === null ? [] : [`redacted=${redacted}`]),
    ].join('&');
    await this.record(about, { door, name }, erasure, patientId, { interaction: '$erase', action: 'D', query });
  }

  private async refuseHeld(about: TenantTransaction, patientId: string): Promise<void> {
    if (await this.ports.holds.isHeld(about, patientId)) throw new SuturaError('patient.on_hold');
  }

  /** Unreadable data is no reason to refuse: the erasure is recorded as waiting for it. */
  private async refuseWorkedOn(about: TenantTransaction, patient: ErasedPatient): Promise<void> {
    try {
      await this.ports.removal.refuseInUse(about, patient);
    } catch (error) {
      if (!isSuturaError(error, 'hl7.sealed')) throw error;
    }
  }

  private record(
    transaction: Transaction,
    { door, name, origin, person }: ErasureAsker,
    tenant: Tenant,
    patientId: string,
    act: { readonly interaction: string; readonly action: AuditAction; readonly query?: string },
  ): Promise<void> {
    const caller = {
      ...tenantOf(tenant),
      keyId: name,
      scopes: [],
      ...(origin === undefined ? {} : { origin }),
      ...(person === undefined ? {} : { person }),
    };
    return this.ports.trail.record(transaction, caller, {
      door,
      patients: [patientId],
      resources: [`Patient/${patientId}`],
      ...act,
    });
  }
}
