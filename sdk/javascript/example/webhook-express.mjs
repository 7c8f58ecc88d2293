// Receives webhooks with Express 5: WEBHOOK_SECRET=whsec_… node webhook-express.mjs
import express from 'express';
import { verifyWebhook, WebhookVerificationError } from '@sutura/sdk';

const app = express();
// For a trial: a service keeps the event under its webhook-id in a table, in one transaction with its work.
const seen = new Set();

// express.raw, and before any express.json(): the signature is over the bytes as they came.
app.post('/sutura', express.raw({ type: 'application/json', limit: '1mb' }), async (request, response) => {
  let event;
  try {
    event = await verifyWebhook(request.body, request.headers, process.env.WEBHOOK_SECRET);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.warn(error.message);
    return response.sendStatus(400);
  }
  response.sendStatus(204);
  const id = request.headers['webhook-id'];
  if (seen.has(id)) return;
  seen.add(id);
  if (event?.type === 'report.ready') console.log(event.data.reportId, event.data.areaCm2?.value);
});

const server = app.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () =>
  console.log(`Listening on http://127.0.0.1:${server.address().port}/sutura`),
);
