import { SuturaError } from '../errors/sutura-error.js';
import type { ImageRecord } from '../images/image.js';
import type { ImageService } from '../images/image.service.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { ImageRepository } from '../images/image.repository.js';
import type { JobCursor, JobFilter, JobRepository } from './job.repository.js';
import type { ModelCatalogue } from './model-catalogue.js';
import type { OrganizationRepository } from '../organizations/organization.repository.js';
import type { BirthDates } from '../patients/birth-dates.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import type { Outbox } from '../domain-events/outbox.js';
import { QUOTA_THRESHOLDS_PCT, thresholdOf, type QuotaLedger } from '../organizations/quota-ledger.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import { ANALYSES_PER_DAY, dailyLimitOf } from '../organizations/organization.js';
import type { QuotaUsage } from '../tenancy/quota-usage.js';
import type { Tenant } from '../tenancy/tenant.js';
import { patientIdentifierOf, type AnalysisJob, type JobRequest } from './analysis-job.js';
import { usableCameraTime } from './camera-time.js';
import { photoFault } from './photo-fault.js';
import {
  askedForBySandbox,
  requireSandboxOutcome,
  sandboxOutcome,
  SANDBOX_KEY,
  type SandboxOutcome,
} from './sandbox-outcome.js';
import { requestOf } from './request-of-job.js';
import { findRepeated, type AskedJob } from './repeated-job.js';

export interface AnalysisServicePorts {
  readonly unitOfWork: UnitOfWork;
  readonly jobs: JobRepository;
  readonly images: ImageRepository;
  readonly patients: PatientRepository;
  readonly organizations: OrganizationRepository;
  readonly quota: QuotaLedger;
  readonly outbox: Outbox;
  readonly models: ModelCatalogue;
  readonly clinicalClock: ClinicalClock;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly birthDates: BirthDates;
}

export interface AnalysisRules {
  /** The operator took the responsibility for live jobs on a research-only model. */
  readonly allowResearchModel: boolean;
  /** IANA; the clocks by which organizations without a zone of their own mean a day. Absent: UTC. */
  readonly timeZone?: string;
}

export interface CreatedJob {
  readonly job: AnalysisJob;
  readonly quota: QuotaUsage;
  /** The job was there already: the same photo of the same wound and moment was sent again, and nothing was charged. */
  readonly isRepeat: boolean;
}

/** Analysis jobs from their creation, the same behind every door. A worker ends them (report/job-completion.ts). */
export class AnalysisService {
  constructor(
    private readonly ports: AnalysisServicePorts,
    private readonly imageService: ImageService,
    private readonly rules: AnalysisRules,
  ) {}

  /** Reads an upload that went straight to the store, so that `create` finds its verdict. To be called before its transaction. */
  prepare(tenant: Tenant, imageId: string): Promise<void> {
    return this.imageService.settleUpload(tenant, imageId);
  }

  /** SHA-256 of the photo, hex; null: its bytes are not here. */
  photoDigest(tenant: Tenant, imageId: string): Promise<string | null> {
    return this.imageService.digestOf(tenant, imageId);
  }

  /**
   * Makes a queued job and charges one analysis, inside the caller's transaction and all or nothing with it; or answers the job that was made
   * of the same bytes, of the same wound and stated moment (findRepeated), uncharged.
   * `image.not_found`, `image.not_uploaded`, `image.unreadable`, `image.damaged`, `calibration.implausible`, `region.outside_photo`, `capture.future`, `subject.mismatch`,
   * `model.research_only`, `job.repeated`, `quota.exceeded`; none of them charges. What the metadata ask for in the test environment (sandbox-outcome.ts)
   * comes where the true outcome would: `quota.exceeded`, and `identity.conflict` until a person has decided. `sandbox.live`, `request.invalid`.
   */
  async create(transaction: TenantTransaction, asked: JobRequest): Promise<CreatedJob> {
    const outcome = requireSandboxOutcome(transaction.tenant.environment, asked.metadata);
    const image = await this.usableImage(transaction, asked);
    const patientId = await this.resolvePatient(transaction, image, asked);
    if (outcome?.kind === 'held:identity_conflict' && asked.decidedItem === undefined)
      throw new SuturaError('identity.conflict');
    const request = await this.dated(transaction, image, asked, patientId);
    const first =
      request.id === undefined ? await this.repeatedOf(transaction, image, { ...request, patientId }) : null;
    if (first !== null) return { job: first, quota: await this.usageIn(transaction), isRepeat: true };
    const job = await this.queue(transaction, image, request, patientId);
    // Last, so that the organization's one quota row is held for as short a time as possible.
    if (outcome?.kind === 'quota_exceeded') throw await this.usedUp(transaction, outcome);
    const { charged, quota } = await this.charge(transaction);
    if (!charged) throw new SuturaError('quota.exceeded', { quota, retryAfterS: quota.resetsInS });
    return { job, quota, isRepeat: false };
  }

