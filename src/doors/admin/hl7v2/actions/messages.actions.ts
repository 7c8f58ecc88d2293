import { z } from 'zod';
import type { ErrorCode } from '../../../../core/errors/catalogue.js';
import { CliMisuse, type CliValues } from '../../../../platform/cli/cli-command.js';
import { optional, required } from '../../../../platform/cli/command-options.js';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { id } from '../../action/answer-fields.js';
import { adminGroup } from '../../action/admin-group.js';
import { DRY_RUN_VIEW } from '../operations/dry-run.views.js';
import { DRY_RUN, INBOUND_RANGE, MOVE, OUTBOUND_RANGE, RANGE, RANGE_BODY } from '../operations/hl7.schema.js';
import { MessageRebuilds, REBUILT } from '../operations/message-rebuilds.js';
import { MessageDryRun } from '../operations/message-dry-run.js';
import { MessageReprocessing } from '../operations/message-reprocessing.js';
import { ERASED_MESSAGE, MessageOperations, REPLAYED_RANGE } from '../operations/message-operations.js';
import { HL7_EXAMPLES } from './hl7-admin.examples.js';
import { dryRunCommand, sendCommand } from './file.commands.js';
import { describeRebuilt, describeReplay } from './message.reports.js';
import { prepareReprocess } from './reprocess.actions.js';
import { check, searchOf } from './search-options.js';

const { action, command, group } = adminGroup({
  messages: MessageOperations,
  dryRun: MessageDryRun,
  listeners: ListenerRepository,
  reprocessing: MessageReprocessing,
  rebuilds: MessageRebuilds,
});

const replayRange = action({
  name: 'replayHl7Range',
  route: 'POST /hl7/replay',
  does: 'All messages of a range once more, oldest first, at most 1,000 at once',
  who: { role: 'integrator', of: { in: 'body', fields: { listener: 'listenerId', destination: 'destinationId' } } },
  body: RANGE,
  described: RANGE_BODY,
  example: HL7_EXAMPLES.range,
  answers: REPLAYED_RANGE,
  shows: HL7_EXAMPLES.replayed,
  run: ({ messages, operator }, range) => messages.replayRange(operator, range),
  trail: 'by itself',
});

const replayCommand = command({
  usage:
    'hl7 replay --id ID | --from MOMENT --to MOMENT (--listener ID | --out --destination ID) [--state STATE] [--type TYPE] [--patient NUMBER] [--order NUMBER] [--error WORDS] | --reprocess [--dry-run] (--id ID | --listener ID [--warned])',
  unlisted: '[--org ID] [--env test|live] [--control-id ID]',
  summary:
    'Process an inbound message once more as if it came now, or send an outbound one once more; or all of a range, oldest first, at most 1,000 at once. --reprocess reads what came in by today’s settings of its listener instead and adds what was not done: nothing is kept twice, nothing later is undone. --warned: only what was taken with warnings. --dry-run shows what would be done.',
  prepare(values) {
    if (values['reprocess'] === true) return prepareReprocess(withoutOthers(values));
    if (values['dry-run'] === true || values['warned'] === true)
      throw new CliMisuse('--dry-run and --warned belong to --reprocess.');
    const messageId = optional(values, 'id');
    if (messageId !== undefined)
      return async ({ messages, operator }) => {
        await messages.replay(operator, messageId);
        return done(messageId, 'replay', 'is on its way again');
      };
    for (const option of ['from', 'to', values['out'] === true ? 'destination' : 'listener']) required(values, option);
    const range = check(values['out'] === true ? OUTBOUND_RANGE : INBOUND_RANGE, searchOf(values));
    return async ({ messages, operator }) => describeReplay(await messages.replayRange(operator, range));
  },
});

/** An action on one message; without a command of its own where `printed` is absent. */
const acting = (
  what: 'replay' | 'requeue' | 'discard' | 'retry' | 'park',
  does: string,
  refusals: readonly ErrorCode[],
  printed?: { readonly says: string; readonly done: string },
) =>
  action({
    name: `${what}Hl7Message`,
    route: `POST /hl7/messages/:messageId/${what}`,
    does,
    who: 'integrator',
    refusals: ['hl7.message_not_found', ...refusals],
    run: ({ messages, operator }, { messageId }) => messages[what](operator, messageId),
    trail: 'by itself',
    ...(printed === undefined
      ? {}
      : {
          command: {
            usage: `hl7 ${what} --id ID`,
            says: printed.says,
            prints: (_: unknown, { messageId }: { readonly messageId: string }) => done(messageId, what, printed.done),
          },
        }),
  });

