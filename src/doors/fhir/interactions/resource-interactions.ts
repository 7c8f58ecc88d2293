import { Injectable } from '@nestjs/common';
import { CriteriaMatch } from './criteria-match.js';
import { ResourceChanging } from './resource-changing.js';
import { ResourceDeleting } from './resource-deleting.js';
import { ResourcePutting } from './resource-putting.js';
import { ResourceReading } from './resource-reading.js';
import { ResourceWriting } from './resource-writing.js';

/**
 * The interactions of R4 with one resource, the same for a request and for an entry of a Bundle. Each checks what the caller may do
 * (`auth.scope`), and whether the type has the interaction (`fhir.type_not_supported`, `fhir.interaction_not_supported`).
 */
@Injectable()
export class ResourceInteractions {
  constructor(
    readonly reading: ResourceReading,
    readonly writing: ResourceWriting,
    readonly matches: CriteriaMatch,
    readonly changing: ResourceChanging,
    readonly putting: ResourcePutting,
    readonly deleting: ResourceDeleting,
  ) {}
}
