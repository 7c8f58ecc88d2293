import type { NotificationListener } from '../../src/platform/database/notification-listener.js';
import { eventually } from './eventually.js';

/** Until PostgreSQL has heard of the channel: what is notified before that is lost, as the listener's page says. */
export async function untilListening(listener: NotificationListener, channel: string): Promise<void> {
  await eventually(`the listener of ${channel}`, async () => {
    const channels = await listener.read<{ channel: string }>('select pg_listening_channels() as channel');
    return channels?.some((one) => one.channel === channel);
  });
}
