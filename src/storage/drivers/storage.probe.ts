import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../core/images/object-store.js';
import { ReadinessProbe } from '../../platform/health/readiness.js';

/** Ready while the store can be used. It asks no other part, so that only a store that is ill is named. */
@Injectable()
export class StorageProbe extends ReadinessProbe {
  readonly name = 'storage';

  constructor(private readonly store: ObjectStore) {
    super();
  }

  check(): Promise<void> {
    return this.store.check();
  }
}
