import { SuturaError } from '../../core/errors/sutura-error.js';

const RETRY_AFTER_S = 2;

/**
 * SQLSTATEs (PostgreSQL appendix A) that speak of the database's condition and not of our statement: connections lost
 * or refused (08*), shutting down or starting (57P0*), out of disk, memory or connections (53*), waited too long for a
 * lock (55P03) or altogether (57014, 25P03), lost against another transaction (40001, 40P01), read-only after a failover.
 */
const TRANSIENT_STATES = new Set(['57P01', '57P02', '57P03', '57P05', '57014', '55P03', '25P03', '40001', '40P01', '25006']);
const TRANSIENT_CLASSES = ['08', '53'];
const SYSTEM_CODES = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
/** The driver gives these no code. */
const DRIVER_TEXTS = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
  'Driver not Connected',
];
/** TypeORM, once a connection was lost under a transaction. */
const LOST_RUNNER = 'QueryRunnerAlreadyReleasedError';

interface Fault {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
  readonly errors?: unknown;
}

/** True where the database cannot do its part at the moment; nothing was committed by the statement that met it. */
export function isDatabaseFault(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code, message, driverError, errors } = error as Fault;
  if (driverError !== undefined && isDatabaseFault(driverError)) return true;
  // One error per address where a host name has several (RFC 8305).
  if (Array.isArray(errors) && errors.some(isDatabaseFault)) return true;
  if (typeof code === 'string' && isTransientCode(code)) return true;
  return name === LOST_RUNNER || (typeof message === 'string' && DRIVER_TEXTS.some((text) => message.includes(text)));
}

/** `service.unavailable` for a fault of the database, the error itself for anything else. */
export function translateDatabaseFault(error: unknown): unknown {
  if (error instanceof SuturaError || !isDatabaseFault(error)) return error;
  const translated = new SuturaError('service.unavailable', { retryAfterS: RETRY_AFTER_S });
  translated.cause = error;
  return translated;
}

function isTransientCode(code: string): boolean {
  return TRANSIENT_STATES.has(code) || SYSTEM_CODES.has(code) || (code.length === 5 && TRANSIENT_CLASSES.includes(code.slice(0, 2)));
}
