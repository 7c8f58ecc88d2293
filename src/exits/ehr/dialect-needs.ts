import type { EhrPush } from '../../core/ehrs/ehr.js';
import { PushRules } from '../../core/ehrs/push-rules.js';
import { PushNeeds, type EhrCapabilities } from '../../ehrs/index.js';
import { lacksOf } from './calls/capability.js';
import { faultsOfPush, needsOfPush } from './dialects/dialects.js';

/** What the dialects need of a server: said when an EHR is set up, before the first patient. */
export class DialectNeeds extends PushNeeds {
  override lacking(push: EhrPush, capabilities: EhrCapabilities): readonly string[] {
    return [...faultsOfPush(push), ...lacksOf(capabilities, needsOfPush(push))];
  }
}

/** What the dialects refuse of a registration. */
export class DialectRules extends PushRules {
  override faultsOf(push: EhrPush): readonly string[] {
    return faultsOfPush(push);
  }
}