  /** The job that `request` asks for once more; null: none, or its photo is not there yet. `job.repeated`; `image.not_found`, `subject.mismatch`. */
  async repeated(transaction: TenantTransaction, request: JobRequest): Promise<AnalysisJob | null> {
    if (request.capturedAt === null) return null;
    const image = await this.imageService.requireForUse(transaction, request.imageId);
    const patientId = await this.resolvePatient(transaction, image, request);
    return this.repeatedOf(transaction, image, { ...request, patientId });
  }

  private async repeatedOf(
    transaction: TenantTransaction,
    { sha256 }: ImageRecord,
    asked: AskedJob & Pick<JobRequest, 'capturedAt' | 'metadata'>,
  ): Promise<AnalysisJob | null> {
    if (asked.capturedAt === null || sha256 === null) return null;
    const sandbox = sandboxOutcome(transaction.tenant.environment, asked.metadata?.[SANDBOX_KEY])?.asked;
    const candidates = await this.ports.jobs.ofSameCapture(transaction, sha256, asked.capturedAt);
    return findRepeated(candidates, { ...asked, sandbox });
  }

  /**
   * As `create`, but with the quota exhausted nothing is written and the caller's transaction continues, with `job` null. The quota's row is locked until that transaction ends.
   */
  async createWithinQuota(
    transaction: TenantTransaction,
    request: JobRequest,
  ): Promise<CreatedJob | { readonly job: null; readonly quota: QuotaUsage }> {
    const image = await this.usableImage(transaction, request);
    const { charged, quota } = await this.charge(transaction);
    return charged
      ? { job: await this.queueOf(transaction, image, request), quota, isRepeat: false }
      : { job: null, quota };
  }

  /** Makes a queued job that does a failed one again, uncharged. What `create` refuses, but for the quota. */
  async repeat(transaction: TenantTransaction, failed: AnalysisJob): Promise<AnalysisJob> {
    const image = await this.usableImage(transaction, failed);
    return this.queueOf(transaction, image, { ...requestOf(failed), retryOf: failed.id });
  }

  /** Refuses what `repeat` refuses, and writes nothing. */
  async requireRepeatable(transaction: TenantTransaction, failed: AnalysisJob): Promise<void> {
    await this.usableImage(transaction, failed);
  }

  /** `job.not_found` for an unknown, malformed or another tenant's id. */
  async get(tenant: Tenant, jobId: string): Promise<AnalysisJob> {
    const job = await this.ports.jobs.read(tenant, jobId);
    if (job === null) throw new SuturaError('job.not_found');
    return job;
  }

