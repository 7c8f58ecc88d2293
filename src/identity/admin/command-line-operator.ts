import { userInfo } from 'node:os';
import type { Operator } from '../../core/audit/operator-trail.js';

/** Whoever runs a command on this machine: `operator:root`. */
export function commandLineOperator(): Operator {
  return { door: 'cli', name: `operator:${accountName()}` };
}

/** An account without an entry in the machine's list has a number alone. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
