import { NameDirectory } from '../../../../core/organizations/name-directory.js';
import { IN_QUERY } from '../../../../identity/index.js';
import { CliMisuse } from '../../../../platform/cli/cli-command.js';
import { given, optional, required } from '../../../../platform/cli/command-options.js';
import { adminGroup } from '../../action/admin-group.js';
import {
  EXPORT_QUERY,
  INBOUND_EXPORT,
  INBOUND_QUERY,
  LARGEST_PAGE,
  MESSAGE_QUERY,
  OUTBOUND_EXPORT,
  OUTBOUND_QUERY,
} from '../operations/hl7.schema.js';
import { LISTED_MESSAGE_VIEW, SHOWN_MESSAGE_VIEW } from '../operations/hl7.views.js';
import { namedMessage, namedMessages } from '../operations/message-names.js';
import { EXPORTED_MESSAGE, MessageOperations } from '../operations/message-operations.js';
import { exportInto } from './export-messages.js';
import { HL7_EXAMPLES } from './hl7-admin.examples.js';
import {
  describeExport,
  describeInbound,
  describeMessage,
  describeOutbound,
  describeParked,
} from './message.reports.js';
import { check, SEARCH_USAGE, searchOf } from './search-options.js';

const { action, command, group } = adminGroup({ messages: MessageOperations, names: NameDirectory });

const list = action({
  name: 'listHl7Messages',
  route: 'GET /hl7/messages',
  does: 'What came in, or what goes out, newest first',
  who: { role: 'integrator', of: IN_QUERY },
  query: MESSAGE_QUERY,
  lists: LISTED_MESSAGE_VIEW,
  shows: HL7_EXAMPLES.inbound,
  async run({ messages, names }, query) {
    return namedMessages(
      names,
      query.direction === 'in' ? await messages.listInbound(query) : await messages.listOutbound(query),
    );
  },
  trail: 'none',
});

const listCommand = command({
  usage: `hl7 messages [--out] ${SEARCH_USAGE} [--limit 1-${LARGEST_PAGE}] [--after ID]`,
  summary:
    'What came in, or with --out what goes out, newest first, why it is not done, and what became of photos that were named by their address; --patient and --order are numbers as the message has them, --error words of what is wrong. --after goes on behind the last row of the list before.',
  prepare(values) {
    const search = { ...searchOf(values), ...given(values, { limit: 'limit', after: 'after' }) };
    if (values['out'] === true) {
      const query = check(OUTBOUND_QUERY, search);
      return async ({ messages }) => describeOutbound(await messages.listOutbound(query));
    }
    const query = check(INBOUND_QUERY, search);
    return async ({ messages }) => describeInbound(await messages.listInbound(query));
  },
});

const parkedCommand = command({
  usage: 'hl7 parked [--org ID --env test|live] [--destination ID] [--limit N]',
  summary:
    'Messages that a receiver refused, and that wait for a person: whose, of which order, and the receiver’s words. Each is written into the audit trail.',
  prepare(values) {
    const parked = { direction: 'out', state: 'parked', ...given(values, { limit: 'limit' }) };
    const query = check(OUTBOUND_QUERY, { ...searchOf(values), ...parked });
    return async ({ messages, operator }) => describeParked(await messages.listParked(operator, query));
  },
});

const show = action({
  name: 'readHl7Message',
  route: 'GET /hl7/messages/:messageId',
  does: 'One message with what went over the line; written into the audit trail',
  who: 'integrator',
  answers: SHOWN_MESSAGE_VIEW,
  shows: HL7_EXAMPLES.message,
  refusals: ['hl7.message_not_found', 'hl7.sealed'],
  run: async ({ messages, names, operator }, { messageId }) =>
    namedMessage(names, await messages.show(operator, messageId)),
  trail: 'by itself',
  command: {
    usage: 'hl7 show --id ID',
    says: 'One message, in or out, with what went over the line. It is written into the audit trail.',
    prints: describeMessage,
  },
});

const exportPage = action({
  name: 'exportHl7Messages',
  route: 'GET /hl7/export',
  does: 'Messages as they went over the line, newest first, at most 100 and 8 MiB at once: go on with after until a page is empty; each is written into the audit trail',
  who: { role: 'integrator', of: IN_QUERY },
  query: EXPORT_QUERY,
  lists: EXPORTED_MESSAGE,
  shows: HL7_EXAMPLES.exported,
  run: ({ messages, operator }, query) => messages.exportPage(operator, query),
  trail: 'by itself',
});

const exportCommand = command({
  usage: `hl7 export --into FOLDER [--out] ${SEARCH_USAGE} [--limit N]`,
  summary:
    'Write the messages that a search finds into a folder, a file each as it went over the line. Each is written into the audit trail.',
  prepare(values) {
    const folder = required(values, 'into');
    const most = optional(values, 'limit') ?? '1000';
    if (!/^[1-9]\d{0,6}$/.test(most)) throw new CliMisuse('--limit must be a number from 1 on.');
    const query = check(values['out'] === true ? OUTBOUND_EXPORT : INBOUND_EXPORT, searchOf(values));
    return async ({ messages, operator }) => {
      const pages = (page: typeof query) => messages.exportPage(operator, page);
      return describeExport(await exportInto(folder, pages, query, Number(most)), folder);
    };
  },
});

/** What came in over HL7 v2, and what goes out. MessageOperations records each message that is looked at. */
export const MESSAGE_SEARCH_ACTIONS = group('Hl7SearchController', [
  list,
  listCommand,
  parkedCommand,
  show,
  exportPage,
  exportCommand,
]);
