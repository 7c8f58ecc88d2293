import type { EhrPush } from './ehr.js';

/** What an EHR of a dialect could not be sent as it is registered. The exit that files results brings it. */
export abstract class PushRules {
  /** A sentence for each thing that would not be filed, and what to state instead; empty: everything that is asked for can be. */
  abstract faultsOf(push: EhrPush): readonly string[];
}
