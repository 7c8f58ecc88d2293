import { Injectable } from '@nestjs/common';
import { NoEhrAnswerError } from '../../ehrs/index.js';
import { AccessTokens } from './calls/access-tokens.js';
import { lacksOf } from './calls/capability.js';
import { EhrServer } from './calls/ehr-server.js';
import { faultsOfPush, needsOfPush } from './dialects/dialects.js';
import type { PushingEhr } from './settings/pushing-ehr.js';

/** What is known of an EHR before the first patient, in sentences. */
export interface PushFinding {
  /** It answered, and let us in. */
  readonly isReached: boolean;
  readonly said: readonly string[];
}

/** Asks an EHR what it can take. */
@Injectable()
export class PushCheck {
  constructor(
    private readonly server: EhrServer,
    private readonly tokens: AccessTokens,
  ) {}

  async of(ehr: PushingEhr): Promise<PushFinding> {
    const faults = faultsOfPush(ehr.push);
    try {
      const lacks = lacksOf(await this.server.capability(ehr), needsOfPush(ehr.push));
      await this.tokens.of(ehr);
      const said = [...faults, ...lacks];
      return { isReached: true, said: said.length > 0 ? said : ['It says that it can do all that results need.'] };
    } catch (fault) {
      if (!(fault instanceof NoEhrAnswerError)) throw fault;
      return { isReached: false, said: [...faults, `It cannot be asked (${fault.fault}).`] };
    }
  }
}
