import { ROOT_CONTEXT, SpanKind as Kind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { withTimeout } from '../time/clock.ts';
import type { Span, SpanKind, SpanOptions, Tracing } from './tracing.ts';

const kinds: Record<SpanKind, Kind> = { internal: Kind.INTERNAL, server: Kind.SERVER, client: Kind.CLIENT };

/** How long a stop waits for the receiver. */
const stopTimeoutMs = 2_000;

/** Sends spans in batches to `<endpoint>/v1/traces`, as JSON. Spans that the receiver does not take are dropped. */
export function createOtlpTracing(options: {
  endpoint: string;
  /** Sent with each batch, such as the key of the receiver. */
  headers?: Readonly<Record<string, string>>;
  /** The proxy that leads to the endpoint; undefined: none. */
  proxy: string | undefined;
  version: string;
  timeoutMs: number;
  onError: (error: unknown) => void;
}): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...options.headers },
    timeoutMillis: options.timeoutMs,
    // The exporter takes agents of Node only.
    httpAgentOptions: { proxyEnv: { HTTPS_PROXY: options.proxy, HTTP_PROXY: options.proxy } },
  });
  const provider = new TracerProvider({
    // Later ones win: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES replace the bot's own name.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'invigilator', 'service.version': options.version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reporting(exporter, options.onError), scheduledDelayMillis: 1_000 }),
    ],
  });
  const tracer = provider.getTracer('invigilator', options.version);

  return {
    isOn: true,
    open({ name, kind = 'internal', attributes = {}, startedAt, parent }: SpanOptions): Span {
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: 1 }) : ROOT_CONTEXT;
      const opened = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, ...(startedAt !== undefined && { startTime: startedAt }) },
        context,
      );
      const { traceId, spanId } = opened.spanContext();
      return {
        traceId,
        spanId,
        end(failure, more = {}) {
          opened.setAttributes(more);
          // The message of an error may contain names or addresses; its class does not.
          if (failure !== undefined)
            opened.setStatus({
              code: SpanStatusCode.ERROR,
              message: failure instanceof Error ? failure.name : 'failed',
            });
          opened.end();
        },
      };
    },
    async stop() {
      await withTimeout(stopTimeoutMs, provider.shutdown()).catch(options.onError);
    },
  };
}

/** Reports the first of several failures in a row. The SDK reports none, and one a second would flood the log. */
function reporting(exporter: SpanExporter, onError: (error: unknown) => void): SpanExporter {
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
