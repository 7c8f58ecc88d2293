import type { CommandGroup } from '../../../../platform/cli/cli-command.js';
import { CommandDryRun, type Hl7Services } from './command-input.js';
import { DESTINATION_COMMANDS } from './destination.commands.js';
import { LISTENER_COMMANDS } from './listener.commands.js';
import { MESSAGE_COMMANDS } from './message.commands.js';
import { MessageOperationsFactory } from '../operations/message-operations.factory.js';
import { PeerOperationsFactory } from '../operations/peer-operations.factory.js';

/** `hl7 …` on the command line. */
export const HL7_COMMANDS: CommandGroup<Hl7Services> = {
  providers: [],
  services: (app, operator) => ({
    peers: app.get(PeerOperationsFactory, { strict: false }).of(operator),
    messages: app.get(MessageOperationsFactory, { strict: false }).of(operator),
    dryRun: app.get(CommandDryRun, { strict: false }),
  }),
  commands: [...LISTENER_COMMANDS, ...DESTINATION_COMMANDS, ...MESSAGE_COMMANDS],
};
