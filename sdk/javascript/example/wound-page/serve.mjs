// A page that shows a wound of a running gateway: SUTURA_API_KEY=… SUTURA_URL=… SUTURA_REPORT=… ORIGIN=https://… node serve.mjs
// The key stays in this server; the page gets a link that opens once. ORIGIN is one that the organization allowed.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createRequire } from 'node:module';
import { SuturaClient } from '@sutura/sdk';

const { SUTURA_API_KEY, SUTURA_URL, SUTURA_REPORT, ORIGIN, PORT = '8080', CERT, KEY } = process.env;
const client = new SuturaClient({ apiKey: SUTURA_API_KEY, baseUrl: SUTURA_URL });
const here = (name) => new URL(name, import.meta.url);
const require = createRequire(import.meta.url);
const FILES = {
  '/': [here('index.html'), 'text/html; charset=utf-8'],
  '/page.mjs': [here('page.mjs'), 'text/javascript; charset=utf-8'],
  '/element.mjs': [require.resolve('@sutura/sdk/element'), 'text/javascript; charset=utf-8'],
};
/** Nothing inside the page runs or styles it, and no frame but the gateway's is shown. */
const POLICY = `default-src 'self'; frame-src ${new URL(SUTURA_URL).origin}; frame-ancestors 'none'`;

async function answer(request, response) {
  if (request.method === 'POST' && request.url === '/link') {
    // Here your server checks who is logged in, and whether they may see this wound.
    const options = { mode: 'read', of: 'wound', minutes: 10, frameOrigin: ORIGIN };
    const { url } = await client.createReviewLink(SUTURA_REPORT, options);
    return response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify({ url }));
  }
  const file = FILES[request.url];
  if (file === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': file[1], 'content-security-policy': POLICY }).end(await readFile(file[0]));
}

const listener = (request, response) =>
  answer(request, response).catch((error) => {
    console.error(error.message);
    response.writeHead(502).end();
  });
const server =
  CERT === undefined
    ? createServer(listener)
    : createSecureServer({ cert: await readFile(CERT), key: await readFile(KEY) }, listener);
server.listen(Number(PORT), '127.0.0.1', () => console.log(`${ORIGIN} on port ${server.address().port}`));
