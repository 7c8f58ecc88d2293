import { Module, type Provider } from '@nestjs/common';
import { ProfileLibrary } from '../../standards/fhir/profiles/profile-library.js';
import { ResourceIndexer } from '../../standards/fhir/search-index/rows/resource-indexer.js';
import { TypeSearches } from '../../standards/fhir/search-index/parameters/type-searches.js';
import { AssessmentPlaces } from '../../standards/fhir/store/assessment-places.js';
import { IndexRenewal } from '../../standards/fhir/store/index-renewal.js';
import { ResourceStore } from '../../standards/fhir/store/resource-store.js';
import { SqlResourceStore } from '../../standards/fhir/store/sql-resource.store.js';
import { R4Definitions } from '../../standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../standards/fhir/validation/resource-validator.js';
import { ThreadedValidation } from '../../standards/fhir/validation/threaded-validation.js';

/** One of each in a process: Medplum keeps the schemas of types globally. */
const DEFINITIONS: Provider[] = [
  { provide: R4Definitions, useFactory: () => new R4Definitions() },
  {
    provide: ProfileLibrary,
    useFactory: (definitions: R4Definitions) => new ProfileLibrary(definitions),
    inject: [R4Definitions],
  },
  ThreadedValidation,
  {
    provide: ResourceValidator,
    useFactory: (definitions: R4Definitions, library: ProfileLibrary, aside: ThreadedValidation) =>
      new ResourceValidator(definitions, library, aside),
    inject: [R4Definitions, ProfileLibrary, ThreadedValidation],
  },
];

const STORE: Provider[] = [
  {
    provide: TypeSearches,
    useFactory: (definitions: R4Definitions) => new TypeSearches(definitions),
    inject: [R4Definitions],
  },
  {
    provide: ResourceIndexer,
    useFactory: (searches: TypeSearches) => new ResourceIndexer(searches),
    inject: [TypeSearches],
  },
  { provide: ResourceStore, useClass: SqlResourceStore },
  AssessmentPlaces,
  IndexRenewal,
];

const PROVIDERS = [...DEFINITIONS, ...STORE];

/** The resources and what they are checked against: what the door and the projection, which also runs without one, both stand on. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class FhirStoreModule {}
