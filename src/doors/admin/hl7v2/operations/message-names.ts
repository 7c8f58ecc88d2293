import type { NameDirectory, Names } from '../../../../core/organizations/name-directory.js';
import type { InboundView, ListedMessageView, MessageView, OutboundView, ShownMessageView } from './hl7.views.js';

type Listed = InboundView | OutboundView;

/** With the names of organization, listener or destination, and key; in one look, however many messages there are. */
export async function namedMessages(
  directory: NameDirectory,
  messages: readonly Listed[],
): Promise<ListedMessageView[]> {
  const names = await directory.namesOf(messages.flatMap(idsOf));
  return messages.map((message) =>
    message.direction === 'in'
      ? { ...message, ...namesOfInbound(message, names) }
      : { ...message, ...namesOfOutbound(message, names) },
  );
}

/** As `namedMessages`, of one that is shown whole. */
export async function namedMessage(directory: NameDirectory, message: MessageView): Promise<ShownMessageView> {
  const names = await directory.namesOf(idsOf(message));
  return message.direction === 'in'
    ? { ...message, ...namesOfInbound(message, names) }
    : { ...message, ...namesOfOutbound(message, names) };
}

function idsOf(message: Listed): string[] {
  const { organizationId } = message;
  return message.direction === 'in'
    ? [organizationId, message.sourceId, message.keyId]
    : [organizationId, message.destinationId];
}

function namesOfInbound({ organizationId, sourceId, keyId }: InboundView, names: Names) {
  return {
    organizationName: names.organization(organizationId),
    sourceName: names.nameOf(sourceId, organizationId),
    keyName: names.nameOf(keyId, organizationId),
  };
}

function namesOfOutbound({ organizationId, destinationId }: OutboundView, names: Names) {
  return {
    organizationName: names.organization(organizationId),
    destinationName: names.nameOf(destinationId, organizationId),
  };
}