const requeueAll = action({
  name: 'requeueHl7Destination',
  route: 'POST /hl7/destinations/:destinationId/requeue',
  does: 'Send everything that is parked for a destination once more',
  who: 'integrator',
  answers: z.object({ requeued: z.int() }),
  shows: HL7_EXAMPLES.requeued,
  refusals: ['hl7.destination_not_found'],
  run: async ({ messages, operator }, { destinationId }) => ({
    requeued: await messages.requeueAll(operator, destinationId),
  }),
  trail: 'by itself',
});

const rebuild = action({
  name: 'rebuildHl7Message',
  route: 'POST /hl7/messages/:messageId/rebuild',
  does: 'Make a parked result anew by the present settings of its destination, and send it',
  who: 'integrator',
  refusals: [
    'hl7.message_not_found',
    'hl7.not_rebuilt',
    'hl7.in_progress',
    'hl7.not_parked',
    'hl7.superseded',
    'hl7.destination_deleted',
  ],
  run: ({ rebuilds, operator }, { messageId }) => rebuilds.one(operator, messageId),
  trail: 'by itself',
});

const rebuildAll = action({
  name: 'rebuildHl7Destination',
  route: 'POST /hl7/destinations/:destinationId/rebuild',
  does: 'Make everything that is parked for a destination anew by its present settings, and send it',
  who: 'integrator',
  answers: REBUILT,
  shows: HL7_EXAMPLES.rebuilt,
  refusals: ['hl7.destination_not_found'],
  run: ({ rebuilds, operator }, { destinationId }) => rebuilds.all(operator, destinationId),
  trail: 'by itself',
});

const requeueCommand = command({
  usage: 'hl7 requeue --id ID | --destination ID [--rebuild]',
  summary:
    'Send a parked message once more, or all that are parked for a destination; process one that came in sealed, once its key is back. --rebuild makes results anew by the present settings of their destination first: its codes, units, constants, rows.',
  prepare(values) {
    const [messageId, destinationId] = [optional(values, 'id'), optional(values, 'destination')];
    if ((messageId === undefined) === (destinationId === undefined))
      throw new CliMisuse('Name one message with --id, or a destination with --destination.');
    const isAnew = values['rebuild'] === true;
    return async ({ messages, rebuilds, operator }) => {
      if (isAnew && messageId !== undefined) {
        await rebuilds.one(operator, messageId);
        return done(messageId, 'rebuild', 'was made anew and is on its way again');
      }
      if (isAnew) return describeRebuilt(await rebuilds.all(operator, destinationId!));
      if (messageId !== undefined) {
        await messages.requeue(operator, messageId);
        return done(messageId, 'requeue', 'is on its way again');
      }
      const requeued = await messages.requeueAll(operator, destinationId!);
      return { json: { destinationId, requeued }, text: `${requeued} messages are on their way again.` };
    };
  },
});

const move = action({
  name: 'moveHl7Message',
  route: 'POST /hl7/messages/:messageId/move',
  does: 'Give a waiting or parked message to another destination of its organization',
  who: 'integrator',
  body: MOVE,
  example: HL7_EXAMPLES.move,
  answers: z.object({ messageId: id }),
  shows: HL7_EXAMPLES.moved,
  refusals: [
    'hl7.message_not_found',
    'hl7.destination_not_found',
    'hl7.not_parked',
    'hl7.superseded',
    'hl7.already_there',
    'hl7.sealed',
  ],
  run: async ({ messages, operator }, { messageId, destinationId }) => ({
    messageId: await messages.move(operator, messageId, destinationId),
  }),
  trail: 'by itself',
  command: {
    usage: 'hl7 move --id ID --to DESTINATION',
    says: 'Give a waiting or parked message to another destination of its organization: as it was written, with that one’s MSH-3 to 6 and a control id of its own.',
    options: { destinationId: 'to' },
    prints: ({ messageId }, { messageId: movedFrom, destinationId }) => ({
      json: { messageId, movedFrom },
      text: `Message ${movedFrom} is message ${messageId} of destination ${destinationId} now.`,
    }),
  },
});

