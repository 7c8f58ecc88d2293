import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The first core to PostgreSQL alone and the second to this process and those that it starts from now on, so that what PostgreSQL sustains is
 * seen and not reckoned. Linux, by taskset of util-linux.
 *
 * @param clusterFolder of a server that has started
 */
export async function giveOwnCore(clusterFolder) {
  const [postmaster] = (await readFile(join(clusterFolder, 'postmaster.pid'), 'utf8')).split('\n');
  const others = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim().split(' ');
  for (const pid of [postmaster, ...others]) pin('0', pid);
  pin('1', String(process.pid));
}

/** A process with its threads; what it starts inherits the core. */
function pin(core, pid) {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', core, pid], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
