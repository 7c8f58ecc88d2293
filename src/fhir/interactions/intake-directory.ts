import type { Resource } from '@medplum/fhirtypes';
import type { ResourceIntake } from './resource-intake.js';

/** The intakes by type. */
export class IntakeDirectory {
  private readonly byType: ReadonlyMap<string, ResourceIntake>;

  constructor(intakes: readonly ResourceIntake[]) {
    this.byType = new Map(intakes.map((intake) => [intake.type, intake]));
  }

  /** undefined: resources of the type are kept as they are. */
  of<T extends Resource>(type: T['resourceType']): ResourceIntake<T> | undefined {
    return this.byType.get(type) as ResourceIntake<T> | undefined;
  }
}
