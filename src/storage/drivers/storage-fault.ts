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
