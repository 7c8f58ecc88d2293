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
import { WoundRelations } from './wound-relations.js';
import { WoundRecords } from './wound-records.js';

/**
 * A BodyStructure is a wound: its id is that of core's wound. Its patient is part of what it is and never changes. `active` is kept as it is
 * said; closing and reopening a wound, and that it grew out of others or fell into them, is what a person
 * says: the extensions wound-closing and wound-relation state and show it, whichever door it came through.
 */
@Injectable()
export class BodyStructureIntake extends ResourceIntake<BodyStructure> {
  readonly type = 'BodyStructure';

  constructor(
    private readonly records: WoundRecords,
    private readonly closings: WoundClosings,
    private readonly events: EventProjection,
    private readonly shown: ClosingProjection,
    private readonly relations: WoundRelations,
  ) {
    super();
  }

  override async bind(call: FhirCall, resource: BodyStructure): Promise<string> {
    return (await this.records.resolve(call, resource)).id;
  }

  /** A wound that was known before is described by what is now said of it. */
  override async admit(call: FhirCall, resource: BodyStructure): Promise<BodyStructure> {
    this.check(resource);
    await this.records.describe(call, resource);
    return this.relations.complete(call, await this.shown.complete(call.transaction, resource));
  }

  /** What was done to the wound before it was described here is shown with it. */
  override async settle(call: FhirCall, { resource }: StoredResource<BodyStructure>): Promise<void> {
    await this.apply(call, resource);
    await this.events.project(call.transaction, resource.id!);
  }

  override changed(
    call: FhirCall,
    _before: StoredResource<BodyStructure>,
    after: StoredResource<BodyStructure>,
  ): Promise<void> {
    return this.apply(call, after.resource);
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
    this.check(next);
    await this.records.describe(call, { ...next, id: current.id! });
    const kept = await this.closings.keeping(call, current, next);
    return this.relations.complete(call, await this.shown.complete(call.transaction, kept), current);
  }

  override advice(call: FhirCall, { resource }: StoredResource<BodyStructure>): Promise<readonly string[]> {
    const woundId = resource.id!;
    return Promise.resolve([...this.closings.advice(call, woundId), ...this.relations.advice(call, woundId)]);
  }

  private check(resource: BodyStructure): void {
    closingIn(resource);
    this.relations.check(resource);
  }

  private async apply(call: FhirCall, resource: BodyStructure): Promise<void> {
    await this.closings.apply(call, resource);
    await this.relations.apply(call, resource);
  }
}
