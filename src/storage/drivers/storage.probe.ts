import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../core/images/object-store.js';
import { InstallationKey } from '../../platform/database/installation-key.js';
import { ReadinessProbe } from '../../platform/health/readiness.js';

/** Ready while the store can be used, and this process has the key of what lies there. */
@Injectable()
export class StorageProbe extends ReadinessProbe {
  readonly name = 'storage';

  constructor(
    private readonly store: ObjectStore,
    private readonly key: InstallationKey,
  ) {
    super();
  }

  async check(): Promise<void> {
    await this.store.check();
    await this.key.check();
  }
}
