import { ACCEPTED, describeLostMessages, REPEATED } from '../lost-messages.js';

describeLostMessages(REPEATED, ACCEPTED);
