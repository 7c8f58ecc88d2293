import type { Type } from '@nestjs/common';
import type { ResourceIntake } from './resource-intake.js';

/** Every intake; resources of other types are kept as they are. One line each. */
export const INTAKES: readonly Type<ResourceIntake>[] = [];
