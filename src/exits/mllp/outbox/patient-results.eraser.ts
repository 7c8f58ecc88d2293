import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';

/** $3: reports and analyses, $4: images, $5: terms. One that is being sent goes, too: its receiver has it then. */
const REMOVE = `delete from hl7_outbox where organization_id = $1 and environment = $2
    and (subject_id = any($3::uuid[]) or image_ids && $4::uuid[] or (terms <> '{}' and terms && $5::bytea[]))
  returning size_bytes as bytes`;

const REMOVE_PARTS = `delete from hl7_order_parts where organization_id = $1 and environment = $2 and subject_id = any($3::uuid[])`;

/** Results of a patient, sent or waiting, with what their receivers answered. */
@Injectable()
export class PatientResultsEraser extends PatientDataEraser {
  constructor(
    private readonly encryption: MessageEncryption,
    erasers: PatientDataErasers,
  ) {
    super();
    erasers.declare(this);
  }

  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData> {
    const { tenant, reportIds, jobIds, requestIds, imageIds, words, sharedValues } = patient;
    const values = words.numbers.map(({ value }) => value).filter((value) => !sharedValues.includes(value));
    const terms = this.encryption.terms.wanted('patient', values).flat();
    const subjects = [...reportIds, ...jobIds, ...requestIds];
    const { rows } = await statementsOf(transaction).run<{ bytes: number }>(REMOVE, [
      tenant.organizationId,
      tenant.environment,
      subjects,
      imageIds,
      terms,
    ]);
    await statementsOf(transaction).run(REMOVE_PARTS, [tenant.organizationId, tenant.environment, subjects]);
    return {
      counts: [
        { what: 'HL7 v2 messages out', rows: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) },
      ],
    };
  }
}
