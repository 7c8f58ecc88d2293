import { DemoFailure } from '../demo-gateway.mjs';

const PATIENCE_MS = 60_000;

/** Decides on a report over REST, as a system that has a desk of its own; the new version. `gateway`: its `url`, and the `key` of a caller. */
export async function decideOverRest({ url, key }, reportId, decision, reviewer) {
  const path = `${url}/api/v1/reports/${reportId}`;
  const authorization = `Bearer ${key}`;
  const report = await fetch(path, { headers: { authorization }, signal: AbortSignal.timeout(PATIENCE_MS) });
  const answer = await fetch(`${path}/reviews`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'if-match': report.headers.get('etag') ?? '' },
    body: JSON.stringify({ ...decision, reviewer }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  throw new DemoFailure(`The gateway refused the decision with ${answer.status}: ${text.slice(0, 300)}`);
}
