import type { Logger } from '../../../platform/logging/logger.js';
import type { DueDelivery } from '../queue/leased-deliveries.js';
import type { SenderReports, SendingEndpoint } from './exit.js';
import type { Outage } from './outage-watch.js';
import type { Outcome, Verdict } from './outcome.js';

/** Log events of one exit, and the field that holds the id of an endpoint. */
export interface ReportNames {
  readonly endpointId: string;
  readonly silent: string;
  readonly answersAgain: string;
  readonly senderFailed: string;
  readonly endpointsUnknown: string;
}

/** Log lines about the endpoints of an exit; those about deliveries are its own. Codes and ids alone. */
export abstract class LoggedReports<Endpoint extends SendingEndpoint, Own, Answer> implements SenderReports<
  Endpoint,
  Own,
  Answer
> {
  constructor(
    protected readonly logger: Logger,
    private readonly names: ReportNames,
  ) {}

  abstract attempted(
    endpoint: Endpoint,
    delivery: DueDelivery<Own>,
    outcome: Outcome<Answer>,
    verdict: Verdict['kind'],
  ): void;

  abstract sealed(endpoint: Endpoint, delivery: Own & { readonly id: string }): void;

  silent(
    { id }: Endpoint,
    { silentS, fault, isAlarm }: Outage & { readonly fault: string; readonly isAlarm: boolean },
  ): void {
    const details = { [this.names.endpointId]: id, silentS, fault };
    if (isAlarm) this.logger.error(this.names.silent, details);
    else this.logger.warn(this.names.silent, details);
  }

  answersAgain({ id }: Endpoint, { silentS }: Outage): void {
    this.logger.info(this.names.answersAgain, { [this.names.endpointId]: id, silentS });
  }

  senderFailed({ id }: Endpoint, error: unknown): void {
    this.logger.error(this.names.senderFailed, { [this.names.endpointId]: id }, error);
  }

  endpointsUnknown(error: unknown): void {
    this.logger.warn(this.names.endpointsUnknown, { error: error instanceof Error ? error.name : 'unknown' });
  }
}
