import type { ErrorCode } from '../../core/errors/catalogue.js';
import { SuturaError } from '../../core/errors/sutura-error.js';

const RETRY_AFTER_S = 2;
const SQL_STATE = /^[0-9A-Z]{5}$/;

/**
 * SQLSTATEs (PostgreSQL appendix A) of the database's condition, not of the statement: connections lost or refused
 * (08*), shutting down or starting (57P0*), out of disk, memory or connections (53*), waited too long for a lock
 * (55P03) or altogether (57014, 25P03), lost against another transaction (40001, 40P01), read-only after a failover.
 */
const TRANSIENT_STATES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '57014',
  '55P03',
  '25P03',
  '40001',
  '40P01',
  '25006',
]);
const TRANSIENT_CLASSES = ['08', '53'];
const SYSTEM_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/**
 * SQLSTATEs that unchecked data of a caller can cause: a taken key (23505), a missing reference (23503), and values
 * that PostgreSQL does not have: text that is no id (22P02), numbers and dates out of range (22003, 22008, 22007),
 * NUL and invalid characters (22021, 22P05), too long for a column or an index (22001, 54000), against a check
 * (23514). Any other error of a statement is a fault of the program.
 */
const CALLERS: Readonly<Record<string, ErrorCode>> = {
  ...Object.fromEntries(['23505', '23503'].map((state) => [state, 'data.conflict'])),
  ...Object.fromEntries(
    ['22001', '22003', '22007', '22008', '22021', '22P02', '22P05', '23514', '54000'].map((state) => [
      state,
      'data.unusable',
    ]),
  ),
};
/** Messages of the driver for faults that have no code. */
const DRIVER_TEXTS = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
  'Driver not Connected',
];
/** TypeORM's name for a connection that was lost under a transaction. */
const LOST_RUNNER = 'QueryRunnerAlreadyReleasedError';

interface Fault {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
  readonly errors?: unknown;
}

/** True if the database cannot do its part at the moment. The statement that met the fault committed nothing. */
export function isDatabaseFault(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code, message, driverError, errors } = error as Fault;
  if (driverError !== undefined && isDatabaseFault(driverError)) return true;
  // One error for each address of a host name (RFC 8305).
  if (Array.isArray(errors) && errors.some(isDatabaseFault)) return true;
  if (typeof code === 'string' && isTransientCode(code)) return true;
  return name === LOST_RUNNER || (typeof message === 'string' && DRIVER_TEXTS.some((text) => message.includes(text)));
}

/** Why the database was not reached, in one word for the log: a code of the system or of PostgreSQL, or `TIMEOUT`. */
export function faultCode(error: unknown): string {
  const { code, message, errors } = (typeof error === 'object' && error !== null ? error : {}) as Fault;
  if (typeof code === 'string') return code;
  if (Array.isArray(errors) && errors.length > 0) return faultCode(errors[0]);
  return typeof message === 'string' && /timeout/i.test(message) ? 'TIMEOUT' : 'CONNECTION_ENDED';
}

/** The party that a statement is run for. Faults of data are blamed on callers alone. */
export type Behalf = 'caller' | 'service';

/**
 * `service.unavailable` for a fault of the database; for a caller, `data.conflict` or `data.unusable` for a fault of
 * its data; else the error itself.
 */
export function translateDatabaseFault(error: unknown, behalf: Behalf = 'service'): unknown {
  if (error instanceof SuturaError) return error;
  if (isDatabaseFault(error))
    return caused(new SuturaError('service.unavailable', { retryAfterS: RETRY_AFTER_S }), error);
  const code = behalf === 'caller' ? CALLERS[stateOf(error) ?? ''] : undefined;
  return code === undefined ? error : caused(new SuturaError(code), error);
}

/** The SQLSTATE of a statement that failed; undefined for any other error. */
export function stateOf(error: unknown): string | undefined {
  const { code, driverError } = (typeof error === 'object' && error !== null ? error : {}) as Fault;
  if (driverError !== undefined) return stateOf(driverError);
  return typeof code === 'string' && SQL_STATE.test(code) ? code : undefined;
}

function caused(refusal: SuturaError, cause: unknown): SuturaError {
  refusal.cause = cause;
  return refusal;
}

function isTransientCode(code: string): boolean {
  return (
    TRANSIENT_STATES.has(code) ||
    SYSTEM_CODES.has(code) ||
    (code.length === 5 && TRANSIENT_CLASSES.includes(code.slice(0, 2)))
  );
}
