import type { Settings } from '../../../platform/config/settings.js';
import type { NotificationListener } from '../../../platform/database/notification-listener.js';
import { SenderPool, type SenderTimings } from '../../kit/index.js';
import { EHR_QUEUE, type EhrColumns, type EhrDeliveries } from '../queue/ehr-queue.js';
import type { PushRegister } from '../queue/push-register.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import type { EhrReports } from './ehr-reports.js';
import type { EhrEndpoint, EhrOutcome, EhrTransport } from './ehr-transport.js';

/** What EHRs were not told of while they were away. */
interface Owed {
  /** `failed`: of one EHR, which stops no other's. */
  make(served: readonly PushingEhr[], failed: (ehr: PushingEhr, fault: unknown) => void): Promise<void>;
  stop(): void;
}

interface EhrPorts {
  readonly owed: Owed;
  readonly register: PushRegister;
  readonly deliveries: EhrDeliveries;
  readonly transport: EhrTransport;
  readonly reports: EhrReports;
  readonly notifications: NotificationListener;
}

/** A sender for each EHR that is not paused, in processes with the role `api`. */
export class EhrSenders extends SenderPool<EhrEndpoint, EhrColumns, EhrOutcome> {
  private readonly beside: { readonly making: Promise<void> | null };
  private readonly owed: Owed;

  constructor(
    { register, owed, ...ports }: EhrPorts,
    timings: SenderTimings,
    private readonly roles: Settings['process']['roles'],
  ) {
    const beside: { making: Promise<void> | null } = { making: null };
    const endpoints = async () => {
      const served = await register.served();
      // Beside: what cannot be made now is made the next time, and keeps nobody from being sent to, nor a pause from being heard.
      beside.making ??= owed
        .make(served, (ehr, fault) => ports.reports.senderFailed(toEndpoint(ehr), fault))
        .catch((fault: unknown) => ports.reports.endpointsUnknown(fault))
        .finally(() => {
          beside.making = null;
        });
      return served.map(toEndpoint);
    };
    super(EHR_QUEUE.channel, { ...ports, endpoints }, timings);
    this.beside = beside;
    this.owed = owed;
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.owed.stop();
    await super.beforeApplicationShutdown();
    await this.beside.making;
  }

  override onApplicationBootstrap(): void {
    if (this.roles.includes('api')) super.onApplicationBootstrap();
  }
}

/** A result waits for those of its patient alone: one that is held stops nobody else's. */
function toEndpoint(ehr: PushingEhr): EhrEndpoint {
  const { id, updatedAt } = ehr;
  return { id, ehr, collapse: false, ordering: 'lane', stopOnParked: false, revision: updatedAt.toISOString() };
}
