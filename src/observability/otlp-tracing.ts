import { ROOT_CONTEXT, SpanKind as Kind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, resourceAttributesEnvDetector, resourceFromAttributes, serviceNameEnvDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { withTimeout } from '../time/with-timeout.ts';
import type { Span, SpanKind, SpanOptions, Tracing } from './tracing.ts';

const kinds: Record<SpanKind, Kind> = { internal: Kind.INTERNAL, server: Kind.SERVER, client: Kind.CLIENT };

/** A stop waits this long for the receiver. */
const stopTimeoutMs = 2_000;

/** Spans go in batches to `<endpoint>/v1/traces`, as JSON; what the receiver does not take is dropped. */
export function createOtlpTracing(options: { endpoint: string; version: string; timeoutMs: number; onError: (error: unknown) => void }): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: options.timeoutMs });
  const provider = new TracerProvider({
    // The last one counts: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES over the bot's own name.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'invigilator', 'service.version': options.version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: telling(exporter, options.onError), scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer('invigilator', options.version);

  return {
    open({ name, kind = 'internal', attributes = {}, startedAt, parent }: SpanOptions): Span {
      const around = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: 1 }) : ROOT_CONTEXT;
      const opened = tracer.startSpan(name, { kind: kinds[kind], attributes, ...(startedAt !== undefined && { startTime: startedAt }) }, around);
      const { traceId, spanId } = opened.spanContext();
      return {
        traceId,
        spanId,
        end(failure, more = {}) {
          opened.setAttributes(more);
          // The message of an error may hold names or addresses: its kind has to do.
          if (failure !== undefined) opened.setStatus({ code: SpanStatusCode.ERROR, message: failure instanceof Error ? failure.name : 'failed' });
          opened.end();
        },
      };
    },
    async stop() {
      await withTimeout(stopTimeoutMs, provider.shutdown()).catch(options.onError);
    },
  };
}

/** Tells of the first failure in a row: the SDK keeps silent, and one a second would drown everything else. */
function telling(exporter: SpanExporter, onError: (error: unknown) => void): SpanExporter {
  let isFailing = false;
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isFailing) onError(result.error);
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
