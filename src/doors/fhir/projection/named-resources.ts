import type { Media } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { ModelUsed } from '../../../core/measurement/wound-result.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { Settings } from '../../../platform/config/settings.js';
import { deviceId } from '../../../reports/index.js';
import { toDevice } from './minimal-resources.js';
import { ModelProjection } from './model-projection.js';
import { PhotoProjection } from './photo-projection.js';
import { ServiceResources, type FoundResources, type ServiceChange } from './service-resources.js';
import { SubjectProjection } from './subject-projection.js';

/** The resources that a report names: its patient, wound, photo and devices. */
@Injectable()
export class NamedResources {
  /** Devices that exist, by tenant; resources are never removed. */
  private readonly shown = new Set<string>();

  constructor(
    private readonly resources: ServiceResources,
    private readonly subjects: SubjectProjection,
    private readonly photos: PhotoProjection,
    private readonly models: ModelProjection,
    private readonly settings: Settings,
  ) {}

  /** Writes those that are missing. Returns the photo and its change; null: none. */
  async ensure(
    transaction: TenantTransaction,
    report: ClinicalReport,
    patientId: string | null,
    found: FoundResources,
  ): Promise<{ readonly media: Media; readonly change: ServiceChange | null }> {
    if (patientId === null) await this.subjects.ensureOrganization(transaction);
    else {
      await this.subjects.ensurePatient(transaction, patientId, [], found);
      await this.subjects.ensureWound(transaction, report.content.subject.woundRef, patientId, found);
    }
    const photo = await this.photos.showAssessed(transaction, report, patientId, found.of('Media', report.imageId));
    await this.ensureDevices(transaction, report);
    return photo;
  }

  private async ensureDevices(transaction: TenantTransaction, { content }: ClinicalReport): Promise<void> {
    await this.models.show(transaction);
    const outliner = content.findings.model;
    const listed: (Pick<ModelUsed, 'name' | 'version'> & { readonly sha256: string | null })[] = [...content.models];
    if (!listed.some(({ name, version }) => `${name}/${version}` === outliner)) {
      const [name = outliner, version = '0'] = outliner.split('/');
      listed.push({ name, version, sha256: null });
    }
    for (const model of listed) {
      const id = deviceId(`${model.name}/${model.version}`);
      const key = [transaction.tenant.organizationId, transaction.tenant.environment, id].join(' ');
      if (this.shown.has(key)) continue;
      await this.resources.ensure(transaction, 'Device', id, () =>
        toDevice(model, this.settings.fhir.snomed, this.models.cardIdOf(model)),
      );
      transaction.afterCommit(() => void this.shown.add(key));
    }
  }
}