const erase = action({
  name: 'eraseHl7MessageFiles',
  route: 'DELETE /hl7/messages/:messageId/files',
  does: 'Take every photo and file out of a message that came in, for good; it can then no longer be replayed',
  who: 'admin',
  answers: ERASED_MESSAGE,
  shows: HL7_EXAMPLES.erased,
  refusals: ['hl7.message_not_found', 'hl7.in_progress', 'hl7.sealed'],
  run: ({ messages, operator }, { messageId }) => messages.erase(operator, messageId),
  trail: 'by itself',
  command: {
    usage: 'hl7 erase --id ID --yes',
    says: 'Take every photo and file out of one message that came in, for good: for photos that never became an image. Its text stays; it cannot be replayed.',
    check(values) {
      required(values, 'id');
      if (values['yes'] !== true)
        throw new CliMisuse('This cannot be undone. Add --yes to do it; "hl7 show --id ID" shows the message.');
    },
    prints: (erased, { messageId }) => ({
      json: { messageId, ...erased },
      text:
        erased.erasedFiles === 0
          ? `Message ${messageId} has no photo or file.`
          : `${erased.erasedFiles} files of ${erased.erasedBytes} bytes are no longer in message ${messageId}.`,
    }),
  },
});

const tryOut = action({
  name: 'tryHl7Message',
  route: 'POST /hl7/dry-run',
  does: 'What a message would do if it came to a listener, and its FHIR; stores nothing',
  who: { role: 'integrator', of: { in: 'body', fields: { listener: 'listenerId' } } },
  body: DRY_RUN,
  example: HL7_EXAMPLES.newDryRun,
  answers: DRY_RUN_VIEW,
  shows: HL7_EXAMPLES.dryRun,
  refusals: ['hl7.listener_not_found', 'hl7.unreadable'],
  run: ({ dryRun }, { listenerId, message }) => dryRun.run(Buffer.from(message), listenerId),
  trail: 'none',
});

/** What is done with messages. MessageOperations records each that is changed. */
export const MESSAGE_ACTIONS = group('Hl7MessagesController', [
  acting('replay', 'Process an inbound message once more, or send an outbound one once more', [
    'hl7.in_progress',
    'hl7.superseded',
    'hl7.not_parked',
    'hl7.sealed',
  ]),
  replayRange,
  replayCommand,
  acting('requeue', 'Send a parked message once more, or process one that came in sealed', [
    'hl7.in_progress',
    'hl7.not_parked',
    'hl7.superseded',
    'hl7.sealed',
    'hl7.destination_deleted',
  ]),
  requeueAll,
  rebuild,
  rebuildAll,
  requeueCommand,
  acting('retry', 'Try a waiting message now; it still waits for those before it', ['hl7.not_waiting', 'hl7.sealed'], {
    says: 'Try a waiting message now, whatever its pause. It still waits for those before it.',
    done: 'is tried now',
  }),
  acting('park', 'Let a waiting message step aside', ['hl7.not_waiting'], {
    says: 'Let a waiting message step aside, so that what waits behind it goes on.',
    done: 'is parked',
  }),
  move,
  acting('discard', 'Give a message up for good that is parked, or came in sealed', ['hl7.not_parked'], {
    says: 'Give a message up for good that is parked, or came in sealed. It need not be opened.',
    done: 'is discarded',
  }),
  erase,
  sendCommand,
  tryOut,
  dryRunCommand,
]);

/** A range that is reprocessed is one of a listener, and has no search terms. */
function withoutOthers(values: CliValues): CliValues {
  const other = ['out', 'destination', 'patient', 'order', 'error', 'org', 'env', 'control-id'].find(
    (name) => values[name] !== undefined && values[name] !== false,
  );
  const ranged = ['listener', 'from', 'to', 'state', 'type', 'warned'].find(
    (name) => values[name] !== undefined && values[name] !== false,
  );
  if (other !== undefined) throw new CliMisuse(`--${other} does not go with --reprocess.`);
  if (values['id'] !== undefined && ranged !== undefined) throw new CliMisuse(`--${ranged} does not go with --id.`);
  return values;
}

function done(messageId: string, what: string, words: string) {
  return { json: { messageId, done: what }, text: `Message ${messageId} ${words}.` };
}
