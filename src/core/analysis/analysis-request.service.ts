import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { ImageService } from '../images/image.service.js';
import { UPLOAD_FAULTS } from '../images/upload-faults.js';
import type { AnalysisRequestRepository } from './analysis-request.repository.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { JobRepository } from './job.repository.js';
import type { ObjectStore } from '../images/object-store.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import type { QuotaPolicy } from '../organizations/quota-ledger.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { AnalysisJob, JobError } from './analysis-job.js';
import type { AnalysisRequest, AnalysisOptions, RequestedAnalysis } from './analysis-request.js';
import type { AnalysisService } from './analysis.service.js';
import { photoFault } from './photo-fault.js';

export interface AnalysisRequestServicePorts {
  readonly unitOfWork: UnitOfWork;
  readonly requests: AnalysisRequestRepository;
  readonly jobs: JobRepository;
  readonly store: Pick<ObjectStore, 'uploadsArriveAt'>;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A new request: its options, its photo if there is one, and the order that it came with. */
export interface NewAnalysisRequest {
  /** The id, if it was given out before; absent: a fresh one. */
  readonly id?: string;
  readonly imageId: string | null;
  readonly orderKey: string | null;
  readonly options: AnalysisOptions;
  /** True: see AnalysisRequest. */
  readonly awaitsPatient?: boolean | undefined;
  /** Absent: `refuse`. */
  readonly quota?: QuotaPolicy | undefined;
}

export type CancelOutcome = 'cancelled' | 'too_late' | 'unknown';

const CANCELLED: JobError = {
  code: 'job.cancelled',
  detail: 'The analysis was cancelled before it began.',
  retryable: false,
};
/** With a research-only model on patients: until the operator has changed something. */
const HELD_BACK_RETRY_S = 3600;
const SWEEP_LIMIT = 100;
/** A request that is still not ready is looked at again after this. */
const SWEEP_LEND_S = 60;

/** Analyses that were ordered: at once a job where the photo is readable, else as soon as it is. */
export class AnalysisRequestService {
  constructor(
    private readonly ports: AnalysisRequestServicePorts,
    private readonly analysis: AnalysisService,
    private readonly images: ImageService,
  ) {}

  /**
   * Records what was ordered, inside the caller's transaction. With readable bytes it is a charged job at once; with ones that cannot be analysed
   * as asked (photoFault) it is rejected; else it waits, with the quota policy `wait` also for the quota. `image.not_found`, and what AnalysisService.create refuses
   * (`quota.exceeded`, `model.research_only`).
   */
  async request(transaction: TenantTransaction, asked: NewAnalysisRequest): Promise<RequestedAnalysis> {
    const now = this.ports.clock.now();
    const { imageId, orderKey, options } = asked;
    const fresh: AnalysisRequest = {
      ...tenantOf(transaction.tenant),
      id: asked.id ?? this.ports.ids.next(),
      imageId,
      orderKey,
      options,
      state: 'waiting',
      awaitsPatient: asked.awaitsPatient ?? false,
      error: null,
      retryAt: now,
      createdAt: now,
    };
    const requested = await this.begin(transaction, fresh, asked.quota);
    await this.ports.requests.insert(transaction, requested.request);
    return requested;
  }

  /** The photo of an order that waited for one. As `request`; null where the request has a photo or no longer waits. */
  async attach(
    transaction: TenantTransaction,
    id: string,
    imageId: string,
    options: AnalysisOptions,
    quota?: QuotaPolicy,
  ): Promise<RequestedAnalysis | null> {
    const request = await this.ports.requests.findForUpdate(transaction, id);
    if (request === null || request.imageId !== null || !isOpen(request)) return null;
    await this.ports.requests.update(transaction, id, { imageId, options });
    const attached = { ...request, imageId, options };
    return request.state === 'held' ? { request: attached, job: null } : this.start(transaction, attached, quota);
  }

  /** An analysis goes on under an order that came later, or under another one than before. Nothing is analysed or charged again. */
  async bringUnder(transaction: TenantTransaction, id: string, orderKey: string): Promise<void> {
    await this.ports.requests.update(transaction, id, { orderKey });
  }

  /** Completes the options of a photo's open requests, for instance with a clinician's finding that came after the order. */
  async revise(
    transaction: TenantTransaction,
    imageId: string,
    change: (options: AnalysisOptions) => AnalysisOptions,
  ): Promise<void> {
    await this.eachOpen(transaction, imageId, ({ id, options }) =>
      this.ports.requests.update(transaction, id, { options: change(options) }),
    );
  }

