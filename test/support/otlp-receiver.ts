import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from './loopback.ts';

/** A span in the JSON of OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Delivery {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: ReceivedSpan[] }[];
  }[];
}

/** Starts a receiver of traces over OTLP/HTTP. */
export async function startOtlpReceiver(): Promise<{
  url: string;
  spans: ReceivedSpan[];
  services: Set<string | undefined>;
  paths: Set<string | undefined>;
  /** The values of the header `api-key`. */
  keys: Set<string | string[] | undefined>;
}> {
  const spans: ReceivedSpan[] = [];
  const services = new Set<string | undefined>();
  const paths = new Set<string | undefined>();
  const keys = new Set<string | string[] | undefined>();
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    paths.add(request.url);
    keys.add(request.headers['api-key']);
    for (const { resource, scopeSpans } of ((await json(request)) as Delivery).resourceSpans) {
      services.add(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
  const server = createServer((request, response) => void take(request, response));
  onTestFinished(() => void server.close());
  return { url: await listenOnLoopback(server), spans, services, paths, keys };
}
