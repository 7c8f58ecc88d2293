import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { ReadinessProbe } from '../health/readiness.js';
import { InstallationKey } from './installation-key.js';

/** Less than a probe may take: a database that does not answer is named by its own probe alone. */
const LONGEST_MS = 1000;

/** Ready while this process has the key of what is kept. */
@Injectable()
export class EncryptionProbe extends ReadinessProbe {
  readonly name = 'encryption';

  constructor(private readonly key: InstallationKey) {
    super();
  }

  async check(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const unanswered = new Promise<void>((resolve) => (timer = setTimeout(resolve, LONGEST_MS)));
    try {
      await Promise.race([this.key.check(), unanswered]);
    } catch (fault) {
      if (isSuturaError(fault, 'storage.key_missing', 'storage.altered')) throw fault;
    } finally {
      clearTimeout(timer);
    }
  }
}