  /**
   * Says of an open request whether it waits for its patient. One that no longer does is a job at once where its photo is readable; it waits
   * for the quota. null: nothing changed by it.
   */
  async awaitPatient(
    transaction: TenantTransaction,
    id: string,
    awaitsPatient: boolean,
  ): Promise<RequestedAnalysis | null> {
    const request = await this.ports.requests.findForUpdate(transaction, id);
    if (request === null || !isOpen(request) || request.awaitsPatient === awaitsPatient) return null;
    await this.ports.requests.update(transaction, id, { awaitsPatient });
    const changed = { ...request, awaitsPatient };
    return awaitsPatient || request.state === 'held'
      ? { request: changed, job: null }
      : this.start(transaction, changed, 'wait');
  }

  /** Holds a request until it is released. False: it has ended or become a job. */
  async hold(transaction: TenantTransaction, id: string): Promise<boolean> {
    const request = await this.ports.requests.findForUpdate(transaction, id);
    if (request === null || !isOpen(request)) return false;
    await this.ports.requests.update(transaction, id, { state: 'held' });
    return true;
  }

  /** Continues a held request; refuses as `request` does. null: it was not held. */
  async release(transaction: TenantTransaction, id: string, quota?: QuotaPolicy): Promise<RequestedAnalysis | null> {
    const request = await this.ports.requests.findForUpdate(transaction, id);
    if (request?.state !== 'held') return null;
    await this.ports.requests.update(transaction, id, { state: 'waiting' });
    return this.start(transaction, { ...request, state: 'waiting' }, quota);
  }

  /** Cancels a request or a queued job. A waiting request was never charged; a queued job stays charged. A repeat changes nothing. */
  async cancel(transaction: TenantTransaction, id: string): Promise<CancelOutcome> {
    const request = await this.ports.requests.findForUpdate(transaction, id);
    if (request !== null && isOpen(request)) {
      await this.ports.requests.update(transaction, id, { state: 'cancelled' });
      return 'cancelled';
    }
    if (request?.state === 'cancelled') return 'cancelled';
    if (request?.state === 'rejected') return 'too_late';
    if (await this.ports.jobs.cancel(transaction, id, CANCELLED)) return 'cancelled';
    const job = await this.ports.jobs.find(transaction, id);
    if (job === null) return 'unknown';
    return job.error?.code === 'job.cancelled' ? 'cancelled' : 'too_late';
  }

  /** The job that these options ask for once more, of a photo that was sent again; null: none. `job.repeated`. */
  firstOf(transaction: TenantTransaction, imageId: string, options: AnalysisOptions): Promise<AnalysisJob | null> {
    return this.analysis.repeated(transaction, { ...options, imageId });
  }

  find(transaction: TenantTransaction, id: string): Promise<AnalysisRequest | null> {
    return this.ports.requests.find(transaction, id);
  }

  /** The requests of an order, oldest first. */
  ofOrder(transaction: TenantTransaction, orderKey: string): Promise<AnalysisRequest[]> {
    return this.ports.requests.listOfOrder(transaction, orderKey);
  }

  /** The time when the quota returns, for a request that has its photo and waits for the quota; null for any other request. */
  async quotaReturnsFor(
    transaction: TenantTransaction,
    { state, imageId, awaitsPatient, retryAt }: AnalysisRequest,
  ): Promise<Date | null> {
    if (state !== 'waiting' || awaitsPatient || imageId === null || retryAt <= this.ports.clock.now()) return null;
    return (await this.images.isStored(transaction, imageId)) ? retryAt : null;
  }

  /** The requests for a photo, oldest first. */
  ofImage(transaction: TenantTransaction, imageId: string): Promise<AnalysisRequest[]> {
    return this.ports.requests.listOfImage(transaction, imageId);
  }

  /** Starts the requests that wait for a photo's bytes, each in a transaction of its own. */
  async imageReady(tenant: Tenant, imageId: string): Promise<void> {
    const waiting = await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.requests.listOfImage(transaction, imageId),
    );
    for (const { id } of waiting.filter(({ state }) => state === 'waiting')) await this.resume(tenant, id);
  }

  /** Ends the requests for a photo that was deleted before its analysis began. */
  imageGone(tenant: Tenant, imageId: string): Promise<void> {
    const gone = errorOf(new SuturaError('image.unavailable'));
    return this.ports.unitOfWork.inTenant(tenant, (transaction) => this.rejectAll(transaction, imageId, gone));
  }

  /** Rejects the requests that wait for a photo that will never come. */
  rejectAll(transaction: TenantTransaction, imageId: string, error: JobError): Promise<void> {
    return this.eachOpen(transaction, imageId, (request) => this.reject(transaction, request, error));
  }

