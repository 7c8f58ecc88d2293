import { ReadinessProbe } from '../../platform/health/readiness.js';
import type { InferencePool } from './inference-pool.js';

/** Ready once an inference process has loaded the model and warmed it up. */
export class WorkerProbe extends ReadinessProbe {
  override readonly name = 'inference';

  constructor(private readonly pool: Pick<InferencePool, 'isReady'>) {
    super();
  }

  isReady(): boolean {
    return this.pool.isReady();
  }

  override check(): Promise<void> {
    return this.isReady() ? Promise.resolve() : Promise.reject(new Error('no inference process is ready'));
  }
}
