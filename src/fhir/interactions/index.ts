import type { Provider, Type } from '@nestjs/common';
import { IdSource } from '../../core/ports/id-source.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { Settings } from '../../platform/config/settings.js';
import { BinaryContent } from './binary-content.js';
import type { ResourceIntake } from './resource-intake.js';
import { DefinitionReading } from './definition-reading.js';
import { ProfileLibrary } from '../profiles/profile-library.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../store/resource-store.js';
import { ResourceValidator } from '../validation/resource-validator.js';
import { ClientNames } from './client-names.js';
import { HistoryReading } from './history-reading.js';
import { IntakeDirectory } from './intake-directory.js';
import { ReferenceCheck } from './reference-check.js';
import { ResourceChanging } from './resource-changing.js';
import { ResourceInteractions } from './resource-interactions.js';
import { ResourcePutting } from './resource-putting.js';
import { ResourceReading } from './resource-reading.js';
import { ResourceWriting } from './resource-writing.js';
import { StandardInteractions } from './standard-interactions.js';
import { SubjectCheck } from './subject-check.js';
import { SubmissionCheck } from './submission-check.js';

const interactions: Provider = {
  provide: ResourceInteractions,
  inject: [
    ResourceStore,
    ResourceSearch,
    IntakeDirectory,
    SubmissionCheck,
    ReferenceCheck,
    SubjectCheck,
    DefinitionReading,
    BinaryContent,
    IdSource,
    Settings,
  ],
  useFactory: (
    store: ResourceStore,
    search: ResourceSearch,
    intakes: IntakeDirectory,
    check: SubmissionCheck,
    references: ReferenceCheck,
    subjects: SubjectCheck,
    definitions: DefinitionReading,
    binaries: BinaryContent,
    ids: IdSource,
    { fhir }: Settings,
  ) => {
    const writing = new ResourceWriting(store, search, intakes, check, references, subjects, ids);
    return new StandardInteractions(
      new ResourceReading(store, search, definitions, binaries),
      new HistoryReading(store),
      writing,
      new ResourceChanging(store, intakes, check, references, subjects, fhir.requireIfMatch),
      new ResourcePutting(store, writing),
    );
  },
};

/** The intakes, and the directory that finds them. */
export function intakeProviders(intakes: readonly Type<ResourceIntake>[]): Provider[] {
  return [
    ...intakes,
    {
      provide: IntakeDirectory,
      inject: [...intakes],
      useFactory: (...made: ResourceIntake[]) => new IntakeDirectory(made),
    },
  ];
}

/** Over the store, the search, the bytes and the intakes that the module brings. */
export const INTERACTION_PROVIDERS: Provider[] = [
  {
    provide: SubmissionCheck,
    inject: [ResourceValidator],
    useFactory: (validator: ResourceValidator) => new SubmissionCheck(validator),
  },
  { provide: ReferenceCheck, inject: [ResourceStore], useFactory: (store: ResourceStore) => new ReferenceCheck(store) },
  {
    provide: SubjectCheck,
    inject: [ResourceStore, ResourceSearch],
    useFactory: (store: ResourceStore, search: ResourceSearch) => new SubjectCheck(store, search),
  },
  {
    provide: ClientNames,
    inject: [ResourceStore, ReferenceCheck, UnitOfWork],
    useFactory: (store: ResourceStore, references: ReferenceCheck, unitOfWork: UnitOfWork) =>
      new ClientNames(store, references, unitOfWork),
  },
  {
    provide: DefinitionReading,
    inject: [ProfileLibrary],
    useFactory: (library: ProfileLibrary) => new DefinitionReading(library),
  },
  interactions,
];
