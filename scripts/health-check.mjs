// Ends with 0 if the service of this container is ready, for runtimes that start a program instead of asking over HTTP.
const PATIENCE_MS = 4000;
const port = process.env.PORT || '3000';

try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
