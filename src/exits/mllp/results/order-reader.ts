import type { ServiceRequest } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AnalysisRequestRepository } from '../../../core/analysis/analysis-request.repository.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ClinicalRecords } from '../../../standards/hl7v2/records/clinical-records.js';
import { ReceivedOrders, type ReceivedOrder } from '../../../standards/hl7v2/records/received-orders.js';
import type { ResultOrigin } from '../settings/hl7-destination.js';

const ORDER_PREFIX = 'ServiceRequest/';
/** HL7 table 0203. */
const PLACER_TYPE = 'PLAC';

/** The order of an analysis as it was received, and the door it came through. */
export interface AnalysisOrder {
  /** null: it did not come in by HL7 v2. */
  readonly received: ReceivedOrder | null;
  /** `ServiceRequest/id` of an order of which only the records tell: it came over FHIR, or no key decrypts its message; else null. */
  readonly recordedOrder: string | null;
  readonly origin: ResultOrigin;
}

/** Reads the orders that results answer. */
@Injectable()
export class OrderReader {
  constructor(
    private readonly requests: AnalysisRequestRepository,
    private readonly receivedOrders: ReceivedOrders,
    private readonly records: ClinicalRecords,
    private readonly jobs: JobRepository,
  ) {}

  async orderOf(transaction: TenantTransaction, analysisId: string): Promise<AnalysisOrder> {
    const request = await this.requests.find(transaction, analysisId);
    const orderKey = request?.orderKey ?? null;
    const analysisIds = [analysisId, ...(await this.jobs.retriedBy(transaction, analysisId))];
    const found = await this.receivedOrders.find(transaction, { orderKey, analysisIds });
    if (found !== null)
      return {
        received: found.received,
        recordedOrder: found.received === null ? orderKey : null,
        origin: { door: 'hl7v2', listenerId: found.sourceId, facility: found.facility },
      };
    return {
      received: null,
      recordedOrder: orderKey,
      origin: { door: request === null ? 'rest' : 'fhir', listenerId: null, facility: null },
    };
  }

  /** The placer's number as the records have it: the first of its type, else the first without one. null: none. */
  async fromRecords(tenant: Tenant, orderKey: string | null): Promise<ReceivedOrder | null> {
    const order = await this.recordOf(tenant, orderKey);
    const inUse = (order?.identifier ?? []).filter(({ use }) => use !== 'old');
    const placer =
      inUse.find(({ type }) => type?.coding?.some(({ code }) => code === PLACER_TYPE) === true) ??
      inUse.find(({ type }) => type === undefined);
    if (placer?.value === undefined) return null;
    const blank = { orc2: '', orc12: '', obr4: '', obr16: '', obr31: '', pid: '', pv1: '' };
    return { placerSystem: placer.system ?? '', placerValue: placer.value, ...blank };
  }

  async isRevoked(tenant: Tenant, orderKey: string | null): Promise<boolean> {
    return (await this.recordOf(tenant, orderKey))?.status === 'revoked';
  }

  private async recordOf(tenant: Tenant, orderKey: string | null): Promise<ServiceRequest | null> {
    if (orderKey?.startsWith(ORDER_PREFIX) !== true) return null;
    return this.records.read<ServiceRequest>(tenant, 'ServiceRequest', orderKey.slice(ORDER_PREFIX.length));
  }
}
