import { DESTINATION_ACTIONS } from './destinations.actions.js';
import { LISTENER_ACTIONS } from './listeners.actions.js';
import { MESSAGE_SEARCH_ACTIONS } from './message-searches.actions.js';
import { MESSAGE_ACTIONS } from './messages.actions.js';
import { REPROCESS_ACTIONS } from './reprocess.actions.js';

/** `hl7 …`, in the order of the usage. */
export const HL7_ADMIN_GROUPS = [
  LISTENER_ACTIONS,
  DESTINATION_ACTIONS,
  MESSAGE_SEARCH_ACTIONS,
  MESSAGE_ACTIONS,
  REPROCESS_ACTIONS,
] as const;
