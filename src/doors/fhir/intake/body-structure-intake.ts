import type { BodyStructure } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { idOf } from './local-reference.js';
import { ClosingProjection } from '../projection/closing-projection.js';
import { EventProjection } from '../projection/event-projection.js';
import { ResourceIntake } from '../interactions/resource-intake.js';
import { closingIn, WoundClosings } from './wound-closings.js';
import { WoundRecords } from './wound-records.js';

/**
 * A BodyStructure is a wound: its id is that of core's wound. Its patient is part of what it is and never changes. `active` is kept as it is
 * said; closing and reopening a wound is a person's decision, which the extension wound-closing states
 * and shows, whichever door it came through.
 */
@Injectable()
export class BodyStructureIntake extends ResourceIntake<BodyStructure> {
  readonly type = 'BodyStructure';

  constructor(
    private readonly records: WoundRecords,
    private readonly closings: WoundClosings,
    private readonly events: EventProjection,
    private readonly shown: ClosingProjection,
  ) {
    super();
  }

  override async bind(call: FhirCall, resource: BodyStructure): Promise<string> {
    return (await this.records.resolve(call, resource)).id;
  }

  /** A wound that was known before is described by what is now said of it. */
  override async admit(call: FhirCall, resource: BodyStructure): Promise<BodyStructure> {
    closingIn(resource);
    await this.records.describe(call, resource);
    return this.shown.complete(call.transaction, resource);
  }

  /** What was done to the wound before it was described here is shown with it. */
  override async settle(call: FhirCall, { resource }: StoredResource<BodyStructure>): Promise<void> {
    await this.closings.apply(call, resource);
    await this.events.project(call.transaction, resource.id!);
  }

  override changed(
    call: FhirCall,
    _before: StoredResource<BodyStructure>,
    after: StoredResource<BodyStructure>,
  ): Promise<void> {
    return this.closings.apply(call, after.resource);
  }

  override async amend(
    call: FhirCall,
    { resource: current }: StoredResource<BodyStructure>,
    next: BodyStructure,
  ): Promise<BodyStructure> {
    if (idOf(current.patient, 'Patient') !== idOf(next.patient, 'Patient')) {
      throw new SuturaError('fhir.subject_fixed', {
        detail:
          'A wound keeps its patient. Reports that are filed wrongly are moved with $attest and the decision reassign.',
      });
    }
    closingIn(next);
    await this.records.describe(call, { ...next, id: current.id! });
    return this.shown.complete(call.transaction, await this.closings.keeping(call, current, next));
  }

  override advice(call: FhirCall, { resource }: StoredResource<BodyStructure>): Promise<readonly string[]> {
    return Promise.resolve(this.closings.advice(call, resource.id!));
  }
}
