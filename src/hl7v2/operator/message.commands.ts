import { SuturaError } from '../../core/errors/sutura-error.js';
import { CliMisuse, commandOn, given, optional, required, tableReport, TEXT, toFactList, type CliReport, type CliValues } from '../../identity/index.js';
import type { KeptAnswer } from '../outbound/index.js';
import { check, fileOf, readMessageFile, type Hl7Command, type Hl7Services } from './command-input.js';
import { exportInto, type ExportedFiles } from './export-messages.js';
import { INBOUND_EXPORT, INBOUND_QUERY, INBOUND_RANGE, LARGEST_PAGE, OUTBOUND_EXPORT, OUTBOUND_QUERY, OUTBOUND_RANGE } from './hl7.schema.js';
import type { ReplayedRange } from './message-desk.js';
import { searchOf, SEARCH_OPTIONS, SEARCH_USAGE } from './search-options.js';
import type { TrialView } from './hl7-trial.js';
import type { InboundView, MessageView, OutboundView } from './hl7.views.js';
import { sendMessage } from './send-message.js';

const DEFAULT_TIMEOUT_S = 30;

const list: Hl7Command = {
  name: 'hl7 messages',
  usage: `[--out] ${SEARCH_USAGE} [--limit 1-${LARGEST_PAGE}] [--after ID]`,
  summary: 'What came in, or with --out what goes out, newest first; --patient and --order are numbers as the message has them, --error words of what is wrong. --after goes on behind the last row of the list before.',
  options: { ...SEARCH_OPTIONS, limit: TEXT, after: TEXT },
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
  name: 'hl7 parked',
  usage: '[--org ID --env test|live] [--destination ID] [--limit N]',
  summary: 'Messages that a receiver refused, and that wait for a person.',
  options: { org: TEXT, env: TEXT, destination: TEXT, limit: TEXT },
  prepare(values) {
    const query = check(OUTBOUND_QUERY, { direction: 'out', state: 'parked', ...given(values, { organizationId: 'org', environment: 'env', destinationId: 'destination', limit: 'limit' }) });
    return async ({ messages }) => describeOutbound(await messages.listOutbound(query));
  },
};

const exportAll: Hl7Command = {
  name: 'hl7 export',
  usage: `--into FOLDER [--out] ${SEARCH_USAGE} [--limit N]`,
  summary: 'Write the messages that a search finds into a folder, a file each as it went over the line. Each is written into the audit trail.',
  options: { ...SEARCH_OPTIONS, into: TEXT, limit: TEXT },
  prepare(values) {
    const folder = required(values, 'into');
    const limit = wholeNumber(optional(values, 'limit') ?? '1000', 'limit');
    const query = check(values['out'] === true ? OUTBOUND_EXPORT : INBOUND_EXPORT, searchOf(values));
    return async ({ messages }) => describeExport(await exportInto(folder, messages, query, limit), folder);
  },
};

