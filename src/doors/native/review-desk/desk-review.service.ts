import { Injectable } from '@nestjs/common';
import type { JobSubject } from '../../../core/analysis/analysis-job.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { ReportReviewService } from '../reports/report-review.service.js';
import type { ReviewRequestBody } from '../reports/report.schema.js';

/** Numbers of the caller's own have no system. */
const OWN = '';

/** Gives a report to another patient or wound, by numbers that a person typed and without showing anything of that patient. */
@Injectable()
export class DeskReviewService {
  constructor(
    private readonly reviewing: ReportReviewService,
    private readonly reader: ReportReader,
    private readonly patients: PatientRepository,
    private readonly wounds: WoundRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** `request.invalid` without a reason, without both numbers, and for a patient that is not known: a slip of the hand opens no record. */
  async reassign(
    caller: Caller,
    reportId: string,
    ifMatch: string | undefined,
    body: ReviewRequestBody,
    alsoDo: (transaction: TenantTransaction) => Promise<void>,
  ): Promise<HttpAnswer> {
    if ((body.note ?? '').trim() === '') throw refusal('/note', 'say why the photo belongs to somebody else');
    const subject = await this.knownSubject(caller, reportId, body.subject ?? {});
    await this.reviewing.review(caller, reportId, ifMatch, { ...body, subject }, null, alsoDo);
    // The report that now stands compares with photos of the other wound, which this link does not name.
    return jsonAnswer(201, { id: reportId, status: 'entered-in-error' });
  }

  private async knownSubject(caller: Caller, reportId: string, typed: JobSubject): Promise<JobSubject> {
    const { patientId, woundId } = typed;
    if (patientId === undefined || woundId === undefined)
      throw refusal('/subject', 'name the patient and the wound by their numbers');
    const { patient } = (await this.reader.read(caller, reportId)).report.content.subject;
    const systems = [...new Set([typed.patientSystem ?? patient?.system ?? OWN, OWN])];
    return this.unitOfWork.inTenant(caller, async (transaction) => {
      const numbers = systems.map((system) => ({ system, value: patientId }));
      const carriers = await this.patients.carriers(transaction, numbers);
      const place = carriers.findIndex((carrier) => carrier !== null);
      if (place < 0) throw refusal('/subject/patientId', 'no patient has this number; look at it again');
      const woundIdSystem = await this.systemOfWound(transaction, carriers[place]!, woundId);
      return {
        patientId,
        woundId,
        ...(systems[place] === OWN ? {} : { patientSystem: systems[place]! }),
        ...(woundIdSystem === OWN ? {} : { woundIdSystem }),
      };
    });
  }

  /** That of the patient's wound with this number; the caller's own where there is none, or several. */
  private async systemOfWound(transaction: TenantTransaction, patientId: string, woundId: string): Promise<string> {
    const found = (await this.wounds.ofPatient(transaction, patientId)).filter((wound) => wound.woundId === woundId);
    return found.length === 1 ? found[0]!.woundIdSystem : OWN;
  }
}

function refusal(pointer: string, detail: string): SuturaError {
  return new SuturaError('request.invalid', { errors: [{ pointer, detail }] });
}
