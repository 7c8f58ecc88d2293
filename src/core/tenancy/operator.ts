import type { RequestOrigin } from './api-key.js';
import type { HeldRights } from './roles.js';

/** A person who runs the service, by the admin API or at the command line. */
export interface Operator {
  readonly door: 'admin' | 'cli';
  /** Stands where a caller's key would: `operator`, at the command line with the account's name behind it. */
  readonly name: string;
  readonly origin?: RequestOrigin;
  /** Of a user with a session. Absent: the operator of the machine, who may do everything. */
  readonly rights?: HeldRights;
}
