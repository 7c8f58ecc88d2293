import type { BodyStructure } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { idOf } from './local-reference.js';
import { ResourceIntake } from '../interactions/resource-intake.js';
import { WoundRecords } from './wound-records.js';

/**
 * A BodyStructure is a wound: its id is that of core's wound. Its patient is part of what it is and never changes. `active` is kept as it is
 * said; closing and reopening a wound is a person's decision, made with the native API.
 */
@Injectable()
export class BodyStructureIntake extends ResourceIntake<BodyStructure> {
  readonly type = 'BodyStructure';

  constructor(private readonly records: WoundRecords) {
    super();
  }

  override async bind(call: FhirCall, resource: BodyStructure): Promise<string> {
    return (await this.records.resolve(call, resource)).id;
  }

  /** A wound that was known before is described by what is now said of it. */
  override async admit(call: FhirCall, resource: BodyStructure): Promise<BodyStructure> {
    await this.records.describe(call, resource);
    return resource;
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
    await this.records.describe(call, { ...next, id: current.id! });
    return next;
  }
}
