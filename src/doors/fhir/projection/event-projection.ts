import type { Procedure } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { ClinicalEvent } from '../../../core/followup/clinical-event.js';
import { ClinicalEventRepository } from '../../../core/followup/clinical-event.repository.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { Settings } from '../../../platform/config/settings.js';
import { EVENT, EVENT_SNOMED, TARGET_BODY_STRUCTURE } from '../../../reports/index.js';
import { ServiceResources } from './service-resources.js';
import { WoundProjection } from './wound-projection.js';

/** Clinical events of wounds as Procedures with their ids, and how wounds were closed. What a client wrote stays as it was written, but for the status of what was withdrawn. */
@Injectable()
export class EventProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly events: ClinicalEventRepository,
    private readonly wounds: WoundRepository,
    private readonly settings: Settings,
    private readonly decided: WoundProjection,
  ) {}

  /** Of one wound whose BodyStructure is there; nothing of one that names no patient. `withStage`: also where no stage is shown yet. */
  async project(transaction: TenantTransaction, woundId: string, withStage = false): Promise<void> {
    const wound = await this.wounds.find(transaction, woundId);
    if (wound === null || wound.patientId === null) return;
    await this.decided.project(transaction, woundId, withStage);
    const events = (await this.events.ofSeries(transaction, woundId)).filter((event) => event.woundId === woundId);
    // Most wounds have none.
    if (events.length === 0) return;
    if ((await this.resources.find(transaction, 'BodyStructure', woundId)) === null) return;
    for (const event of events) await this.show(transaction, event, wound.patientId);
  }

  private async show(transaction: TenantTransaction, event: ClinicalEvent, patientId: string): Promise<void> {
    if (event.withdrawal !== null) return this.takeBack(transaction, event.id);
    const made = toProcedure(event, patientId, this.settings.fhir.snomed);
    await this.resources.ensure<Procedure>(transaction, 'Procedure', event.id, () => made);
  }

  /** Nothing is made of it: where a client withdrew it by deleting it, it would come to life again. */
  private async takeBack(transaction: TenantTransaction, id: string): Promise<void> {
    const shown = await this.resources.findForUpdate<Procedure>(transaction, 'Procedure', id);
    if (shown === null || shown.resource.status === 'entered-in-error') return;
    await this.resources.write<Procedure>(transaction, shown, { ...shown.resource, status: 'entered-in-error' });
  }
}

/** Of one that stands. Who recorded it is told by the audit trail. */
export function toProcedure(event: ClinicalEvent, patientId: string, snomed: boolean): Procedure {
  const { id, woundId, type, occurredAt, note, by } = event;
  const coded = snomed ? [EVENT[type], EVENT_SNOMED[type]] : [EVENT[type]];
  return {
    resourceType: 'Procedure',
    id,
    extension: [{ url: TARGET_BODY_STRUCTURE, valueReference: { reference: `BodyStructure/${woundId}` } }],
    status: 'completed',
    code: { coding: coded.filter((code) => code !== undefined).map((code) => ({ ...code })) },
    subject: { reference: `Patient/${patientId}` },
    performedDateTime: occurredAt.toISOString(),
    ...(by === null
      ? {}
      : {
          performer: [
            {
              actor: {
                identifier: { ...(by.system === undefined ? {} : { system: by.system }), value: by.id },
                display: by.name,
              },
            },
          ],
        }),
    ...(note === null || note.trim() === '' ? {} : { note: [{ text: note }] }),
  };
}
