import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { folderOf } from './bulk-export.js';
import { BulkExports } from './bulk-exports.js';

/** Export files mix patients: an erasure ends every export of the tenant, and clients start a new one. */
@Injectable()
export class BulkExportsEraser extends PatientDataEraser {
  constructor(
    private readonly exports: BulkExports,
    erasers: PatientDataErasers,
  ) {
    super();
    erasers.declare(this);
  }

  async erase(transaction: TenantTransaction, { patientIds }: ErasedPatient): Promise<ErasedData> {
    // A result that names no patient went by its age: the files expire by theirs.
    if (patientIds.length === 0) return { counts: [] };
    const { ids, files, bytes } = await this.exports.endAll(transaction);
    return { counts: [{ what: 'files of bulk exports', rows: files, bytes }], folders: ids.map(folderOf) };
  }
}
