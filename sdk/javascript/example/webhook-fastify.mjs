// Receives webhooks with Fastify 5: WEBHOOK_SECRET=whsec_… node webhook-fastify.mjs
import Fastify from 'fastify';
import { verifyWebhook, WebhookVerificationError } from '@sutura/sdk';

const app = Fastify({ logger: true });
// For a trial: a service keeps the event under its webhook-id in a table, in one transaction with its work.
const seen = new Set();

// In a scope of its own, so that other routes go on to get parsed JSON; here the signature is over the bytes as they came.
app.register(async (scope) => {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  scope.post('/sutura', async (request, reply) => {
    let event;
    try {
      event = await verifyWebhook(request.body, request.headers, process.env.WEBHOOK_SECRET);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      request.log.warn(error.message);
      return reply.code(400).send();
    }
    const id = request.headers['webhook-id'];
    if (!seen.has(id) && event?.type === 'report.ready') console.log(event.data.reportId, event.data.areaCm2?.value);
    seen.add(id);
    return reply.code(204).send();
  });
});

await app.listen({ port: Number(process.env.PORT ?? 8080) });
