import { createServer } from 'node:http';

/** A receiver that answers 204 and counts; `onRequest` is called with each id, in the order of arrival. */
export async function startWebhookReceiver() {
  const receiver = { count: 0, onRequest: () => undefined };
  const server = createServer((request, reply) => {
    request.resume();
    request.once('end', () => {
      receiver.count += 1;
      receiver.onRequest();
      reply.writeHead(204).end();
    });
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  receiver.url = `http://127.0.0.1:${server.address().port}/events`;
  receiver.close = () => server.closeAllConnections() ?? server.close();
  return receiver;
}