  /** Newest first. */
  list(tenant: Tenant, filter: JobFilter, limit: number, after: JobCursor | null): Promise<AnalysisJob[]> {
    return this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.jobs.list(transaction, filter, limit, after),
    );
  }

  usage(tenant: Tenant): Promise<QuotaUsage> {
    return this.ports.unitOfWork.inTenant(tenant, (transaction) => this.usageIn(transaction));
  }

  /** `organization.not_found`. */
  private async usageIn(transaction: TenantTransaction): Promise<QuotaUsage> {
    const { organizationId } = transaction.tenant;
    return this.ports.quota.usage(transaction, organizationId, await this.dailyLimit(transaction));
  }

  private async usableImage(transaction: TenantTransaction, request: JobRequest): Promise<ImageRecord> {
    this.refuseResearchModelOnPatients(transaction.tenant);
    const image = await this.imageService.requireForUse(transaction, request.imageId);
    if (image.status !== 'stored' || image.verdict === null) throw new SuturaError('image.not_uploaded');
    const fault = photoFault(image.verdict, request, await this.ports.clinicalClock.now(transaction));
    if (fault !== null) throw fault;
    return image;
  }

  private async queueOf(transaction: TenantTransaction, image: ImageRecord, request: JobRequest): Promise<AnalysisJob> {
    return this.queue(transaction, image, request, await this.resolvePatient(transaction, image, request));
  }

  private async queue(
    transaction: TenantTransaction,
    image: ImageRecord,
    request: JobRequest,
    patientId: string | null,
  ): Promise<AnalysisJob> {
    const { tenant } = transaction;
    // A photo that is analysed again was not taken again, whatever its camera says.
    const isUntold =
      request.capturedAt === null || request.isCaptureOfPhoto === true || request.isCameraTimeUnused === true;
    const taken = isUntold ? await this.ports.jobs.lastCapture(transaction, image.id) : null;
    const dated = { ...(await this.dated(transaction, image, request, patientId)), ...taken };
    const capturedAt = dated.capturedAt ?? (await this.ports.clinicalClock.now(transaction));
    const job = this.newJob(tenant, { ...dated, capturedAt }, patientId);
    await this.ports.jobs.insert(transaction, job);
    return job;
  }

  /** With the time that the photo itself says, where its sender stated none. */
  private async dated(
    transaction: TenantTransaction,
    { verdict, storedAt }: ImageRecord,
    request: JobRequest,
    patientId: string | null,
  ): Promise<JobRequest> {
    if (request.capturedAt !== null || verdict?.readable !== true || verdict.takenAt === undefined) return request;
    const [now, timeline] = [
      await this.ports.clinicalClock.now(transaction),
      await this.ports.clinicalClock.timeline(transaction),
    ];
    const birthDate = patientId === null ? null : await this.ports.birthDates.of(transaction, patientId);
    const taken = usableCameraTime(verdict.takenAt, {
      now,
      storedAt: storedAt === null ? null : timeline.at(storedAt),
      birthDate,
    });
    if (taken === null) return { ...request, isCameraTimeUnused: true };
    const zone = taken.hasTimeOfDay ? 'UTC' : await this.zoneOf(transaction);
    return { ...request, capturedAt: taken.orderedAt(zone, now), capturedAsStated: taken.text, isCaptureOfPhoto: true };
  }

  private async zoneOf(transaction: TenantTransaction): Promise<string> {
    const organization = await this.ports.organizations.find(transaction, transaction.tenant.organizationId);
    return organization?.timeZone ?? this.rules.timeZone ?? 'UTC';
  }

  private refuseResearchModelOnPatients(tenant: Tenant): void {
    if (tenant.environment !== 'live' || this.rules.allowResearchModel) return;
    if (this.ports.models.activeModels().some(({ researchOnly }) => researchOnly))
      throw new SuturaError('model.research_only');
  }

  private async resolvePatient(
    transaction: TenantTransaction,
    image: ImageRecord,
    request: JobRequest,
  ): Promise<string | null> {
    const identifier = patientIdentifierOf(request.subject);
    if (identifier === null) return image.patientId;
    const patientId = await this.ports.patients.resolve(transaction, identifier, this.ports.ids.next());
    if (image.patientId !== null && image.patientId !== patientId) throw new SuturaError('subject.mismatch');
    return patientId;
  }

  private newJob(
    tenant: Tenant,
    { decidedItem: _decided, ...request }: JobRequest & { readonly capturedAt: Date },
    patientId: string | null,
  ): AnalysisJob {
    return {
      ...request,
      sandbox: sandboxOutcome(tenant.environment, request.metadata?.[SANDBOX_KEY])?.asked,
      reportId: this.ports.ids.next(),
      id: request.id ?? this.ports.ids.next(),
      organizationId: tenant.organizationId,
      environment: tenant.environment,
      patientId,
      status: 'queued',
      attempts: 0,
      createdAt: this.ports.clock.now(),
      startedAt: null,
      completedAt: null,
      result: null,
      error: null,
    };
  }

  /** The refusal of a day whose analyses are used up, which these are not. */
  private async usedUp(transaction: TenantTransaction, outcome: SandboxOutcome): Promise<SuturaError> {
    const usage = await this.usageIn(transaction);
    return new SuturaError('quota.exceeded', {
      detail: askedForBySandbox(outcome, 'answered as once the daily analyses are used up. Nothing was charged.'),
      quota: { ...usage, used: usage.limit },
      retryAfterS: usage.resetsInS,
    });
  }

  private async charge(
    transaction: TenantTransaction,
  ): Promise<{ readonly charged: boolean; readonly quota: QuotaUsage }> {
    const { organizationId } = transaction.tenant;
    const charged = await this.ports.quota.charge(transaction, organizationId, ANALYSES_PER_DAY);
    if (charged !== null && QUOTA_THRESHOLDS_PCT.some((share) => charged.used === thresholdOf(charged, share)))
      await this.ports.outbox.append(transaction, { kind: 'quota.threshold', subjectId: organizationId });
    return { charged: charged !== null, quota: charged ?? (await this.usageIn(transaction)) };
  }

  private async dailyLimit(transaction: TenantTransaction): Promise<number> {
    const organization = await this.ports.organizations.find(transaction, transaction.tenant.organizationId);
    if (organization === null) throw new SuturaError('organization.not_found');
    return dailyLimitOf(organization);
  }
}
