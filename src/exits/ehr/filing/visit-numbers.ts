import type { Encounter, Media, Reference, ServiceRequest, Task } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ClinicalRecords } from '../../../standards/hl7v2/records/clinical-records.js';
import type { AskedNumber } from './matches.js';

/** The numbers of visits, as the records of this service have them. */
@Injectable()
export class VisitNumbers {
  constructor(private readonly records: ClinicalRecords) {}

  /** Of the visit that the photo was taken in, else of the one that it was ordered in. null: neither says one, or it has no number. */
  async of(tenant: Tenant, { imageId, jobId }: ClinicalReport): Promise<AskedNumber | null> {
    const media = await this.records.read<Media>(tenant, 'Media', imageId);
    const reference = media?.encounter ?? (await this.orderedIn(tenant, jobId));
    const id = idOf(reference, 'Encounter');
    const visit = id === null ? null : await this.records.read<Encounter>(tenant, 'Encounter', id);
    const number = (visit?.identifier ?? []).find(({ use, value = '' }) => use !== 'old' && value !== '');
    return number === undefined ? null : { system: number.system ?? '', value: number.value! };
  }

  private async orderedIn(tenant: Tenant, jobId: string): Promise<Reference | undefined> {
    const task = await this.records.read<Task>(tenant, 'Task', jobId);
    const id = idOf(task?.basedOn?.[0], 'ServiceRequest');
    const order = id === null ? null : await this.records.read<ServiceRequest>(tenant, 'ServiceRequest', id);
    return order?.encounter;
  }
}

function idOf(reference: Pick<Reference, 'reference'> | undefined, type: string): string | null {
  const text = reference?.reference ?? '';
  return text.startsWith(`${type}/`) ? text.slice(type.length + 1) : null;
}
