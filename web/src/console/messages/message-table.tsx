import { LongTable, type Column } from '../shared/long-table.js';
import type { Message } from '../shared/answers.js';
import { StateTag } from '../shared/tag.js';
import { moment } from '../shared/zone.js';

const COLUMNS: readonly Column<Message>[] = [
  { title: 'When', width: '190px', cell: (message) => moment(timeOf(message)) },
  { title: 'State', width: '120px', cell: ({ state }) => <StateTag state={state} /> },
  { title: 'What', width: '150px', cell: (message) => whatOf(message) },
  { title: 'From or to', width: '170px', cell: (message) => peerOf(message) ?? 'removed' },
  { title: 'MSH-10', width: '190px', cell: ({ controlId }) => <span className="mono">{controlId}</span> },
  { title: 'Why it stands as it does', width: 'minmax(220px, 1fr)', cell: ({ reason }) => reason?.text ?? '' },
];

/** Messages, newest first; a row leads to the message. */
export function MessageTable({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <LongTable
      label="Messages"
      columns={COLUMNS}
      rows={messages}
      keyOf={({ id }) => id}
      nameOf={(message) => `${whatOf(message)} ${message.controlId}`}
      hrefOf={({ id }) => `/messages/${id}`}
    />
  );
}

export const timeOf = (message: Message): string =>
  message.direction === 'in' ? message.receivedAt : message.createdAt;

/** The listener that it came by, or the destination that it goes to; null: nothing has its id any more. */
export const peerOf = (message: Message): string | null =>
  message.direction === 'in' ? (message.sourceName ?? message.keyName) : message.destinationName;

export function whatOf(message: Message): string {
  if (message.direction === 'in') return message.messageType;
  return message.kind === 'result' ? `result, version ${message.version}` : 'acknowledgment';
}
