import type { AuditTrail } from '../audit/audit-trail.js';
import type { Operator } from '../tenancy/operator.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { ObjectStore } from '../images/object-store.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { ErasedRows } from './patient-record.js';
import type { PatientRecords } from './patient-records.js';
import type { PatientRemoval } from './patient-removal.js';

export interface UnnamedResultsPorts {
  readonly unitOfWork: UnitOfWork;
  readonly patients: PatientRecords;
  readonly removal: PatientRemoval;
  readonly store: ObjectStore;
  readonly trail: AuditTrail;
}

/** Removes analyses that name no patient, as an erasure removes those of one. */
export class UnnamedResults {
  constructor(private readonly ports: UnnamedResultsPorts) {}

  /**
   * The analysis with its result, report, documents, resources, messages and deliveries, and its photo where no other analysis shows it. `patient.in_use` while it is in use; `job.not_found` if it was deleted, or assigned to a patient.
   * @param also done in the same transaction, with what went
   */
  erase(
    { name, door }: Operator,
    tenant: Tenant,
    jobId: string,
    also: (about: TenantTransaction, counts: readonly ErasedRows[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<readonly ErasedRows[]> {
    const { unitOfWork, patients, removal, store, trail } = this.ports;
    return unitOfWork.inSystem(async (transaction) => {
      const about = transaction.about(tenantOf(tenant));
      const record = await patients.gatherUnnamed(about, jobId);
      if (record === null) throw new SuturaError('job.not_found');
      if (await patients.isInUse(about, record)) throw new SuturaError('patient.in_use');
      const { counts, folders } = await removal.removeByIds(about, record);
      await trail.record(
        about,
        { ...tenantOf(tenant), keyId: name, scopes: [] },
        {
          door,
          interaction: 'delete',
          action: 'D',
          patients: [],
          resources: [`Task/${jobId}`],
        },
      );
      await also(about, counts);
      // Before the rows are deleted: after a crash here the next sweep finds the rows, and no orphaned file is left.
      for (const folder of folders) await store.deleteAll(folder);
      return counts;
    });
  }
}
