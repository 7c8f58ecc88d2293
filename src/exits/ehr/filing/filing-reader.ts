import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { ReportVersionId } from '../../../core/report/report-document.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { PatientNumbers } from './patient-numbers.js';
import type { AskedPeople } from './people-finder.js';

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
    private readonly numbers: PatientNumbers,
  ) {}

  /** null: there is no such version any more. */
  read(ehr: PushingEhr, named: ReportVersionId): Promise<ReportToFile | null> {
    return this.unitOfWork.inTenant(ehr, async (transaction) => {
      const reading = await this.reader.readVersionIn(transaction, named);
      if (reading === null) return null;
      const { report, heading } = reading;
      const versions = await this.reports.versions(transaction, named.reportId);
      const { review, capturedAt, subject } = report.content;
      const timeZone = heading?.timeZone ?? 'UTC';
      return {
        report,
        versions,
        people: {
          ...(await this.numbers.ofWound(transaction, ehr, subject.woundRef)),
          reviewer: review === null ? null : { system: review.reviewer.system ?? '', value: review.reviewer.id },
          capturedAt: new Date(capturedAt),
          timeZone,
        },
        timeZone,
      };
    });
  }
}
