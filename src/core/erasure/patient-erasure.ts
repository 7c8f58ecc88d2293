import type { AuditLog } from '../audit/audit-log.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { AuditAction } from '../audit/access.js';
import type { Operator } from '../audit/operator-trail.js';
import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { ObjectStore } from '../images/object-store.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction, Transaction, UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { LegalHolds } from './legal-holds.js';
import type { PatientErasureRecord, PatientErasureRepository, RowsErased } from './patient-erasure.repository.js';
import type { PatientKeepers } from './patient-keeper.js';
import { addCounts, idsOfPatient, type ErasedPatient } from './patient-record.js';
import type { PatientFinder, WantedPatient } from './patient-finder.js';
import type { PatientRecords } from './patient-records.js';
import type { TypedWordsErasure } from './typed-words-erasure.js';

export interface PatientErasurePorts {
  readonly unitOfWork: UnitOfWork;
  readonly finder: PatientFinder;
  readonly patients: PatientRecords;
  readonly typed: TypedWordsErasure;
  readonly erasures: PatientErasureRepository;
  readonly holds: LegalHolds;
  readonly keepers: PatientKeepers;
  readonly store: ObjectStore;
  readonly trail: AuditTrail;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Undoes the transaction of a preview. */
class OnlyLooked extends Error {}

const RESUMED_AT_ONCE = 20;
const RETRY_AFTER_S = 5;
/** In the place of an operator, for work that goes on by itself. */
export const RETENTION_OPERATOR: Operator = { door: 'admin', name: 'retention' };

/**
 * Erases everything about one patient. Three steps, each one transaction: it is written down who asked; every row goes, in all parts of the service
 * or in none; the bytes go. A process that dies between them leaves a row from which `resume` goes on. The id that the patient had here stays, as the
 * pseudonym under which audit trail and counts go on.
 */
export class PatientErasure {
  /** `leaseS`: seconds for which whoever is asked has an erasure to itself. */
  constructor(
    private readonly ports: PatientErasurePorts,
    private readonly leaseS: number,
  ) {}

  /**
   * What an erasure would remove, by doing it and undoing it. `patient.not_found`, `patient.ambiguous`, `patient.on_hold`, `patient.in_use`, and what a keeper
   * refuses with.
   */
  async preview(operator: Operator, wanted: WantedPatient): Promise<RowsErased & { readonly patientId: string }> {
    const { unitOfWork, finder } = this.ports;
    let found: (RowsErased & { readonly patientId: string }) | undefined;
    try {
      await unitOfWork.inSystem(async (transaction) => {
        const about = transaction.about(wanted.tenant);
        const patientId = await finder.find(about, wanted);
        await this.refuseHeld(about, patientId);
        found = { patientId, ...(await this.removeRows(about, patientId, null)) };
        throw new OnlyLooked();
      });
    } catch (error) {
      if (!(error instanceof OnlyLooked)) throw error;
    }
    await unitOfWork.inSystem((transaction) =>
      this.record(transaction, operator, wanted.tenant, found!.patientId, { interaction: '$erase', action: 'R' }),
    );
    return found!;
  }

  /** Refuses as `preview` does. An erasure that is under way already goes on; the answer is its state. */
  async erase(operator: Operator, wanted: WantedPatient): Promise<PatientErasureRecord> {
    const id = await this.ask(operator, wanted);
    try {
      await this.carryOn(id);
    } catch (error) {
      // Asked for all the same: the sweep goes on with it.
      if (!isSuturaError(error, 'patient.in_use')) throw error;
    }
    return (await this.ports.erasures.find(id))!;
  }

  /** Goes on with what a stop interrupted, or what could not be done yet. How many came to their end. */
  async resume(): Promise<number> {
    let ended = 0;
    for (const id of await this.ports.erasures.unfinished(RESUMED_AT_ONCE)) {
      try {
        if (await this.carryOn(id)) ended += 1;
      } catch (error) {
        // It waits until the hold is lifted, or until nobody works on the data any more.
        if (!isSuturaError(error, 'patient.on_hold', 'patient.in_use')) throw error;
      }
    }
    return ended;
  }

