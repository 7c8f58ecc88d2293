import { Agent, request as httpRequest } from 'node:http';
import autocannon from 'autocannon';

const WARM_UP_S = 2;

/**
 * Full load on one address for `secs`, after a discarded warm-up. Any answer outside 2xx fails the bench.
 * `requests` are autocannon's, sent in turn. Answers the rate, latencies and how many 2xx were counted in all, warm-up included.
 */
export async function loadHttp({ url, connections, secs, requests }) {
  const warm = await fire(url, connections, Math.min(WARM_UP_S, secs), requests);
  const run = await fire(url, connections, secs, requests);
  for (const result of [warm, run]) {
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(
        `${url}: ${result.non2xx} answers outside 2xx (${JSON.stringify(result.statusCodeStats)}), ${result.errors} errors`,
      );
  }
  return {
    perSecond: run['2xx'] / run.duration,
    p50: run.latency.p50,
    p99: run.latency.p99,
    answered: warm['2xx'] + run['2xx'],
  };
}

function fire(url, connections, secs, requests) {
  return autocannon({ url, connections, duration: secs, requests, timeout: 30 });
}

/**
 * The exact duration of each of many requests, a few at a time and at most `perSecond` together, in milliseconds.
 * `next` answers the options of the next request: { path, method?, headers?, body? }.
 */
export async function timeRequests({ url, lanes, secs, perSecond = Number.POSITIVE_INFINITY, next }) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const durationsMs = [];
  const end = performance.now() + secs * 1000;
  const paceMs = (lanes / perSecond) * 1000;
  const lane = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      await exchange({ hostname, port, agent, ...next() });
      const tookMs = performance.now() - began;
      durationsMs.push(tookMs);
      if (paceMs > tookMs) await new Promise((waited) => setTimeout(waited, paceMs - tookMs));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  agent.destroy();
  return durationsMs;
}

function exchange({ body, ...options }) {
  return new Promise((answered, failed) => {
    const sent = httpRequest(options, (answer) => {
      answer.resume();
      answer.once('end', () =>
        answer.statusCode < 300 ? answered() : failed(new Error(`${options.path}: ${answer.statusCode}`)),
      );
    });
    sent.once('error', failed);
    sent.end(body);
  });
}
