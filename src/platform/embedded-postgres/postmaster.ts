import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The lines of postmaster.pid (PostgreSQL source, miscadmin.h, LOCK_FILE_LINE_*). */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** `foreign`: the number belongs to another program by now. */
type PostmasterState = 'gone' | 'zombie' | 'foreign' | 'running';

interface PostmasterProcess {
  readonly state: PostmasterState;
  /** 0 if unknown. */
  readonly parentPid: number;
}

const GONE: PostmasterProcess = { state: 'gone', parentPid: 0 };

/** null if no server of this cluster has left its file, or has only begun to write it. */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  const port = Number(lines[3] ?? '');
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number.isInteger(port) ? port : 0, ready: lines[7] === 'ready' };
}

/** The state of the process of that number: the server of this cluster or not, and its parent. */
export async function inspectPostmaster(pid: number, clusterDir: string): Promise<PostmasterProcess> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return GONE;
  }
  return process.platform === 'linux' ? inspectByProc(pid, clusterDir) : inspectByPs(pid, clusterDir);
}

async function inspectByProc(pid: number, clusterDir: string): Promise<PostmasterProcess> {
  try {
    const [status, commandLine] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // "pid (name) state parent …"; the name may contain spaces and brackets.
    const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return { state: 'zombie', parentPid: Number(parent) };
    return { state: commandLine.split('\0').includes(clusterDir) ? 'running' : 'foreign', parentPid: Number(parent) };
  } catch {
    return GONE;
  }
}

async function inspectByPs(pid: number, clusterDir: string): Promise<PostmasterProcess> {
  // Windows has no ps; there the file is believed.
  if (process.platform === 'win32') return { state: 'running', parentPid: 0 };
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'ppid=,stat=,command=', '-p', String(pid)]);
    const [parent = '0', state = '', ...command] = stdout.trim().split(/\s+/);
    if (state.startsWith('Z')) return { state: 'zombie', parentPid: Number(parent) };
    return { state: command.join(' ').includes(clusterDir) ? 'running' : 'foreign', parentPid: Number(parent) };
  } catch {
    return GONE;
  }
}
