import type { z } from 'zod';
import type { CliReport } from '../../../../platform/cli/cli-command.js';
import { tableReport, toFactList, toTextTable } from '../../../../platform/cli/command-report.js';
import type { KeptAnswer } from '../../../../exits/mllp/outbox/outbound-message.js';
import type { ExportedFiles } from './export-messages.js';
import type { DryRunView } from '../operations/dry-run.views.js';
import type { InboundView, MessageView, OutboundView, PhotoView } from '../operations/hl7.views.js';
import type { RebuiltView } from '../operations/message-rebuilds.js';
import type { ParkedView, REPLAYED_RANGE } from '../operations/message-operations.js';

/** Inbound messages, a line each. */
export function describeInbound(views: readonly InboundView[]): CliReport {
  return tableReport(views, {
    MESSAGE: ({ messageId }) => messageId,
    RECEIVED: ({ receivedAt }) => receivedAt,
    TYPE: ({ messageType }) => messageType,
    'CONTROL ID': ({ controlId }) => controlId,
    STATE: ({ state }) => state,
    ACK: ({ acceptCode, ackCode }) => wordsOf(acceptCode, ackCode),
    PROBLEMS: ({ problems }) => [...new Set(problems.map(({ code }) => code))].join(' '),
    PHOTOS: ({ photos }) => photosInWords(photos),
    BYTES: ({ sizeBytes }) => String(sizeBytes),
    WHY: ({ reason }) => reason?.text ?? '',
  });
}

/** Outbound messages, a line each. */
export function describeOutbound(views: readonly OutboundView[]): CliReport {
  return tableReport(views, {
    MESSAGE: ({ messageId }) => messageId,
    MADE: ({ createdAt }) => createdAt,
    KIND: ({ kind }) => kind,
    'CONTROL ID': ({ controlId }) => controlId,
    VERSION: ({ version }) => String(version),
    STATE: ({ state }) => state,
    ATTEMPTS: ({ attempts }) => String(attempts),
    ACK: ({ ackCode, ackCondition, applicationCode }) => wordsOf(ackCode, applicationCode, ackCondition),
    WHY: ({ reason }) => reason?.text ?? '',
  });
}

/** Parked messages, a line each. */
export function describeParked(views: readonly ParkedView[]): CliReport {
  return tableReport(views, {
    MESSAGE: ({ messageId }) => messageId,
    MADE: ({ createdAt }) => createdAt,
    'CONTROL ID': ({ controlId }) => controlId,
    PATIENT: ({ patients }) => patients.join(' '),
    ORDER: ({ orders }) => orders.join(' '),
    ATTEMPTS: ({ attempts }) => String(attempts),
    ACK: ({ ackCode, ackCondition, applicationCode }) => wordsOf(ackCode, applicationCode, ackCondition),
    WHY: ({ reason }) => reason?.text ?? '',
    'RECEIVER’S WORDS': ({ answer }) => (answer === null ? '' : inOneLine(answer)),
  });
}

/** What the receiver said, without its codes. */
function inOneLine({ text, problems }: KeptAnswer): string {
  const said = problems.map(
    ({ message, diagnostic, applicationText, conditionText }) =>
      message || diagnostic || applicationText || conditionText,
  );
  return [...new Set([text, ...said])]
    .filter((words) => words !== '')
    .join('; ')
    .replaceAll(/\s+/g, ' ');
}

/** `2 fetched, 1 failed`: photos that the message named by URL. */
function photosInWords(photos: readonly PhotoView[]): string {
  const counts = new Map<string, number>();
  for (const { state } of photos) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}

function photoInWords({ state, tries, fault, nextTryAt }: PhotoView): string {
  const after = tries === 0 ? '' : ` after ${tries} ${tries === 1 ? 'try' : 'tries'}`;
  return `${state}${after}${fault === null ? '' : `, ${fault}`}${nextTryAt === null ? '' : `, next try ${nextTryAt}`}`;
}

function wordsOf(...words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null && word !== '').join(' ');
}

/** The result of an export. */
export function describeExport(files: ExportedFiles, folder: string): CliReport {
  const sealed =
    files.sealed.length === 0
      ? ''
      : ` ${files.sealed.length} could not be read: none of the keys that are set fits them, or the object store lacks a file of them.`;
  return {
    json: files,
    text: `${files.written.length} messages are in ${folder}.${sealed}${files.remaining ? ' There are more: narrow the search, or raise --limit.' : ''}`,
    failed: files.sealed.length > 0,
  };
}

/** The result of replaying a range. */
export function describeReplay(range: z.output<typeof REPLAYED_RANGE>): CliReport {
  const skipped = range.skipped.map(({ messageId, code }) => `- ${messageId} ${code}`);
  const more = range.remaining ? ['There are more: go on with a later --from.'] : [];
  return {
    json: range,
    text: [
      `${range.replayed} messages are on their way again, ${range.skipped.length} were passed over.`,
      ...skipped,
      ...more,
    ].join('\n'),
  };
}

