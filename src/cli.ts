import 'reflect-metadata';
import { runCommandLine } from './composition/command-line.js';

// A command's standard error is for its own words: cron mails it. The gateway's log has warnings of libraries.
process.removeAllListeners('warning');
// As Node 21 has it. Without it pg makes a Response to learn where it runs, and so reads all of fetch, in a fifteenth of a command's time.
(globalThis as { navigator?: unknown }).navigator ??= { userAgent: `Node.js/${process.versions.node}` };

void runCommandLine(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
}).then((code) => {
  process.exitCode = code;
});
