import type { Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { DomainEventKind } from '../../../../src/core/domain-events/domain-event.js';
import { AnalysisRequestRepository } from '../../../../src/core/analysis/analysis-request.repository.js';
import type { InstalledModel, ModelCatalogue } from '../../../../src/core/analysis/model-catalogue.js';
import { ClinicalClock } from '../../../../src/core/ports/clinical-clock.js';
import { Clock } from '../../../../src/core/ports/clock.js';
import { ImageRepository } from '../../../../src/core/images/image.repository.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { OrganizationRepository } from '../../../../src/core/organizations/organization.repository.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import { ReportRepository } from '../../../../src/core/report/report.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../../src/core/ports/unit-of-work.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import type { PhotoRecords } from '../../../../src/doors/fhir/photo/photo-records.js';
import { OrganizationZone } from '../../../../src/doors/fhir/search/organization-zone.js';
import { FhirProjectionHandler } from '../../../../src/doors/fhir/projection/fhir-projection.handler.js';
import { ModelProjection } from '../../../../src/doors/fhir/projection/model-projection.js';
import { PhotoProjection } from '../../../../src/doors/fhir/projection/photo-projection.js';
import { ResourceBackfill } from '../../../../src/doors/fhir/projection/resource-backfill.js';
import { MissingResources } from '../../../../src/doors/fhir/projection/missing-resources.js';
import { FhirActivation } from '../../../../src/doors/fhir/projection/fhir-activation.js';
import { NamedResources } from '../../../../src/doors/fhir/projection/named-resources.js';
import { ReportVersions } from '../../../../src/doors/fhir/projection/report-versions.js';
import { ReportContexts } from '../../../../src/doors/fhir/projection/report-contexts.js';
import { ReportProjection } from '../../../../src/doors/fhir/projection/report-projection.js';
import { OrderProjection } from '../../../../src/doors/fhir/projection/order-projection.js';
import { StatedFindingSources } from '../../../../src/doors/fhir/intake/stated-finding-sources.js';
import { ClinicalFindings } from '../../../../src/doors/fhir/intake/clinical-findings.js';
import { StagesOfConditions } from '../../../../src/doors/fhir/intake/stages-of-conditions.js';
import { StoredResourceSearch } from '../../../../src/doors/fhir/search/stored-resource.search.js';
import { contentColumns, contentOf, type KeptContent } from '../../../../src/standards/fhir/store/packed-content.js';
import { ResourceFinder } from '../../../../src/standards/fhir/store/resource-finder.js';
import { AuthorityDirectory } from '../../../../src/core/patients/authority-table.js';
import { ServiceResources } from '../../../../src/doors/fhir/projection/service-resources.js';
import { ReportFollower } from '../../../../src/doors/fhir/projection/report-follower.js';
import { WoundProjection } from '../../../../src/doors/fhir/projection/wound-projection.js';
import { RelationProjection } from '../../../../src/doors/fhir/projection/relation-projection.js';
import { WoundRelationRepository } from '../../../../src/core/followup/wound-relation.repository.js';
import { StageProjection } from '../../../../src/doors/fhir/projection/stage-projection.js';
import { ClosingProjection } from '../../../../src/doors/fhir/projection/closing-projection.js';
import { EventProjection } from '../../../../src/doors/fhir/projection/event-projection.js';
import { ClinicalEventRepository } from '../../../../src/core/followup/clinical-event.repository.js';
import { SubjectProjection } from '../../../../src/doors/fhir/projection/subject-projection.js';
import { TaskProjection } from '../../../../src/doors/fhir/projection/task-projection.js';
import { ProfileLibrary } from '../../../../src/standards/fhir/profiles/profile-library.js';
import { ResourceIndexer } from '../../../../src/standards/fhir/search-index/rows/resource-indexer.js';
import { TypeSearches } from '../../../../src/standards/fhir/search-index/parameters/type-searches.js';
import type { Author, StoredResource } from '../../../../src/standards/fhir/store/resource-store.js';
import { AssessmentPlaces } from '../../../../src/standards/fhir/store/assessment-places.js';
import { SqlResourceStore } from '../../../../src/standards/fhir/store/sql-resource.store.js';
import { MissingRecords } from '../../../../src/standards/fhir/store/missing-records.js';
import { OpenedTenants } from '../../../../src/standards/fhir/store/opened-tenants.js';
import { R4Definitions } from '../../../../src/standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../../../src/standards/fhir/validation/resource-validator.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import type { DatabaseContext } from '../../../support/database-context.js';
import { FollowUpContext } from '../../../support/follow-up-context.js';

const definitions = new R4Definitions();
const logger = Logger.create('silent');
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));

