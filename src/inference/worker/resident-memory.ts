import { readFile } from 'node:fs/promises';

const BYTES_PER_KIB = 1024;

/** Resident memory of a process in bytes (proc(5), VmRSS); null where the system does not tell or the process is gone. */
export async function readResidentBytes(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kib === undefined ? null : Number(kib) * BYTES_PER_KIB;
  } catch {
    return null;
  }
}