/** The result of making parked messages anew. */
export function describeRebuilt(view: RebuiltView): CliReport {
  const left = view.left.map(({ messageId, code, why }) => `- ${messageId} ${code}: ${why}`);
  const counts = `${view.rebuilt} messages were made anew and are on their way again, ${left.length} stay parked.`;
  return { json: view, text: [counts, ...left].join('\n') };
}

/** One message, with its text as sent or received. */
export function describeMessage(view: MessageView): CliReport {
  const facts: Record<string, string> = {
    message: view.messageId,
    direction: view.direction,
    'control id': view.controlId,
    state: view.state,
    bytes: String(view.sizeBytes),
    ...(view.direction === 'out' ? factsOf(view) : {}),
  };
  if (view.reason !== null) Object.assign(facts, { why: view.reason.text, next: view.reason.nextStep });
  if (view.direction === 'in') for (const photo of view.photos) facts[`photo ${photo.imageId}`] = photoInWords(photo);
  for (const { imageId, sizeBytes, erasedAt } of view.erased)
    facts[`erased ${erasedAt}`] =
      `${sizeBytes} bytes, ${imageId === null ? 'by an operator' : `with image ${imageId}`}`;
  const problems = view.direction === 'in' && view.problems.length > 0 ? [problemLines(view.problems)] : [];
  const parts = [
    toFactList(facts),
    ...problems,
    ...(view.direction === 'out' ? answersOf(view) : []),
    onLines(view.message),
    ...(view.direction === 'in' && view.ack !== null ? [onLines(view.ack)] : []),
  ];
  return { json: view, text: parts.join('\n\n') };
}

type Outbound = Extract<MessageView, { readonly direction: 'out' }>;

/** What happened to it, and the receiver's words on the last attempt. */
function answersOf({ history, answer }: Outbound): string[] {
  const rows = history.map(({ at, until, what, attempt, answer: code, fault, parkedFor, by, times, words }) => [
    at,
    what.replaceAll('_', ' '),
    attempt === null ? '' : String(attempt),
    wordsOf(
      code,
      fault,
      parkedFor === null ? null : `parked: ${parkedFor}`,
      times > 1 ? `${times} times until ${until}` : null,
    ),
    by ?? '',
    words === null ? '' : inOneLine(words),
  ]);
  return [
    ...(rows.length === 0 ? [] : [toTextTable(['WHEN', 'WHAT', 'ATTEMPT', 'CODES', 'BY', 'RECEIVER’S WORDS'], rows)]),
    ...(answer === null ? [] : [answerLines(answer)]),
  ];
}

function factsOf({
  destinationId,
  attempts,
  ackCode,
  ackCondition,
  applicationCode,
  parkedFor,
  fault,
  movedTo,
}: OutboundView): Record<string, string> {
  const stated = {
    'parked for': parkedFor,
    acknowledgment: wordsOf(ackCode, applicationCode, ackCondition),
    fault,
    'moved to': movedTo,
  };
  const known = Object.entries(stated).filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
  return { destination: destinationId, attempts: String(attempts), ...Object.fromEntries(known) };
}

/** Problems of an inbound message. */
function problemLines(problems: InboundView['problems']): string {
  return problems
    .map(
      ({ severity, condition, code, place, text }) =>
        `- ${wordsOf(severity, condition, place === null ? null : placeInWords(place), code)}: ${text}`,
    )
    .join('\n');
}

function placeInWords({
  segment,
  sequence,
  field,
  repetition,
  component,
}: NonNullable<InboundView['problems'][number]['place']>): string {
  return [segment, sequence, field, repetition, component].filter((part) => part !== undefined).join('^');
}

/** The answer of the receiver, in its own words. */
function answerLines({ text, problems }: KeptAnswer): string {
  const said = problems.map(
    ({ severity, condition, conditionText, place, applicationCode, applicationText, diagnostic, message }) =>
      `- ${wordsOf(severity, condition, conditionText, place, applicationCode, applicationText, diagnostic, message)}`,
  );
  return ['The receiver says:', ...(text === '' ? [] : [`- ${text}`]), ...said].join('\n');
}

/** The effects of a message in a dry run. */
export function describeDryRun(view: DryRunView): CliReport {
  const { messageType, controlId, mode, acknowledgment, problems, effects, bundle } = view;
  const facts = toFactList({
    message: messageType,
    'control id': controlId,
    mode,
    acknowledgment: acknowledgment ?? 'none',
  });
  const told = [
    ...problems.map(({ severity, condition, code, text: why }) => `${severity} ${condition} ${code}: ${why}`),
    ...effects,
  ]
    .map((line) => `- ${line}`)
    .join('\n');
  return {
    json: view,
    text: [facts, told, ...(bundle === null ? [] : [JSON.stringify(bundle, null, 2)])].join('\n\n'),
    failed: acknowledgment === 'AE' || acknowledgment === 'AR',
  };
}

/** Segments end with CR; a terminal wants LF. */
export function onLines(message: string): string {
  return message.replace(/\r/g, '\n').trimEnd();
}
