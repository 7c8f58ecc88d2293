import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { Ehr } from '../../../core/ehrs/ehr.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ChartPatient } from '../../../core/ehrs/chart-identity.js';
import { badAnswer, EHR_PATIENT, EhrCaller, jsonOf, toChartPatient } from '../../../ehrs/index.js';
import { ownReference, type EhrReference } from '../protocol/fhir-user.js';
import { orUnreachable } from '../protocol/launch-fault.js';
import { CLINICIAN, ENCOUNTER, nameOf, signable } from './chart-resources.js';

const LIMIT_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** 401 and 403 mean scopes that were not granted; 404 and 410, a resource that is not there for this token. */
const NOT_FOR_US = [401, 403, 404, 410];

/** What of the open chart a launch looks at, by the token of the launch alone. */
@Injectable()
export class EhrChart {
  constructor(private readonly caller: EhrCaller) {}

  /** `launch.answer` for another patient than the token names, and where the Patient may not be read; `launch.unreachable`. */
  async patient(ehr: Ehr, token: string, patientId: string): Promise<ChartPatient> {
    const read = await this.read(ehr, token, { type: 'Patient', id: patientId }, EHR_PATIENT);
    if (read === null)
      throw badAnswer(
        'The EHR does not let the Patient in context be read. Have it grant patient/Patient.r (patient/Patient.read).',
      );
    if (read.id !== patientId) throw badAnswer('The EHR answers with another Patient than the one in context.');
    return toChartPatient(read);
  }

  /** `Encounter/ID`; null: it may not be read. `launch.patient_unclear` where it is another patient's than the one in context. */
  async encounter(ehr: Ehr, token: string, encounterId: string, patientId: string): Promise<string | null> {
    const read = await this.read(ehr, token, { type: 'Encounter', id: encounterId }, ENCOUNTER);
    if (read === null) return null;
    const subject = ownReference(ehr, read.subject?.reference ?? '');
    if (read.id !== encounterId || subject?.type !== 'Patient' || subject.id !== patientId)
      throw new SuturaError('launch.patient_unclear', {
        detail:
          "The EHR names an Encounter that is not this patient's. Close the chart, open it again, and begin from there.",
      });
    return `Encounter/${encounterId}`;
  }

  /** How the clinician signs: by their record, else by the `name` of the id_token; null: neither has one. What cannot be read stops nothing. */
  async clinicianName(ehr: Ehr, token: string, who: EhrReference, stated: unknown): Promise<string | null> {
    const read = await this.read(ehr, token, who, CLINICIAN).catch(() => null);
    return (read === null ? null : nameOf(read)) ?? signable(stated);
  }

  /** null: it is not for this token. */
  private async read<Schema extends z.ZodType>(
    ehr: Ehr,
    token: string,
    { type, id }: EhrReference,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    const answer = await this.caller
      .ask(ehr, {
        method: 'GET',
        url: `${ehr.fhirBaseUrl}/${type}/${id}`,
        headers: { accept: 'application/fhir+json', authorization: `Bearer ${token}` },
        timeoutMs: TIMEOUT_MS,
        limitBytes: LIMIT_BYTES,
      })
      .catch(orUnreachable);
    if (NOT_FOR_US.includes(answer.status)) return null;
    if (answer.status !== 200) throw badAnswer(`The EHR answers with ${answer.status} for the ${type} in context.`);
    const read = schema.safeParse(jsonOf(answer.body));
    if (!read.success) throw badAnswer(`The EHR's answer for the ${type} in context is not one.`);
    return read.data;
  }
}
