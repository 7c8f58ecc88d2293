import { Injectable } from '@nestjs/common';
import { PatientKeeper, PatientKeepers, type KeeperErasure } from '../../../core/erasure/patient-keeper.js';
import type { ErasedPatient } from '../../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { folderOf } from './bulk-export.js';
import { BulkExports } from './bulk-exports.js';

/** Files of exports mix patients, so the erasure of one ends every export of the tenant; whoever asked asks again, and gets it without the patient. */
@Injectable()
export class BulkExportsKeeper extends PatientKeeper {
  constructor(
    private readonly exports: BulkExports,
    keepers: PatientKeepers,
  ) {
    super();
    keepers.declare(this);
  }

  async erase(transaction: TenantTransaction, { patientIds }: ErasedPatient): Promise<KeeperErasure> {
    // A result that names no patient went by its age: the files expire by theirs.
    if (patientIds.length === 0) return { counts: [] };
    const { ids, files, bytes } = await this.exports.endAll(transaction);
    return { counts: [{ what: 'files of bulk exports', rows: files, bytes }], folders: ids.map(folderOf) };
  }
}
