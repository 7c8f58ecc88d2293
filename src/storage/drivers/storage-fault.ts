import { SuturaError } from '../../core/errors/sutura-error.js';

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Runs file work; a full disk becomes `service.storage_full`, anything else passes. */
export async function namingFullDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    if (NO_ROOM.has(String(errorCodeOf(fault)))) throw new SuturaError('service.storage_full');
    throw fault;
  }
}

export function errorCodeOf(fault: unknown): unknown {
  return (fault as { code?: unknown } | null)?.code;
}

interface S3Fault {
  readonly name?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** True if the store reports a missing object. */
export function isAbsent(fault: unknown): boolean {
  const { name, $metadata } = (fault ?? {}) as S3Fault;
  if (name === 'NoSuchBucket') return false;
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404;
}

/** `service.storage_full` for a full store, `service.unavailable` for one that does not answer or answers 5xx; a wrong set-up stays what it is. */
export function toNamedFault(fault: unknown): unknown {
  if (fault instanceof SuturaError) return fault;
  const status = ((fault ?? {}) as S3Fault).$metadata?.httpStatusCode;
  if (status === 507) return new SuturaError('service.storage_full');
  // Without a status nothing was answered: refused, cut off, timed out.
  const isRefusal = status !== undefined && status < 500 && status !== 429;
  return isRefusal ? fault : new SuturaError('service.unavailable', { retryAfterS: 2 });
}
