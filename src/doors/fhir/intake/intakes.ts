import type { Type } from '@nestjs/common';
import { BinaryIntake } from './binary-intake.js';
import { BodyStructureIntake } from './body-structure-intake.js';
import { ConditionIntake } from './condition-intake.js';
import { DocumentReferenceIntake } from './document-reference-intake.js';
import { MediaIntake } from './media-intake.js';
import { ObservationIntake } from './observation-intake.js';
import { PatientIntake } from './patient-intake.js';
import type { IntakeType } from '../interactions/resource-intake.js';
import { ProcedureIntake } from './procedure-intake.js';
import { ServiceRequestIntake } from './service-request-intake.js';
import { TaskIntake } from './task-intake.js';

const BY_TYPE: { readonly [T in IntakeType]: Type<{ readonly type: T }> } = {
  Patient: PatientIntake,
  BodyStructure: BodyStructureIntake,
  Binary: BinaryIntake,
  Media: MediaIntake,
  DocumentReference: DocumentReferenceIntake,
  Observation: ObservationIntake,
  Procedure: ProcedureIntake,
  Condition: ConditionIntake,
  ServiceRequest: ServiceRequestIntake,
  Task: TaskIntake,
};

/** The intake of each type whose row in the table of types has one. */
export const INTAKES = Object.values(BY_TYPE) as readonly Type[];