/** The projection over a test database, with core's follow-up beside it. */
export class ProjectionGround {
  readonly followUp: FollowUpContext;
  readonly store: SqlResourceStore;
  readonly places: AssessmentPlaces;
  readonly reports: ReportProjection;
  readonly photos: PhotoProjection;
  readonly models: ModelProjection;
  readonly backfill: ResourceBackfill;
  readonly opened: OpenedTenants;
  readonly opening: FhirActivation;
  private readonly missing: MissingResources;
  private readonly openings: FhirActivation[] = [];
  readonly handler: FhirProjectionHandler;
  private readonly unitOfWork: UnitOfWork;

  constructor(
    readonly database: DatabaseContext,
    variables: Readonly<Record<string, string>> = {},
    private readonly catalogue: ModelCatalogue = modelsThere([]),
  ) {
    const get = database.get.bind(database);
    const settings = readSettings(variables);
    this.followUp = new FollowUpContext(database);
    this.unitOfWork = get(UnitOfWork);
    const searches = new TypeSearches(definitions);
    this.store = new SqlResourceStore(new ResourceIndexer(searches), get(Clock));
    this.places = new AssessmentPlaces(searches);
    const resources = new ServiceResources(this.store);
    const zones = new OrganizationZone(get(OrganizationRepository), settings);
    const searching = new StoredResourceSearch(
      searches,
      new ResourceFinder(),
      get(Clock),
      zones,
      get(AuthorityDirectory),
    );
    const stages = new StagesOfConditions(searching, get(ReportRepository), get(WoundRepository));
    const staged = new StageProjection(resources, get(ReportRepository), get(WoundRepository), settings, stages, zones);
    const events = new EventProjection(
      resources,
      get(ClinicalEventRepository),
      get(WoundRepository),
      settings,
      new WoundProjection(
        new ClosingProjection(resources, get(WoundRepository)),
        new RelationProjection(resources, get(WoundRelationRepository), zones),
        staged,
      ),
    );
    const subjects = new SubjectProjection(
      resources,
      get(PatientRepository),
      get(WoundRepository),
      get(OrganizationRepository),
      settings,
      events,
    );
    this.photos = new PhotoProjection(resources, get(ImageRepository), photoRecords(), get(WoundRepository), settings);
    const tasks = new TaskProjection(
      resources,
      subjects,
      this.photos,
      get(JobRepository),
      get(AnalysisRequestRepository),
      get(Clock),
    );
    const orders = new OrderProjection(
      resources,
      get(AnalysisRequestRepository),
      get(JobRepository),
      get(ReportRepository),
    );
    this.models = new ModelProjection(resources, this.catalogue, settings, get(Clock));
    const named = new NamedResources(resources, subjects, this.photos, this.models, settings);
    const findings = new ClinicalFindings(searching, this.store, zones, get(ClinicalClock), stages);
    const contexts = new ReportContexts(resources, named, get(ReportRepository), get(WoundRepository), settings, zones);
    this.reports = new ReportProjection(
      resources,
      contexts,
      new ReportVersions(
        resources,
        contexts,
        get(ReportRepository),
        this.places,
        new StatedFindingSources(findings, resources),
        get(Clock),
      ),
      new ReportFollower(resources, tasks, orders, staged),
      this.followUp.reader,
    );
    this.missing = new MissingResources(
      new MissingRecords(get(SystemStatements)),
      this.reports,
      tasks,
      events,
      this.unitOfWork,
      logger,
    );
    this.opened = new OpenedTenants(get(SystemStatements));
    this.opening = this.openingOfAProcess();
    this.handler = new FhirProjectionHandler(this.opening, this.unitOfWork, this.reports, tasks, events);
    this.backfill = new ResourceBackfill(this.opened, this.missing, settings, logger);
  }

