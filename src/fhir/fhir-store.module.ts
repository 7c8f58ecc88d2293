import { Module, type Provider } from '@nestjs/common';
import { ProfileLibrary } from './profiles/profile-library.js';
import { STORE_PROVIDERS } from './store/index.js';
import { R4Definitions } from './definitions/r4-definitions.js';
import { ResourceValidator } from './validation/resource-validator.js';
import { ThreadedValidation } from './validation/threaded-validation.js';

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

const PROVIDERS = [...DEFINITIONS, ...STORE_PROVIDERS];

/** The resources and what they are checked against: what the door and the projection, which also runs without one, both stand on. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class FhirStoreModule {}
