import { ACCEPTED, describeLostMessages, REPEATED } from './lost-messages.js';

// Two moments of each kind; test/faults/slow has them all.
const CHOSEN = ['hl7_in_apply', 'hl7_after_apply'];

describeLostMessages(
  REPEATED.filter(([, failpoint, mode]) =>
    mode === 'original' ? CHOSEN.includes(failpoint) : failpoint === 'hl7_before_ack',
  ),
  ACCEPTED.filter(([, failpoint]) => failpoint === 'hl7_in_apply'),
);
