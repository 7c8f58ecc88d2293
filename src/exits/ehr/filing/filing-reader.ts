import { Injectable } from '@nestjs/common';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { ReportVersionId } from '../../../core/report/report-document.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import type { AskedPeople } from './people-finder.js';
import { numberFor } from './patient-number.js';

/** A version of a report, and whom it is about, as this service knows them. */
export interface ReportToFile {
  readonly report: ClinicalReport;
  /** Oldest first. */
  readonly versions: readonly ClinicalReport[];
  readonly people: Omit<AskedPeople, 'visitNumber'>;
  /** IANA. */
  readonly timeZone: string;
}

/** Reads what is filed, when it is filed: the queue keeps ids alone. */
@Injectable()
export class FilingReader {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reader: ReportReader,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly patients: PatientRepository,
    private readonly authorities: AuthorityDirectory,
  ) {}

  /** null: there is no such version any more. */
  async read(ehr: PushingEhr, named: ReportVersionId): Promise<ReportToFile | null> {
    const table = await this.authorities.of(ehr);
    return this.unitOfWork.inTenant(ehr, async (transaction) => {
      const reading = await this.reader.readVersionIn(transaction, named);
      if (reading === null) return null;
      const { report, heading } = reading;
      const versions = await this.reports.versions(transaction, named.reportId);
      const wound = await this.wounds.find(transaction, report.content.subject.woundRef);
      const patientId = wound?.patientId ?? null;
      const patient = patientId === null ? null : await this.patients.find(transaction, patientId);
      const { review, capturedAt } = report.content;
      const reviewer = review === null ? null : { system: review.reviewer.system ?? '', value: review.reviewer.id };
      return {
        report,
        versions,
        people: {
          patientNumber: patient === null ? null : numberFor(patient.identifiers, ehr.patientSystem, table),
          reviewer,
          capturedAt: new Date(capturedAt),
        },
        timeZone: heading?.timeZone ?? 'UTC',
      };
    });
  }
}
