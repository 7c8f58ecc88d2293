// Ends with 0 if the service of this container is ready, for runtimes that start a program instead of asking over HTTP.
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';

const PATIENCE_MS = 4000;
const port = process.env.PORT || '3000';
const hasTls = (process.env.TLS_CERT_FILE ?? '') !== '';

const [get, scheme] = hasTls ? [getHttps, 'https'] : [getHttp, 'http'];
// Within the container: the certificate is for the name that callers use, not for this address.
const options = { signal: AbortSignal.timeout(PATIENCE_MS), rejectUnauthorized: false };
get(`${scheme}://127.0.0.1:${port}/health/ready`, options, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
}).on('error', () => process.exit(1));