  private ask(operator: Operator, wanted: WantedPatient): Promise<string> {
    const { unitOfWork, erasures, finder, clock, ids } = this.ports;
    return unitOfWork.inSystem(async (transaction) => {
      const about = transaction.about(wanted.tenant);
      const patientId = await finder.find(about, wanted);
      await this.refuseHeld(about, patientId);
      const before = await erasures.unfinishedOf(about, patientId);
      if (before !== null) return before.id;
      await this.refuseInUse(about, await this.patientOf(about, patientId));
      const id = ids.next();
      await erasures.insert(about, { id, patientId, askedBy: operator.name, askedAt: clock.now() }, this.leaseS);
      await this.record(transaction, operator, wanted.tenant, patientId, {
        interaction: '$erase',
        action: 'D',
        query: `erasure=${id}&state=asked`,
      });
      return id;
    });
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
      await erasures.rowsErased(about, id, await this.removeRows(about, erasure.patientId, id), this.leaseS);
    });
  }

  /** What another process wrote about the patient while the rows went, then the bytes. False: somebody else did it. */
  private async eraseBytes(id: string): Promise<boolean> {
    const { unitOfWork, erasures, store } = this.ports;
    const folders = await unitOfWork.inSystem(async (transaction) => {
      const erasure = await erasures.take(transaction, id);
      return erasure?.state === 'rows_erased' ? this.lookAgain(transaction.about(erasure), erasure) : null;
    });
    if (folders === null) return false;
    for (const folder of folders) await store.deleteAll(folder);
    return unitOfWork.inSystem(async (transaction) => {
      const erasure = await erasures.take(transaction, id);
      if (erasure?.state !== 'rows_erased') return false;
      await erasures.done(transaction.about(erasure), id, erasure.counts);
      await this.recordEnd(transaction.about(erasure), erasure);
      return true;
    });
  }

  /** By ids alone: nothing knows the patient's words any more. The folders that are to be emptied. */
  private async lookAgain(about: TenantTransaction, erasure: PatientErasureRecord): Promise<readonly string[]> {
    const { erasures, patients, keepers } = this.ports;
    const { id, record, leftMessages } = erasure;
    if (record === null) throw new Error('Rows are gone, and nobody knows which.');
    const patient: ErasedPatient = {
      ...record,
      tenant: tenantOf(erasure),
      words: { numbers: [], names: [] },
      sharedValues: [],
    };
    const { counts, folders: kept, attachmentIds } = await keepers.erase(about, patient);
    const late = await patients.remove(about, patient, attachmentIds);
    const folders = [...new Set([...erasure.folders, ...kept, ...late.folders])];
    const all = addCounts(erasure.counts, [...counts, ...late.counts]);
    await erasures.rowsErased(about, id, { record, folders, counts: all, leftMessages }, this.leaseS);
    return folders;
  }

  /** The counts, and the digest of what stands in the place of erased words: sealed with the row. */
  private async recordEnd(about: TenantTransaction, erasure: PatientErasureRecord): Promise<void> {
    const { id, counts, askedBy, patientId } = erasure;
    const redacted = await this.ports.patients.redactedDigest(about, id);
    const query = [
      `erasure=${id}&state=done`,
      ...counts.map(({ what, rows, bytes }) => `${what}=${rows} rows, ${bytes} bytes`),
      ...(redacted === null ? [] : [`redacted=${redacted}`]),
    ].join('&');
    const operator: Operator = { door: 'admin', name: askedBy };
    await this.record(about, operator, erasure, patientId, { interaction: '$erase', action: 'D', query });
  }

  /** `erasureId` null: nobody asked yet, the words of the audit trail are counted and left. */
  private async removeRows(about: TenantTransaction, patientId: string, erasureId: string | null): Promise<RowsErased> {
    const { patients, keepers, typed } = this.ports;
    const patient = await this.patientOf(about, patientId);
    await this.refuseInUse(about, patient);
    const kept = await keepers.erase(about, patient);
    const own = await patients.remove(about, patient, kept.attachmentIds);
    const words = await typed.erase(about, patient, erasureId);
    return {
      record: idsOfPatient(patient),
      folders: [...own.folders, ...kept.folders, ...words.folders],
      counts: addCounts(kept.counts, [...own.counts, words.count]),
      leftMessages: kept.leftMessages,
    };
  }

  private async patientOf(about: TenantTransaction, patientId: string): Promise<ErasedPatient> {
    const { patients, keepers } = this.ports;
    const own = await patients.gather(about, patientId);
    const theirs = await keepers.words(about, own);
    const words = { numbers: [...own.numbers, ...theirs.numbers], names: [...own.names, ...theirs.names] };
    const values = [...new Set(words.numbers.map(({ value }) => value))];
    const sharedValues = [
      ...(await patients.sharedValues(about, values, own.patientIds)),
      ...(await keepers.sharedValues(about, values, own)),
    ];
    return { ...idsOfPatient(own), tenant: tenantOf(about.tenant), words, sharedValues };
  }

  private async refuseHeld(about: TenantTransaction, patientId: string): Promise<void> {
    if (await this.ports.holds.isHeld(about, patientId)) throw new SuturaError('patient.on_hold');
  }

  private async refuseInUse(about: TenantTransaction, patient: ErasedPatient): Promise<void> {
    if (await this.ports.patients.isInUse(about, patient))
      throw new SuturaError('patient.in_use', { retryAfterS: RETRY_AFTER_S });
    await this.ports.keepers.refuseInUse(about, patient);
  }

  private record(
    transaction: Transaction,
    { door, name, origin }: Operator,
    tenant: Tenant,
    patientId: string,
    act: { readonly interaction: string; readonly action: AuditAction; readonly query?: string },
  ): Promise<void> {
    const caller = { ...tenantOf(tenant), keyId: name, scopes: [], ...(origin === undefined ? {} : { origin }) };
    return this.ports.trail.record(transaction, caller, {
      door,
      patients: [patientId],
      resources: [`Patient/${patientId}`],
      ...act,
    });
  }
}