  /** Retries requests that wait for the quota, and those whose photo went straight to the store. Returns how many. */
  async sweep(): Promise<number> {
    const due = await this.ports.requests.takeDue(
      SWEEP_LIMIT,
      SWEEP_LEND_S,
      this.ports.store.uploadsArriveAt === 'store',
    );
    for (const { tenant, id, imageId } of due) {
      try {
        await this.analysis.prepare(tenant, imageId);
      } catch (fault) {
        // Requests for a refused photo are rejected with the same code.
        if (!isSuturaError(fault, ...UPLOAD_FAULTS)) throw fault;
        await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
          this.rejectAll(transaction, imageId, errorOf(fault)),
        );
      }
      await this.resume(tenant, id);
    }
    return due.length;
  }

  /** One attempt in a transaction of its own. The quota is waited for; a photo that cannot be used ends the request. */
  private async resume(tenant: Tenant, id: string): Promise<void> {
    const { unitOfWork, requests } = this.ports;
    try {
      await unitOfWork.inTenant(tenant, async (transaction) => {
        const request = await requests.findForUpdate(transaction, id);
        if (request?.state === 'waiting' && request.imageId !== null) await this.start(transaction, request);
      });
    } catch (fault) {
      if (!isSuturaError(fault, 'quota.exceeded', 'model.research_only', 'image.not_found', 'subject.mismatch'))
        throw fault;
      await unitOfWork.inTenant(tenant, (transaction) => this.putOff(transaction, id, fault));
    }
  }

  private async putOff(transaction: TenantTransaction, id: string, fault: SuturaError): Promise<void> {
    const ends = fault.code === 'image.not_found' || fault.code === 'subject.mismatch';
    if (!ends) return this.ports.requests.postpone(transaction, id, fault.facts.retryAfterS ?? HELD_BACK_RETRY_S);
    const request = await this.ports.requests.findForUpdate(transaction, id);
    if (request?.state === 'waiting')
      await this.reject(
        transaction,
        request,
        errorOf(fault.code === 'image.not_found' ? new SuturaError('image.unavailable') : fault),
      );
  }

  /** Starts a stored request if its photo and quota allow. */
  private async start(
    transaction: TenantTransaction,
    request: AnalysisRequest,
    quota?: QuotaPolicy,
  ): Promise<RequestedAnalysis> {
    const requested = await this.begin(transaction, request, quota);
    const { state, error, retryAt } = requested.request;
    if (state !== request.state) await this.ports.requests.update(transaction, request.id, { state, error });
    if (retryAt !== request.retryAt) await this.ports.requests.update(transaction, request.id, { retryAt });
    return requested;
  }

  /** The next state of a request, with its job if it starts. The caller writes the request's row. */
  private async begin(
    transaction: TenantTransaction,
    request: AnalysisRequest,
    quota: QuotaPolicy = 'refuse',
  ): Promise<RequestedAnalysis> {
    if (request.imageId === null) return { request, job: null };
    const image = await this.images.lockOrAwait(transaction, request.imageId);
    if (image.status !== 'stored') return { request, job: null };
    const now = await this.ports.clinicalClock.now(transaction);
    const fault = image.verdict === null ? null : photoFault(image.verdict, request.options, now);
    if (fault !== null) {
      await this.publishRejection(transaction, request);
      return { request: { ...request, state: 'rejected', error: errorOf(fault) }, job: null };
    }
    if (request.awaitsPatient) return { request, job: null };
    const wanted = { ...request.options, id: request.id, imageId: request.imageId };
    if (quota === 'refuse')
      return {
        request: { ...request, state: 'started' },
        job: (await this.analysis.create(transaction, wanted)).job,
      };
    const { job, quota: usage } = await this.analysis.createWithinQuota(transaction, wanted);
    if (job !== null) return { request: { ...request, state: 'started' }, job };
    return {
      request: { ...request, retryAt: new Date(this.ports.clock.now().getTime() + usage.resetsInS * 1000) },
      job: null,
    };
  }

  private async reject(transaction: TenantTransaction, request: AnalysisRequest, error: JobError): Promise<void> {
    await this.ports.requests.update(transaction, request.id, { state: 'rejected', error });
    await this.publishRejection(transaction, request);
  }

  private publishRejection(transaction: TenantTransaction, request: AnalysisRequest): Promise<void> {
    return this.ports.outbox.append(transaction, {
      kind: 'analysis.rejected',
      subjectId: request.id,
    });
  }

  private async eachOpen(
    transaction: TenantTransaction,
    imageId: string,
    act: (request: AnalysisRequest) => Promise<unknown>,
  ): Promise<void> {
    for (const { id } of await this.ports.requests.listOfImage(transaction, imageId)) {
      const request = await this.ports.requests.findForUpdate(transaction, id);
      if (request !== null && isOpen(request)) await act(request);
    }
  }
}

/** True until the request becomes a job or ends. */
export function isOpen({ state }: Pick<AnalysisRequest, 'state'>): boolean {
  return state === 'waiting' || state === 'held';
}

function errorOf({ code, detail }: SuturaError): JobError {
  return { code, detail, retryable: false };
}
