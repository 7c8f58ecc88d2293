import { Injectable } from '@nestjs/common';
import { ReadinessProbe } from '../../../../platform/health/readiness.js';
import { ListenerSupervisor } from './listener-supervisor.js';

/**
 * Ready once the listeners are known. A port that is taken does not make the process unready: it is logged and tried
 * again.
 */
@Injectable()
export class ListenerProbe extends ReadinessProbe {
  readonly name = 'hl7';

  constructor(private readonly supervisor: ListenerSupervisor) {
    super();
  }

  check(): Promise<void> {
    return this.supervisor.isReady ? Promise.resolve() : Promise.reject(new Error('The listeners are not known yet.'));
  }
}
