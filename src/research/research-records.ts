import { Injectable } from '@nestjs/common';
import type { WoundResult } from '../core/measurement/wound-result.js';
import { ReportRepository } from '../core/report/report.repository.js';
import type { ClinicalReport } from '../core/report/clinical-report.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import type { Tenant } from '../core/tenancy/tenant.js';
import { statementsOf } from '../platform/database/unit-of-work.js';

const AT_ONCE = 100;
/** Of each photo that is there the newest report that stands; of merged records the one that they were merged into. */
const PAGE = `select distinct on (report.image_id) report.id as "reportId", report.image_id as "imageId", image.object_key as "objectKey",
    coalesce(wound.merged_into, wound.id) as "woundId", coalesce(patient.merged_into, patient.id) as "patientId", job.result -> 'wounds' as wounds
  from reports report join images image on image.id = report.image_id and image.status = 'stored'
    join analysis_jobs job on job.id = report.job_id and job.status = 'completed'
    join wounds wound on wound.id = report.wound_id left join patients patient on patient.id = wound.patient_id
  where report.organization_id = $1 and report.environment = $2 and report.replaced_by is null and report.status <> 'entered-in-error'
    and ($3::uuid is null or report.image_id > $3)
  order by report.image_id, report.created_at desc, report.id desc limit $4`;

/** A photo that was analysed, with the ids that it has here. */
export interface ResearchRecord {
  readonly reportId: string;
  readonly imageId: string;
  readonly objectKey: string;
  readonly woundId: string;
  /** null: no patient was named. */
  readonly patientId: string | null;
  /** The model's outlines, largest first. */
  readonly wounds: Pick<WoundResult, 'wounds'>['wounds'];
}

/** What a tenant has for research. */
@Injectable()
export class ResearchRecords {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportRepository,
  ) {}

  /** Photo by photo, each with its report as it is now. */
  async *of(tenant: Tenant): AsyncGenerator<{ readonly record: ResearchRecord; readonly report: ClinicalReport }> {
    for (let after: string | null = null; ;) {
      const page: ResearchRecord[] = await this.page(tenant, after);
      for (const record of page) {
        const found = await this.unitOfWork.inTenant(tenant, (transaction) =>
          this.reports.find(transaction, record.reportId),
        );
        if (found !== null) yield { record, report: found.report };
      }
      if (page.length < AT_ONCE) return;
      after = page.at(-1)!.imageId;
    }
  }

  private page(tenant: Tenant, after: string | null): Promise<ResearchRecord[]> {
    const { organizationId, environment } = tenant;
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      const values = [organizationId, environment, after, AT_ONCE];
      return (await statementsOf(transaction).run<ResearchRecord>(PAGE, values)).rows;
    });
  }
}
