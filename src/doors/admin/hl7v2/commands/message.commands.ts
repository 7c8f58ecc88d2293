import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { CliMisuse, type CliValues } from '../../../../platform/cli/cli-command.js';
import { commandOn, given, optional, required } from '../../../../platform/cli/command-options.js';
import { check, fileOf, readMessageFile, type Hl7Command, type Hl7Services } from './command-input.js';
import { exportInto } from './export-messages.js';
import {
  INBOUND_EXPORT,
  INBOUND_QUERY,
  INBOUND_RANGE,
  LARGEST_PAGE,
  OUTBOUND_EXPORT,
  OUTBOUND_QUERY,
  OUTBOUND_RANGE,
} from '../operations/hl7.schema.js';
import {
  describeExport,
  describeInbound,
  describeMessage,
  describeOutbound,
  describeReplay,
  describeDryRun,
  onLines,
} from './message.reports.js';
import { searchOf, SEARCH_USAGE } from './search-options.js';
import { sendMessage } from './send-message.js';

const DEFAULT_TIMEOUT_S = 30;

const list: Hl7Command = {
  usage: `hl7 messages [--out] ${SEARCH_USAGE} [--limit 1-${LARGEST_PAGE}] [--after ID]`,
  summary:
    'What came in, or with --out what goes out, newest first, why it is not done, and what became of photos that were named by their address; --patient and --order are numbers as the message has them, --error words of what is wrong. --after goes on behind the last row of the list before.',
  prepare(values) {
    const page = given(values, { limit: 'limit', after: 'after' });
    if (values['out'] === true) {
      const query = check(OUTBOUND_QUERY, { ...searchOf(values), ...page });
      return async ({ messages }) => describeOutbound(await messages.listOutbound(query));
    }
    const query = check(INBOUND_QUERY, { ...searchOf(values), ...page });
    return async ({ messages }) => describeInbound(await messages.listInbound(query));
  },
};

const parked: Hl7Command = {
  usage: 'hl7 parked [--org ID --env test|live] [--destination ID] [--limit N]',
  summary: 'Messages that a receiver refused, and that wait for a person.',
  prepare(values) {
    const query = check(OUTBOUND_QUERY, {
      direction: 'out',
      state: 'parked',
      ...given(values, { organizationId: 'org', environment: 'env', destinationId: 'destination', limit: 'limit' }),
    });
    return async ({ messages }) => describeOutbound(await messages.listOutbound(query));
  },
};

const exportAll: Hl7Command = {
  usage: `hl7 export --into FOLDER [--out] ${SEARCH_USAGE} [--limit N]`,
  summary:
    'Write the messages that a search finds into a folder, a file each as it went over the line. Each is written into the audit trail.',
  prepare(values) {
    const folder = required(values, 'into');
    const limit = wholeNumber(optional(values, 'limit') ?? '1000', 'limit');
    const query = check(values['out'] === true ? OUTBOUND_EXPORT : INBOUND_EXPORT, searchOf(values));
    return async ({ messages }) => describeExport(await exportInto(folder, messages, query, limit), folder);
  },
};

const replay: Hl7Command = {
  usage:
    'hl7 replay --id ID | --from MOMENT --to MOMENT (--listener ID | --out --destination ID) [--state STATE] [--type TYPE] [--patient NUMBER] [--order NUMBER] [--error WORDS]',
  unlisted: '[--org ID] [--env test|live] [--control-id ID]',
  summary:
    'Process an inbound message once more, or send an outbound one once more; or all of a range, oldest first, at most 1,000 at once.',
  prepare(values) {
    const id = optional(values, 'id');
    if (id !== undefined) {
      return async ({ messages }) => {
        await messages.replay(id);
        return { json: { messageId: id, done: 'replay' }, text: `Message ${id} is on its way again.` };
      };
    }
    for (const option of ['from', 'to', values['out'] === true ? 'destination' : 'listener']) required(values, option);
    const range = check(values['out'] === true ? OUTBOUND_RANGE : INBOUND_RANGE, searchOf(values));
    return async ({ messages }) => describeReplay(await messages.replayRange(range));
  },
};

const show = commandOn<Hl7Services>(
  {
    name: 'hl7 show',
    summary: 'One message, in or out, with what went over the line. It is written into the audit trail.',
    by: 'id',
  },
  async ({ messages }, id) => describeMessage(await messages.show(id)),
);

/** A command with one action on one message. */
function actOn(name: 'park' | 'discard', summary: string, done: string): Hl7Command {
  return commandOn({ name: `hl7 ${name}`, summary, by: 'id' }, async ({ messages }, id) => {
    await messages[name](id);
    return { json: { messageId: id, done: name }, text: `Message ${id} ${done}.` };
  });
}

