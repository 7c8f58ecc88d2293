import { context, diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace-base';
import type { Settings } from '../config/settings.js';
import type { Logger } from '../logging/logger.js';
import { sampleAnalysesBy, traceIds } from './analysis-trace.js';

/** Spans that a stop still waits for. */
const STOP_LIMIT_MS = 2000;
/** Logs an unavailable collector once, not for each batch. */
const COMPLAINT_EVERY_MS = 60_000;

type Sdk = typeof import('@opentelemetry/sdk-trace-base');

/** Sends the spans that are left, for a stop. */
export type StopTracing = () => Promise<void>;

/**
 * Sends spans to an OpenTelemetry collector (OTLP over HTTP, JSON), if one is set; else reads nothing of the SDK. A collector that is slow or away
 * costs spans, never a request: what does not fit into the buffer of 2,048 is dropped. The exporter's own variables (headers, certificates,
 * compression, time-out) are OpenTelemetry's, OTEL_EXPORTER_OTLP_….
 */
export async function startTracing({ tracing, process: { roles } }: Settings, logger: Logger): Promise<StopTracing> {
  if (tracing.endpoint === undefined) return () => Promise.resolve();
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { resourceFromAttributes }, exporter] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
      import('./allowed-exporter.js'),
    ]);
  complainTo(logger);
  const root = rootSampler(sdk, tracing);
  sampleAnalysesBy(
    (traceId) =>
      root.shouldSample(ROOT_CONTEXT, traceId, 'analysis', SpanKind.INTERNAL, {}, []).decision ===
      sdk.SamplingDecision.RECORD_AND_SAMPLED,
  );
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': tracing.serviceName, 'sutura.roles': roles.join(',') }),
    sampler: new sdk.ParentBasedSampler({ root }),
    idGenerator: traceIds,
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.AllowedExporter(new OTLPTraceExporter()))],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  logger.info('tracing.started', { sampledShare: tracing.sampledShare });
  return async () => {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS).unref());
    await Promise.race([provider.shutdown().catch(() => undefined), limit]);
  };
}

/** A trace is recorded as a whole or not at all, by its id; a caller that says whether its own is recorded is followed. */
function rootSampler(sdk: Sdk, { sampledShare }: Settings['tracing']): Sampler {
  return sampledShare >= 1 ? new sdk.AlwaysOnSampler() : new sdk.TraceIdRatioBasedSampler(sampledShare);
}

function complainTo(logger: Logger): void {
  let complainedAt = -Infinity;
  const complain = (): void => {
    if (performance.now() - complainedAt < COMPLAINT_EVERY_MS) return;
    complainedAt = performance.now();
    // What the exporter says may hold what the collector answered.
    logger.warn('tracing.collector_unreachable');
  };
  const ignore = (): void => undefined;
  diag.setLogger({ error: complain, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
}
