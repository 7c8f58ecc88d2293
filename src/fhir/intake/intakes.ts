import type { Type } from '@nestjs/common';
import { BinaryIntake } from './binary-intake.js';
import { BodyStructureIntake } from './body-structure-intake.js';
import { DocumentReferenceIntake } from './document-reference-intake.js';
import { MediaIntake } from './media-intake.js';
import { ObservationIntake } from './observation-intake.js';
import { PatientIntake } from './patient-intake.js';
import type { ResourceIntake } from './resource-intake.js';
import { ServiceRequestIntake } from './service-request-intake.js';
import { TaskIntake } from './task-intake.js';

/** Every intake; resources of other types are kept as they are. One line each. */
export const INTAKES: readonly Type<ResourceIntake>[] = [
  PatientIntake,
  BodyStructureIntake,
  BinaryIntake,
  MediaIntake,
  DocumentReferenceIntake,
  ObservationIntake,
  ServiceRequestIntake,
  TaskIntake,
] as unknown as readonly Type<ResourceIntake>[];