const replay: Hl7Command = {
  name: 'hl7 replay',
  usage: '--id ID | --from MOMENT --to MOMENT (--listener ID | --out --destination ID) [--state STATE] [--type TYPE] [--patient NUMBER] [--order NUMBER] [--error WORDS]',
  summary: 'Process an inbound message once more, or send an outbound one once more; or all of a range, oldest first, at most 1,000 at once.',
  options: { id: TEXT, ...SEARCH_OPTIONS },
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

const show = commandOn<Hl7Services>({ name: 'hl7 show', summary: 'One message, in or out, with what went over the line. It is written into the audit trail.', by: 'id' }, async ({ messages }, id) => describeMessage(await messages.show(id)));

/** A command that does one thing to one message. */
function actOn(name: 'park' | 'discard', summary: string, done: string): Hl7Command {
  return commandOn({ name: `hl7 ${name}`, summary, by: 'id' }, async ({ messages }, id) => {
    await messages[name](id);
    return { json: { messageId: id, done: name }, text: `Message ${id} ${done}.` };
  });
}

const requeue: Hl7Command = {
  name: 'hl7 requeue',
  usage: '--id ID | --destination ID',
  summary: 'Send a parked message once more, or all that are parked for a destination.',
  options: { id: TEXT, destination: TEXT },
  prepare(values) {
    const [id, destinationId] = [optional(values, 'id'), optional(values, 'destination')];
    if ((id === undefined) === (destinationId === undefined)) throw new CliMisuse('Name one message with --id, or a destination with --destination.');
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

const retry = commandOn<Hl7Services>({ name: 'hl7 retry', summary: 'Try a waiting message now, whatever its pause. It still waits for those before it.', by: 'id' }, async ({ messages }, id) => {
  await messages.retryNow(id);
  return { json: { messageId: id, done: 'retry' }, text: `Message ${id} is tried now.` };
});

const move: Hl7Command = {
  name: 'hl7 move',
  usage: '--id ID --to DESTINATION',
  summary: 'Give a waiting or parked message to another destination of its organization: as it was written, with that one’s MSH-3 to 6 and a control id of its own.',
  options: { id: TEXT, to: TEXT },
  prepare(values) {
    const [id, to] = [required(values, 'id'), required(values, 'to')];
    return async ({ messages }) => {
      const messageId = await messages.move(id, to);
      return { json: { messageId, movedFrom: id }, text: `Message ${id} is message ${messageId} of destination ${to} now.` };
    };
  },
};

const erase: Hl7Command = {
  name: 'hl7 erase',
  usage: '--id ID --yes',
  summary: 'Take every photo and file out of one message that came in, for good: for photos that never became an image. Its text stays; it cannot be replayed.',
  options: { id: TEXT, yes: { type: 'boolean' } },
  prepare(values) {
    const id = required(values, 'id');
    if (values['yes'] !== true) throw new CliMisuse('This cannot be undone. Add --yes to do it; "hl7 show --id ID" shows the message.');
    return async ({ messages }) => {
      const erased = await messages.erase(id);
      const text = erased.erasedFiles === 0 ? `Message ${id} has no photo or file.` : `${erased.erasedFiles} files of ${erased.erasedBytes} bytes are no longer in message ${id}.`;
      return { json: { messageId: id, ...erased }, text };
    };
  },
};

function wholeNumber(text: string, option: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new CliMisuse(`--${option} must be a number from 1 on.`);
  return Number(text);
}

const send: Hl7Command = {
  name: 'hl7 send',
  usage: 'FILE --to HOST:PORT [--timeout-s N]',
  summary: 'Send the message of a file over MLLP, and show its acknowledgment.',
  positionals: ['file'],
  isStandalone: true,
  options: { to: TEXT, 'timeout-s': TEXT },
  prepare(values) {
    const file = fileOf(values);
    const { host, port } = addressOf(values);
    const timeoutS = Number(given(values, { timeout: 'timeout-s' })['timeout'] ?? DEFAULT_TIMEOUT_S);
    if (!Number.isInteger(timeoutS) || timeoutS < 1 || timeoutS > 600) throw new CliMisuse('--timeout-s must be a number from 1 to 600.');
    return async () => {
      const { code, controlId, conditions, bytes } = await sendMessage(await readMessageFile(file), { host, port, timeoutMs: timeoutS * 1000 });
      const answer = Buffer.from(bytes).toString('utf8');
      return { json: { code, controlId, conditions, acknowledgment: answer }, text: onLines(answer), failed: code !== 'AA' && code !== 'CA' };
    };
  },
};

const dryRun: Hl7Command = {
  name: 'hl7 dry-run',
  usage: 'FILE [--listener ID]',
  summary: 'What a message would do if it came to a listener (the only one that there is, or that of --listener), and its FHIR. Stores nothing.',
  positionals: ['file'],
  options: { listener: TEXT },
  prepare(values) {
    const file = fileOf(values);
    const stated = optional(values, 'listener');
    return async ({ peers, tryMessage }) => describeTrial(await tryMessage(await readMessageFile(file), stated ?? (await onlyListener(peers))));
  },
};

async function onlyListener(peers: Hl7Services['peers']): Promise<string> {
  const listeners = await peers.listListeners(null);
  const [only] = listeners;
  if (only !== undefined && listeners.length === 1) return only.listenerId;
  const detail = only === undefined ? 'There is no listener by whose settings it could be read. Create one with "hl7 listener create".' : 'There are several listeners. Name one with --listener ID; "hl7 listener list" shows them.';
  throw new SuturaError('hl7.listener_not_found', { detail });
}

/** What came in and what goes out, one by one. */
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
  actOn('discard', 'Give a parked message up for good.', 'is discarded'),
  erase,
  send,
  dryRun,
];

function addressOf(values: CliValues): { host: string; port: number } {
  const match = /^(.+):(\d{1,5})$/.exec(required(values, 'to'));
  if (match === null) throw new CliMisuse('--to must be HOST:PORT.');
  return { host: match[1]!.replace(/^\[(.*)\]$/, '$1'), port: Number(match[2]) };
}

function describeInbound(views: readonly InboundView[]): CliReport {
  return tableReport(views, {
    MESSAGE: ({ messageId }) => messageId,
    RECEIVED: ({ receivedAt }) => receivedAt,
    TYPE: ({ messageType }) => messageType,
    'CONTROL ID': ({ controlId }) => controlId,
    STATE: ({ state }) => state,
    ACK: ({ acceptCode, ackCode }) => wordsOf(acceptCode, ackCode),
    PROBLEMS: ({ problems }) => [...new Set(problems.map(({ code }) => code))].join(' '),
    BYTES: ({ sizeBytes }) => String(sizeBytes),
  });
}

function describeOutbound(views: readonly OutboundView[]): CliReport {
  return tableReport(views, {
    MESSAGE: ({ messageId }) => messageId,
    MADE: ({ createdAt }) => createdAt,
    KIND: ({ kind }) => kind,
    'CONTROL ID': ({ controlId }) => controlId,
    VERSION: ({ version }) => String(version),
    STATE: ({ state }) => state,
    ATTEMPTS: ({ attempts }) => String(attempts),
    ACK: ({ ackCode, ackCondition, applicationCode }) => wordsOf(ackCode, applicationCode, ackCondition),
    WHY: ({ parkedFor, fault }) => wordsOf(parkedFor, fault),
  });
}

function wordsOf(...words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null && word !== '').join(' ');
}

function describeExport(files: ExportedFiles, folder: string): CliReport {
  const sealed = files.sealed.length === 0 ? '' : ` ${files.sealed.length} could not be opened: none of the keys that are set fits them.`;
  return { json: files, text: `${files.written.length} messages are in ${folder}.${sealed}${files.remaining ? ' There are more: narrow the search, or raise --limit.' : ''}`, failed: files.sealed.length > 0 };
}

function describeReplay(range: ReplayedRange): CliReport {
  const skipped = range.skipped.map(({ messageId, code }) => `- ${messageId} ${code}`);
  const more = range.remaining ? ['There are more: go on with a later --from.'] : [];
  return { json: range, text: [`${range.replayed} messages are on their way again, ${range.skipped.length} were passed over.`, ...skipped, ...more].join('\n') };
}

function describeMessage(view: MessageView): CliReport {
  const facts: Record<string, string> = { message: view.messageId, direction: view.direction, 'control id': view.controlId, state: view.state, bytes: String(view.sizeBytes), ...(view.direction === 'out' ? factsOf(view) : {}) };
  for (const { imageId, sizeBytes, erasedAt } of view.erased) facts[`erased ${erasedAt}`] = `${sizeBytes} bytes, ${imageId === null ? 'by an operator' : `with image ${imageId}`}`;
  const parts = [toFactList(facts), ...(view.direction === 'out' && view.answer !== null ? [answerLines(view.answer)] : []), onLines(view.message), ...(view.direction === 'in' && view.ack !== null ? [onLines(view.ack)] : [])];
  return { json: view, text: parts.join('\n\n') };
}

function factsOf({ destinationId, attempts, ackCode, ackCondition, applicationCode, parkedFor, fault, movedTo }: OutboundView): Record<string, string> {
  const stated = { 'parked for': parkedFor, acknowledgment: wordsOf(ackCode, applicationCode, ackCondition), fault, 'moved to': movedTo };
  const known = Object.entries(stated).filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
  return { destination: destinationId, attempts: String(attempts), ...Object.fromEntries(known) };
}

/** What the receiver said, in its own words. */
function answerLines({ text, problems }: KeptAnswer): string {
  const said = problems.map(({ severity, condition, conditionText, place, applicationCode, applicationText, diagnostic, message }) => `- ${wordsOf(severity, condition, conditionText, place, applicationCode, applicationText, diagnostic, message)}`);
  return ['The receiver says:', ...(text === '' ? [] : [`- ${text}`]), ...said].join('\n');
}

function describeTrial(view: TrialView): CliReport {
  const { messageType, controlId, mode, acknowledgment, problems, effects, bundle } = view;
  const facts = toFactList({ message: messageType, 'control id': controlId, mode, acknowledgment: acknowledgment ?? 'none' });
  const told = [...problems.map(({ severity, condition, code, text: why }) => `${severity} ${condition} ${code}: ${why}`), ...effects].map((line) => `- ${line}`).join('\n');
  return { json: view, text: [facts, told, ...(bundle === null ? [] : [JSON.stringify(bundle, null, 2)])].join('\n\n'), failed: acknowledgment === 'AE' || acknowledgment === 'AR' };
}

/** Segments end with CR; a terminal wants LF. */
function onLines(message: string): string {
  return message.replace(/\r/g, '\n').trimEnd();
}
