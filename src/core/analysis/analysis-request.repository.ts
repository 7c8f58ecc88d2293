import type { AnalysisRequest, RequestChange } from './analysis-request.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

/** A request that the sweep may try to start. */
export interface DueRequest {
  readonly tenant: Tenant;
  readonly id: string;
  readonly imageId: string;
}

export abstract class AnalysisRequestRepository {
  abstract insert(transaction: TenantTransaction, request: AnalysisRequest): Promise<void>;
  /** null for unknown, malformed, foreign. */
  abstract find(transaction: TenantTransaction, id: string): Promise<AnalysisRequest | null>;
  /** As find, and keeps the row locked until the transaction ends. */
  abstract findForUpdate(transaction: TenantTransaction, id: string): Promise<AnalysisRequest | null>;
  /** Oldest first. */
  abstract listOfOrder(transaction: TenantTransaction, orderKey: string): Promise<AnalysisRequest[]>;
  /** Oldest first. */
  abstract listOfImage(transaction: TenantTransaction, imageId: string): Promise<AnalysisRequest[]>;
  abstract update(transaction: TenantTransaction, id: string, change: RequestChange): Promise<void>;
  /** The sweep leaves the request alone for this long. */
  abstract postpone(transaction: TenantTransaction, id: string, delayS: number): Promise<void>;
  /**
   * Waiting requests with a photo that are due, lent to this process for `lendS` seconds, older ones for longer; over all tenants, in a
   * statement of its own. Those whose photo has not come yet only with `alsoAwaiting`.
   */
  abstract takeDue(limit: number, lendS: number, alsoAwaiting: boolean): Promise<DueRequest[]>;
}
