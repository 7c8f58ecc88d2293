import { readFile } from 'node:fs/promises';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { CliMisuse, type CliCommand, type CliValues } from '../../../../platform/cli/cli-command.js';
import { optional, required } from '../../../../platform/cli/command-options.js';
import type { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import type { MessageDryRun } from '../operations/message-dry-run.js';
import { describeDryRun, onLines } from './message.reports.js';
import { sendMessage } from './send-message.js';

const DEFAULT_TIMEOUT_S = '30';

/** Needs no services: it sends as any sender would. */
export const sendCommand: CliCommand<unknown> = {
  usage: 'hl7 send FILE --to HOST:PORT [--timeout-s N]',
  summary: 'Send the message of a file over MLLP, and show its acknowledgment.',
  isStandalone: true,
  prepare(values) {
    const file = fileOf(values);
    const { host, port } = addressOf(values);
    const timeoutS = Number(optional(values, 'timeout-s') ?? DEFAULT_TIMEOUT_S);
    if (!Number.isInteger(timeoutS) || timeoutS < 1 || timeoutS > 600)
      throw new CliMisuse('--timeout-s must be a number from 1 to 600.');
    return async () => {
      const { code, controlId, conditions, bytes } = await sendMessage(await readMessageFile(file), {
        host,
        port,
        timeoutMs: timeoutS * 1000,
      });
      const acknowledgment = Buffer.from(bytes).toString('utf8');
      return {
        json: { code, controlId, conditions, acknowledgment },
        text: onLines(acknowledgment),
        failed: code !== 'AA' && code !== 'CA',
      };
    };
  },
};

interface DryRunServices {
  readonly dryRun: MessageDryRun;
  readonly listeners: ListenerRepository;
}

/** The dry run of a file, whose bytes may be of any character set. */
export const dryRunCommand: CliCommand<DryRunServices> = {
  usage: 'hl7 dry-run FILE [--listener ID]',
  summary:
    'What a message would do if it came to a listener (the only one that there is, or that of --listener), and its FHIR. Stores nothing.',
  prepare(values) {
    const file = fileOf(values);
    const named = optional(values, 'listener');
    return async ({ listeners, dryRun }) =>
      describeDryRun(await dryRun.run(await readMessageFile(file), named ?? (await onlyListener(listeners))));
  },
};

async function onlyListener(repository: ListenerRepository): Promise<string> {
  const listeners = await repository.list();
  const [only] = listeners;
  if (only !== undefined && listeners.length === 1) return only.id;
  const detail =
    only === undefined
      ? 'There is no listener by whose settings it could be read. Create one with "hl7 listener create".'
      : 'There are several listeners. Name one with --listener ID; "hl7 listener list" shows them.';
  throw new SuturaError('hl7.listener_not_found', { detail });
}

/** The file named on the command line. `hl7.unreadable` where it cannot be read. */
async function readMessageFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new SuturaError('hl7.unreadable', { detail: 'The file cannot be read.' });
  }
}

function fileOf({ file }: CliValues): string {
  if (typeof file !== 'string') throw new CliMisuse('FILE is missing.');
  return file;
}

function addressOf(values: CliValues): { host: string; port: number } {
  const match = /^(.+):(\d{1,5})$/.exec(required(values, 'to'));
  if (match === null) throw new CliMisuse('--to must be HOST:PORT.');
  return { host: match[1]!.replace(/^\[(.*)\]$/, '$1'), port: Number(match[2]) };
}
