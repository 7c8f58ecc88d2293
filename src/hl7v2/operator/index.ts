import type { Provider, Type } from '@nestjs/common';
import { Hl7Desk } from './hl7-desk.js';
import { Hl7PeersController } from './hl7-peers.controller.js';
import { Hl7MessagesController } from './hl7-messages.controller.js';
import { Hl7Trial } from './hl7-trial.js';
import { MESSAGE_COMMANDS } from './message.commands.js';
import { PEER_COMMANDS } from './peer.commands.js';

export type { Hl7Services } from './command-input.js';
export { Hl7Desk } from './hl7-desk.js';
export { Hl7Trial, type TrialView } from './hl7-trial.js';

/** `hl7 …` on the command line. */
export const HL7_COMMANDS = [...PEER_COMMANDS, ...MESSAGE_COMMANDS];

/** The same over the admin API. */
export const HL7_OPERATOR_CONTROLLERS: Type[] = [Hl7PeersController, Hl7MessagesController];
export const HL7_OPERATOR_PROVIDERS: Provider[] = [Hl7Desk, Hl7Trial];
