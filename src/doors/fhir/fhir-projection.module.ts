import { Module, type Provider } from '@nestjs/common';
import { bind } from '../../platform/bind.js';
import { AssessmentPlaces } from '../../standards/fhir/store/assessment-places.js';
import { AwaitedPatients } from '../../standards/fhir/store/awaited-patients.js';
import { IndexRenewal } from '../../standards/fhir/store/index-renewal.js';
import { MissingRecords } from '../../standards/fhir/store/missing-records.js';
import { OpenedTenants } from '../../standards/fhir/store/opened-tenants.js';
import { ProfileLibrary } from '../../standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../standards/fhir/definitions/r4-definitions.js';
import { ResourceIndexer } from '../../standards/fhir/search-index/rows/resource-indexer.js';
import { ResourceStore } from '../../standards/fhir/store/resource-store.js';
import { ResourceValidator } from '../../standards/fhir/validation/resource-validator.js';
import { SqlResourceStore } from '../../standards/fhir/store/sql-resource.store.js';
import { ResourceXml } from '../../standards/fhir/xml/resource-xml.js';
import { ThreadedValidation } from '../../standards/fhir/validation/threaded-validation.js';
import { TypeSearches } from '../../standards/fhir/search-index/parameters/type-searches.js';
import { ResourceFinder } from '../../standards/fhir/store/resource-finder.js';
import { ClinicalFindings } from './intake/clinical-findings.js';
import { StatedFindingSources } from './intake/stated-finding-sources.js';
import { FindingSources } from './projection/finding-sources.js';
import { ResourceSearch } from './search/resource-search.js';
import { StoredResourceSearch } from './search/stored-resource.search.js';
import { FhirActivation } from './projection/fhir-activation.js';
import { FhirProjectionHandler } from './projection/fhir-projection.handler.js';
import { MissingResources } from './projection/missing-resources.js';
import { ModelProjection } from './projection/model-projection.js';
import { ModelResources } from './interactions/model-resources.js';
import { NamedResources } from './projection/named-resources.js';
import { OrganizationZone } from './search/organization-zone.js';
import { OrderProjection } from './projection/order-projection.js';
import { PhotoFollower } from './intake/photo-follower.handler.js';
import { PhotoProjection } from './projection/photo-projection.js';
import { PhotoRecords } from './photo/photo-records.js';
import { ReportContexts } from './projection/report-contexts.js';
import { ReportProjection } from './projection/report-projection.js';
import { ReportVersions } from './projection/report-versions.js';
import { ResourceBackfill } from './projection/resource-backfill.js';
import { ServiceResources } from './projection/service-resources.js';
import { StagesOfConditions } from './intake/stages-of-conditions.js';
import { ClientStages } from './projection/client-stages.js';
import { ReportFollower } from './projection/report-follower.js';
import { WoundProjection } from './projection/wound-projection.js';
import { RelationProjection } from './projection/relation-projection.js';
import { StageProjection } from './projection/stage-projection.js';
import { ClosingProjection } from './projection/closing-projection.js';
import { EventProjection } from './projection/event-projection.js';
import { SubjectProjection } from './projection/subject-projection.js';
import { TaskProjection } from './projection/task-projection.js';

/** One of each in a process: Medplum keeps the schemas of types globally. */
const DEFINITIONS: Provider[] = [
  bind(R4Definitions),
  bind(ProfileLibrary, R4Definitions),
  bind(ResourceXml, R4Definitions),
  ThreadedValidation,
  bind(ResourceValidator, R4Definitions, ProfileLibrary, ThreadedValidation),
];

const STORE: Provider[] = [
  bind(TypeSearches, R4Definitions),
  bind(ResourceIndexer, TypeSearches),
  { provide: ResourceStore, useClass: SqlResourceStore },
  AssessmentPlaces,
  AwaitedPatients,
  IndexRenewal,
];

/** The findings of clinicians that a report copies are looked for, too. */
const SEARCH: Provider[] = [
  OrganizationZone,
  ResourceFinder,
  StoredResourceSearch,
  { provide: ResourceSearch, useExisting: StoredResourceSearch },
  StagesOfConditions,
  { provide: ClientStages, useExisting: StagesOfConditions },
  ClinicalFindings,
];

const PROJECTION: Provider[] = [
  ServiceResources,
  ClosingProjection,
  StageProjection,
  RelationProjection,
  WoundProjection,
  EventProjection,
  SubjectProjection,
  PhotoProjection,
  ModelProjection,
  { provide: ModelResources, useExisting: ModelProjection },
  TaskProjection,
  OrderProjection,
  NamedResources,
  ReportContexts,
  { provide: FindingSources, useClass: StatedFindingSources },
  ReportVersions,
  ReportFollower,
  ReportProjection,
  OpenedTenants,
  MissingRecords,
  MissingResources,
  ResourceBackfill,
  FhirActivation,
  FhirProjectionHandler,
];

/** Lets Media follow their photos. */
const PHOTOS: Provider[] = [PhotoRecords, PhotoFollower];

/** The resources, what they are checked against, and jobs, reports and photos as resources: in every process that hands on events, with or without the door. Core's services are global. */
@Module({
  providers: [...DEFINITIONS, ...STORE, ...PHOTOS, ...SEARCH, ...PROJECTION],
  exports: [
    ...DEFINITIONS,
    ...STORE,
    ...PHOTOS,
    ...SEARCH,
    ClosingProjection,
    StageProjection,
    RelationProjection,
    EventProjection,
    FhirActivation,
    FhirProjectionHandler,
    MissingResources,
    ModelResources,
    OpenedTenants,
    OrderProjection,
    ReportProjection,
    ServiceResources,
    SubjectProjection,
  ],
})
export class FhirProjectionModule {}
