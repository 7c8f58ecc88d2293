import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { AssessmentPlaces, withPlace } from '../../../standards/fhir/store/assessment-places.js';
import { reportsIn, withReports } from './reports-in-answer.js';

/** States the present places of reports in answers, of whichever version: a photo that came late moves those after it. */
@Injectable()
export class PresentPlaces {
  constructor(
    private readonly places: AssessmentPlaces,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Outside any transaction. */
  async state(tenant: Tenant, answer: FhirAnswer): Promise<FhirAnswer> {
    const reportIds = reportsIn(answer).flatMap(({ id }) => id ?? []);
    if (reportIds.length === 0) return answer;
    const places = await this.unitOfWork.inTenant(tenant, (transaction) => this.places.of(transaction, reportIds));
    return withReports(answer, (report) => withPlace(report, places.get(report.id!)));
  }
}
