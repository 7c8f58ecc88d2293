import { SuturaError } from '../../core/errors/sutura-error.js';

interface S3Fault {
  readonly name?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** True where the store says that there is no such object. */
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
