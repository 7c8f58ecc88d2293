import type { Settings } from '../../../platform/config/settings.js';
import type { NotificationListener } from '../../../platform/database/notification-listener.js';
import { SenderPool, type SenderTimings } from '../../kit/index.js';
import { EHR_QUEUE, type EhrColumns, type EhrDeliveries } from '../queue/ehr-queue.js';
import type { PushRegister } from '../queue/push-register.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import type { EhrReports } from './ehr-reports.js';
import type { EhrEndpoint, EhrOutcome, EhrTransport } from './ehr-transport.js';

interface EhrPorts {
  readonly owed: { make(served: readonly PushingEhr[]): Promise<void> };
  readonly register: PushRegister;
  readonly deliveries: EhrDeliveries;
  readonly transport: EhrTransport;
  readonly reports: EhrReports;
  readonly notifications: NotificationListener;
}

/** A sender for each EHR that is not paused, in processes with the role `api`. */
export class EhrSenders extends SenderPool<EhrEndpoint, EhrColumns, EhrOutcome> {
  constructor(
    { register, owed, ...ports }: EhrPorts,
    timings: SenderTimings,
    private readonly roles: Settings['process']['roles'],
  ) {
    const endpoints = async () => {
      const served = await register.served();
      // What cannot be made now is made the next time, and keeps nobody from being sent to.
      await owed.make(served).catch((fault: unknown) => ports.reports.endpointsUnknown(fault));
      return served.map(toEndpoint);
    };
    super(EHR_QUEUE.channel, { ...ports, endpoints }, timings);
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
