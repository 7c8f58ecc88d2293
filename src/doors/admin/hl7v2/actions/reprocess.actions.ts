import type { z } from 'zod';
import type { CliReport, CliValues } from '../../../../platform/cli/cli-command.js';
import type { Operator } from '../../../../core/tenancy/operator.js';
import { optional, required } from '../../../../platform/cli/command-options.js';
import { toTextTable } from '../../../../platform/cli/command-report.js';
import { DryRun } from '../../../hl7v2/inbox/processing/message-reprocessor.js';
import { adminGroup } from '../../action/admin-group.js';
import { REPROCESS, REPROCESS_BODY, REPROCESS_ONE } from '../operations/hl7.schema.js';
import {
  MessageReprocessing,
  MOST_REPROCESSED,
  REPROCESSED_MESSAGE,
  REPROCESSED_RANGE,
  type ReprocessedMessageView,
  type ReprocessedRangeView,
} from '../operations/message-reprocessing.js';
import { HL7_EXAMPLES } from './hl7-admin.examples.js';
import { check, searchOf } from './search-options.js';

const { action, group } = adminGroup({ reprocessing: MessageReprocessing });

const reprocessOne = action({
  name: 'reprocessHl7Message',
  route: 'POST /hl7/messages/:messageId/reprocess',
  does: 'Read a message that came in by today’s settings of its listener, and add what was not done',
  who: 'integrator',
  body: REPROCESS_ONE,
  example: HL7_EXAMPLES.reprocessOne,
  answers: REPROCESSED_MESSAGE,
  shows: HL7_EXAMPLES.reprocessed,
  refusals: [
    'hl7.message_not_found',
    'hl7.in_progress',
    'hl7.not_parked',
    'hl7.erased',
    'hl7.file_missing',
    'hl7.sealed',
  ],
  run: ({ reprocessing, operator }, { messageId, dryRun }) => reprocessing.one(operator, messageId, dryRun),
  trail: 'by itself',
});

const reprocessRange = action({
  name: 'reprocessHl7Range',
  route: 'POST /hl7/reprocess',
  does: `Read the messages of a range by today’s settings of their listener, oldest first, at most ${MOST_REPROCESSED} at once, and add what was not done`,
  who: { role: 'integrator', of: { in: 'body', fields: { listener: 'listenerId' } } },
  body: REPROCESS,
  described: REPROCESS_BODY,
  example: HL7_EXAMPLES.reprocess,
  answers: REPROCESSED_RANGE,
  shows: HL7_EXAMPLES.reprocessedRange,
  refusals: ['hl7.listener_not_found'],
  run: ({ reprocessing, operator }, query) => reprocessing.range(operator, query),
  trail: 'by itself',
});

/** Kept messages, read once more; at the command line by "hl7 replay --reprocess". */
export const REPROCESS_ACTIONS = group('Hl7ReprocessController', [reprocessOne, reprocessRange]);

interface ReprocessServices {
  readonly reprocessing: Pick<MessageReprocessing, 'one' | 'range'>;
  readonly operator: Operator;
}

/** "hl7 replay --reprocess": one message, or page by page all of a listener's that the options name. */
export function prepareReprocess(values: CliValues): (services: ReprocessServices) => Promise<CliReport> {
  const dryRun = values['dry-run'] === true;
  const messageId = optional(values, 'id');
  if (messageId !== undefined)
    return async ({ reprocessing, operator }) => describeOne(await reprocessing.one(operator, messageId, dryRun));
  required(values, 'listener');
  const query = check(REPROCESS, { ...searchOf(values), warned: values['warned'] === true, dryRun });
  return async ({ reprocessing, operator }) => {
    // What a message of one page would do is not told again of the next.
    const tried = new DryRun();
    let whole = await reprocessing.range(operator, query, tried);
    for (let { after } = whole; after !== null; { after } = whole)
      whole = added(whole, await reprocessing.range(operator, { ...query, after }, tried));
    return describeRange(whole);
  };
}

function added(whole: ReprocessedRangeView, page: ReprocessedRangeView): ReprocessedRangeView {
  return {
    ...page,
    changed: whole.changed + page.changed,
    unchanged: whole.unchanged + page.unchanged,
    refused: whole.refused + page.refused,
    skipped: whole.skipped + page.skipped,
    analyses: whole.analyses + page.analyses,
    messages: [...whole.messages, ...page.messages],
  };
}

function describeOne(view: z.output<typeof REPROCESSED_MESSAGE>): CliReport {
  const problems = view.problems.map(({ severity, code, text }) => `- ${severity} ${code}: ${text}`);
  return { json: view, text: [inWords(view), ...problems].join('\n'), failed: view.outcome === 'refused' };
}

function describeRange(view: ReprocessedRangeView): CliReport {
  const { dryRun, changed, unchanged, refused, skipped, analyses, messages } = view;
  const counts = `${changed} messages ${dryRun ? 'would add' : 'added'} something, ${unchanged} nothing; ${refused} are refused by today’s settings too, ${skipped} were passed over. Analyses asked for: ${analyses}.`;
  const table = toTextTable(
    ['MESSAGE', 'OUTCOME', 'WHAT', 'PROBLEMS'],
    messages.map((message) => [
      message.messageId,
      message.outcome,
      message.code ?? changesInWords(message),
      [...new Set(message.problems.map(({ code }) => code))].join(' '),
    ]),
  );
  return { json: view, text: messages.length === 0 ? counts : `${counts}\n\n${table}` };
}

function inWords(view: ReprocessedMessageView): string {
  const { messageId, outcome } = view;
  if (outcome === 'refused') return `Message ${messageId} is refused by today’s settings too, and was left as it is.`;
  return outcome === 'unchanged'
    ? `Message ${messageId} has nothing to add.`
    : `Message ${messageId}: ${changesInWords(view)}.`;
}

function changesInWords({ changes, analyses }: ReprocessedMessageView): string {
  const told = changes.map(({ action: did, type, count }) => `${did} ${count} ${type}`);
  return [...told, ...(analyses === 0 ? [] : [`analyses asked for: ${analyses}`])].join(', ');
}
