import { profileUrl } from './codes.js';

/** R4’s own extension for a site that is kept as a BodyStructure; R4’s Condition has no element for it. */
export const BODY_SITE = 'http://hl7.org/fhir/StructureDefinition/bodySite';

/** When a person stated a stage: R4’s `Condition.stage` has no time of its own. */
export const STAGE_STATED_AT = profileUrl('stage-stated-at');
