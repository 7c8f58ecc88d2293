import type { Provider, Type } from '@nestjs/common';
import type { CommandGroup } from '../../platform/cli/cli-command.js';
import { CommandTrial, type Hl7Services } from './command-input.js';
import { DESTINATION_COMMANDS } from './destination.commands.js';
import { Hl7PeersController } from './hl7-peers.controller.js';
import { Hl7MessagesController } from './hl7-messages.controller.js';
import { Hl7Trial } from './hl7-trial.js';
import { LISTENER_COMMANDS } from './listener.commands.js';
import { MESSAGE_COMMANDS } from './message.commands.js';
import { MessageDesks } from './message-desk.js';
import { PeerDesks } from './peer-desk.js';

export { CommandTrial } from './command-input.js';
export { MessageDesks } from './message-desk.js';
export { MessageTraces } from './message-traces.js';
export { PeerDesks } from './peer-desk.js';
export { Hl7Trial, type TrialView } from './hl7-trial.js';

/** `hl7 …` on the command line. */
export const HL7_COMMANDS: CommandGroup<Hl7Services> = {
  providers: [],
  services: (app, operator) => ({
    peers: app.get(PeerDesks, { strict: false }).of(operator),
    messages: app.get(MessageDesks, { strict: false }).of(operator),
    trial: app.get(CommandTrial, { strict: false }),
  }),
  commands: [...LISTENER_COMMANDS, ...DESTINATION_COMMANDS, ...MESSAGE_COMMANDS],
};

/** The same over the admin API. */
export const HL7_OPERATOR_CONTROLLERS: Type[] = [Hl7PeersController, Hl7MessagesController];
export const HL7_OPERATOR_PROVIDERS: Provider[] = [PeerDesks, MessageDesks, Hl7Trial];
