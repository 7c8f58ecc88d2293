// Starts a program as a service manager's script may: in a process group of its own, with pipes. Once its readiness is seen the group gets
// SIGTERM, and this process ends at once, so that nobody reads what the program still prints. Arguments: the readiness address, then the command.
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const [, , ready, ...command] = process.argv;
const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
for (const output of [child.stdout, child.stderr]) output.resume();
while ((await fetch(ready).catch(() => null))?.status !== 200) await delay(50);
process.stdout.write(String(child.pid), () => {
  process.kill(-child.pid, 'SIGTERM');
  process.exit(0);
});