  /** The opening as each process has one of its own. */
  openingOfAProcess(): FhirActivation {
    const statements = this.database.get(SystemStatements);
    const opening = new FhirActivation(this.opened, new MissingRecords(statements), this.missing, logger);
    this.openings.push(opening);
    return opening;
  }

  /** Ends what openings still do in the background. */
  async stop(): Promise<void> {
    await Promise.all(this.openings.map((opening) => opening.beforeApplicationShutdown()));
  }

  /** Handles an event as for a tenant that asked for FHIR before. */
  async handle(tenant: Tenant, kind: DomainEventKind, subjectId: string): Promise<void> {
    await this.opened.open(tenant);
    return this.handler.handle({ id: v7(), kind, tenant, subjectId });
  }

  /** Hands over what the outbox holds, in its order or the other way round. */
  async deliver(tenant: Tenant, backwards = false): Promise<void> {
    const events = await this.followUp.takeReportEvents(tenant);
    for (const { kind, subjectId } of backwards ? events.reverse() : events) await this.handle(tenant, kind, subjectId);
  }

  find<T extends Resource>(tenant: Tenant, type: T['resourceType'], id: string): Promise<StoredResource<T> | null> {
    return this.within(tenant, (transaction) => this.store.find<T>(transaction, type, id));
  }

  async read<T extends Resource>(tenant: Tenant, type: T['resourceType'], id: string): Promise<T> {
    const found = await this.find<T>(tenant, type, id);
    if (found === null) throw new Error(`There is no ${type} with this id.`);
    return found.resource;
  }

  insert<T extends Resource>(
    tenant: Tenant,
    resource: T,
    author: Author = { kind: 'client', keyId: v7() },
  ): Promise<StoredResource<T>> {
    return this.within(tenant, (transaction) => this.store.insert<T>(transaction, resource, author));
  }

  within<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.inTenant(tenant, work);
  }

  /** Every resource of a tenant, each with what its profile or R4 has against it. */
  async faultsOf(tenant: Tenant): Promise<[string, unknown[]][]> {
    const all = await this.all(tenant);
    return all.map((resource): [string, unknown[]] => [
      `${resource.resourceType}/${resource.id!}`,
      validator.validate(resource).issues.filter(({ severity }) => severity !== 'information'),
    ]);
  }

  /** Present versions of all resources of a tenant. */
  async all(tenant: Tenant): Promise<Resource[]> {
    const select = `select ${contentColumns('v')} from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version
      where r.organization_id = $1 and r.environment = $2 order by r.type, r.id`;
    const { rows } = await this.database
      .get(SystemStatements)
      .run<KeptContent>(select, [tenant.organizationId, tenant.environment]);
    return rows.map((row) => contentOf(row));
  }
}

/** A catalogue with these models. */
export function modelsThere(installed: readonly InstalledModel[]): ModelCatalogue {
  return { activeModels: () => installed.filter(({ active }) => active), installedModels: () => installed };
}

/** There is no object store here: photos say of their bytes what a drawn one says. */
function photoRecords(): PhotoRecords {
  const facts = {
    contentType: 'image/jpeg',
    sizeBytes: 1000,
    sha1: 'IRWh2IFDIWWzvo1QWc1KK6HA9Y4=',
    widthPx: 640,
    heightPx: 480,
    takenAt: null,
  };
  return { factsOf: () => Promise.resolve(facts) } as unknown as PhotoRecords;
}
