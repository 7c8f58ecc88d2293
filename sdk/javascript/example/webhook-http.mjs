// Receives webhooks with Node.js alone: WEBHOOK_SECRET=whsec_… node webhook-http.mjs
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError } from '@sutura/sdk';

// For a trial: a service keeps the event under its webhook-id in a table, in one transaction with its work.
const seen = new Set();

const server = createServer(async (request, response) => {
  const answer = (status) => response.writeHead(status).end();
  if (request.method !== 'POST' || request.url !== '/sutura') return answer(404);
  try {
    const event = await verifyWebhook(await buffer(request), request.headers, process.env.WEBHOOK_SECRET);
    const id = request.headers['webhook-id'];
    answer(204);
    if (seen.has(id)) return;
    seen.add(id);
    if (event?.type === 'report.ready') console.log(event.data.reportId, event.data.areaCm2?.value);
  } catch (error) {
    answer(error instanceof WebhookVerificationError ? 400 : 500);
    console.error(error.message);
  }
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () =>
  console.log(`Listening on http://127.0.0.1:${server.address().port}/sutura`),
);