const requeue: Hl7Command = {
  usage: 'hl7 requeue --id ID | --destination ID',
  summary:
    'Send a parked message once more, or all that are parked for a destination; process one that came in sealed, once its key is back.',
  prepare(values) {
    const [id, destinationId] = [optional(values, 'id'), optional(values, 'destination')];
    if ((id === undefined) === (destinationId === undefined))
      throw new CliMisuse('Name one message with --id, or a destination with --destination.');
    return async ({ messages }) => {
      if (id !== undefined) {
        await messages.requeue(id);
        return { json: { messageId: id, done: 'requeue' }, text: `Message ${id} is on its way again.` };
      }
      const requeued = await messages.requeueAll(destinationId!);
      return { json: { destinationId, requeued }, text: `${requeued} messages are on their way again.` };
    };
  },
};

const retry = commandOn<Hl7Services>(
  {
    name: 'hl7 retry',
    summary: 'Try a waiting message now, whatever its pause. It still waits for those before it.',
    by: 'id',
  },
  async ({ messages }, id) => {
    await messages.retryNow(id);
    return { json: { messageId: id, done: 'retry' }, text: `Message ${id} is tried now.` };
  },
);

const move: Hl7Command = {
  usage: 'hl7 move --id ID --to DESTINATION',
  summary:
    'Give a waiting or parked message to another destination of its organization: as it was written, with that one’s MSH-3 to 6 and a control id of its own.',
  prepare(values) {
    const [id, to] = [required(values, 'id'), required(values, 'to')];
    return async ({ messages }) => {
      const messageId = await messages.move(id, to);
      return {
        json: { messageId, movedFrom: id },
        text: `Message ${id} is message ${messageId} of destination ${to} now.`,
      };
    };
  },
};

const erase: Hl7Command = {
  usage: 'hl7 erase --id ID --yes',
  summary:
    'Take every photo and file out of one message that came in, for good: for photos that never became an image. Its text stays; it cannot be replayed.',
  prepare(values) {
    const id = required(values, 'id');
    if (values['yes'] !== true)
      throw new CliMisuse('This cannot be undone. Add --yes to do it; "hl7 show --id ID" shows the message.');
    return async ({ messages }) => {
      const erased = await messages.erase(id);
      const text =
        erased.erasedFiles === 0
          ? `Message ${id} has no photo or file.`
          : `${erased.erasedFiles} files of ${erased.erasedBytes} bytes are no longer in message ${id}.`;
      return { json: { messageId: id, ...erased }, text };
    };
  },
};

function wholeNumber(text: string, option: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new CliMisuse(`--${option} must be a number from 1 on.`);
  return Number(text);
}

const send: Hl7Command = {
  usage: 'hl7 send FILE --to HOST:PORT [--timeout-s N]',
  summary: 'Send the message of a file over MLLP, and show its acknowledgment.',
  isStandalone: true,
  prepare(values) {
    const file = fileOf(values);
    const { host, port } = addressOf(values);
    const timeoutS = Number(given(values, { timeout: 'timeout-s' })['timeout'] ?? DEFAULT_TIMEOUT_S);
    if (!Number.isInteger(timeoutS) || timeoutS < 1 || timeoutS > 600)
      throw new CliMisuse('--timeout-s must be a number from 1 to 600.');
    return async () => {
      const { code, controlId, conditions, bytes } = await sendMessage(await readMessageFile(file), {
        host,
        port,
        timeoutMs: timeoutS * 1000,
      });
      const answer = Buffer.from(bytes).toString('utf8');
      return {
        json: { code, controlId, conditions, acknowledgment: answer },
        text: onLines(answer),
        failed: code !== 'AA' && code !== 'CA',
      };
    };
  },
};

const dryRun: Hl7Command = {
  usage: 'hl7 dry-run FILE [--listener ID]',
  summary:
    'What a message would do if it came to a listener (the only one that there is, or that of --listener), and its FHIR. Stores nothing.',
  prepare(values) {
    const file = fileOf(values);
    const stated = optional(values, 'listener');
    return async ({ peers, dryRun }) =>
      describeDryRun(await dryRun.run(await readMessageFile(file), stated ?? (await onlyListener(peers))));
  },
};

async function onlyListener(peers: Hl7Services['peers']): Promise<string> {
  const listeners = await peers.listListeners(null);
  const [only] = listeners;
  if (only !== undefined && listeners.length === 1) return only.listenerId;
  const detail =
    only === undefined
      ? 'There is no listener by whose settings it could be read. Create one with "hl7 listener create".'
      : 'There are several listeners. Name one with --listener ID; "hl7 listener list" shows them.';
  throw new SuturaError('hl7.listener_not_found', { detail });
}

/** Commands on inbound and outbound messages. */
export const MESSAGE_COMMANDS: readonly Hl7Command[] = [
  list,
  parked,
  show,
  exportAll,
  replay,
  requeue,
  retry,
  actOn('park', 'Let a waiting message step aside, so that what waits behind it goes on.', 'is parked'),
  move,
  actOn(
    'discard',
    'Give a message up for good that is parked, or came in sealed. It need not be opened.',
    'is discarded',
  ),
  erase,
  send,
  dryRun,
];

function addressOf(values: CliValues): { host: string; port: number } {
  const match = /^(.+):(\d{1,5})$/.exec(required(values, 'to'));
  if (match === null) throw new CliMisuse('--to must be HOST:PORT.');
  return { host: match[1]!.replace(/^\[(.*)\]$/, '$1'), port: Number(match[2]) };
}
