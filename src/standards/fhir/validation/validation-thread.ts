import { lowerThreadPriority } from '../../../platform/background-priority.js';
import { ProfileLibrary } from '../profiles/profile-library.js';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { ResourceValidator } from './resource-validator.js';
import type { ValidationTask } from './threaded-validation.js';
import type { Verdict } from './resource-issue.js';

lowerThreadPriority();
const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));

/** Runs in a thread of its own, with definitions of its own. */
export default function validateResource({ resource, profiles }: ValidationTask): Verdict {
  return validator.validate(resource, profiles);
}
