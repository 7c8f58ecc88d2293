import type { Logger } from '../../platform/logging/logger.js';
import {
  LoggedReports,
  type DeliveryMetrics,
  type DueDelivery,
  type Outcome,
  type ReportNames,
  type Verdict,
} from '../kit/index.js';
import type { HttpAnswer, HttpColumns, HttpEndpoint } from './http-transport.js';

/** Log events of one exit over HTTP. */
export interface HttpReportNames extends ReportNames {
  readonly parked: string;
  readonly refused: string;
  readonly sealed: string;
}

/** Log lines and figures of the senders of an exit over HTTP: codes and ids alone. */
export class HttpReports<Target, Own extends HttpColumns> extends LoggedReports<HttpEndpoint<Target>, Own, HttpAnswer> {
  constructor(
    logger: Logger,
    protected readonly metrics: DeliveryMetrics,
    private readonly words: HttpReportNames,
  ) {
    super(logger, words);
  }

  attempted(
    { id }: HttpEndpoint<Target>,
    { id: deliveryId, type }: DueDelivery<Own>,
    outcome: Outcome<HttpAnswer>,
    verdict: Verdict['kind'],
  ): void {
    this.metrics.attempted(id, outcome.kind === 'silent' ? 'none' : String(outcome.answer.status));
    if (verdict === 'delivered') return;
    const code = outcome.kind === 'silent' ? outcome.fault : String(outcome.answer.status);
    const details = { [this.words.endpointId]: id, deliveryId, type, code };
    if (verdict === 'parked') this.logger.error(this.words.parked, details);
    else if (outcome.kind === 'answered') this.logger.warn(this.words.refused, details);
  }

  /** Bodies are not sealed. */
  sealed({ id }: HttpEndpoint<Target>, { id: deliveryId }: { readonly id: string }): void {
    this.logger.error(this.words.sealed, { [this.words.endpointId]: id, deliveryId });
  }
}
