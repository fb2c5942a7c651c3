import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, onTestFinished } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { runBot } from '../support/bot-process.ts';
import { sendEvent } from '../support/event.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import { startOtherQuizService, startOtherSlack } from '../support/other-programs.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { eventually } from '../support/watchdog.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnLoopback } from '../support/loopback.ts';

const { erin } = people;

/** The span names from the root of the trace to the span. */
function pathTo(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string[] {
  const parent = spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId);
  return [...(parent ? pathTo(parent, spans) : []), span.name];
}

test('commands, webhooks and their messages become traces with the correct parents, and log lines have their trace ids', async () => {
  const receiver = await startOtlpReceiver();
  const testBed = await startTestBed({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20traces' },
  });
  await (await testBed.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await sendEvent(testBed.url);
  await testBed.workspace.until(() => testBed.workspace.messages(testBed.workspace.channels.results.id).length === 1);

  await eventually(() => {
    const paths = receiver.spans.map((span) => pathTo(span, receiver.spans).join(' > '));
    expect(paths).toEqual(
      expect.arrayContaining([
        'slack command',
        'slack command > operation close-quiz',
        'slack command > operation close-quiz > slack users.info',
        'slack command > operation close-quiz > quiz quizzes.update',
        'slack command > slack response_url',
        'POST /webhooks/quiz',
        'queue channel > slack chat.postMessage',
      ]),
    );
  });

  expect(receiver.services).toEqual(new Set(['invigilator']));
  expect(receiver.paths).toEqual(new Set(['/v1/traces']));
  expect(receiver.keys).toEqual(new Set(['of traces']));
  const command = receiver.spans.find(({ name }) => name === 'slack command')!;
  const audit = testBed.lines
    .map((line) => JSON.parse(line))
    .find(({ msg, from }) => msg === 'audit' && from === 'command');
  expect(audit.trace_id).toBe(command.traceId);
  expect(command.attributes).toContainEqual({
    key: 'invigilator.reference',
    value: { stringValue: audit.correlationId },
  });
  expect(JSON.stringify(receiver.spans)).not.toMatch(/workplace|erin|@|xoxb|hooks\./i);
});

test('a failed call becomes a failed span without the text of the error', async () => {
  const receiver = await startOtlpReceiver();
  const testBed = await startTestBed({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`, QUIZ_API_KEY: 'of-another-account' },
  });
  expect(textOf(await (await testBed.workspace.as(erin.id).command('/quiz list')).reply())).toContain('API key');
  await eventually(() => {
    const failed = receiver.spans.filter(({ name, status }) => name.startsWith('quiz ') && status.code === 2);
    expect(failed.length).toBeGreaterThan(0);
    expect(JSON.stringify(failed)).toMatch(/"http\.response\.status_code","value":\{"intValue":403\}/);
  });
});

test('an unreachable receiver is logged once and affects nothing else', async () => {
  const testBed = await startTestBed({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
    timeouts: { traces: 100 },
  });
  expect(textOf(await (await testBed.workspace.as(erin.id).command('/quiz list')).reply())).toContain('quiz');
  await expect.poll(() => testBed.lines.filter((line) => line.includes('traces could not be sent'))).toHaveLength(1);
});

/** A module that writes the URL of every module that the process loads to a file. A full pipe would refuse a synchronous write. */
const writesLoadsTo = (file: string) =>
  `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { appendFileSync } from 'node:fs';
  registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(file)}, url + String.fromCharCode(10)); return next(url, context); } });
`)}`;

/** The OpenTelemetry modules that a bot loads, except the API, which prom-client always loads. */
async function loadedOfOpenTelemetry(env: Record<string, string>): Promise<string[]> {
  const [slack, quiz] = [await startOtherSlack(), await startOtherQuizService()];
  const file = join(temporaryDirectory(), 'loads');
  const bot = runBot({
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 'signing',
    SLACK_API_URL: `${slack.url}/api/`,
    QUIZ_API_URL: quiz.url,
    QUIZ_API_KEY: 'key',
    DATA_DIR: temporaryDirectory(),
    NODE_OPTIONS: `--import=${writesLoadsTo(file)}`,
    ...env,
  });
  await bot.up;
  bot.kill('SIGTERM');
  expect(await bot.exit).toBe(0);
  const loads = readFileSync(file, 'utf8').split('\n');
  expect(loads.length).toBeGreaterThan(100);
  return loads.filter((line) => /\/@opentelemetry\/(?!api\/)|otlp/.test(line));
}

test('without an endpoint, the bot loads no tracing module', async () => {
  expect(await loadedOfOpenTelemetry({})).toEqual([]);
});

test('with an endpoint, the bot loads the exporter', async () => {
  expect((await loadedOfOpenTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).join('\n')).toContain(
    'exporter-trace-otlp-http',
  );
});

/** A span in the JSON of OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
interface ReceivedSpan {
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
async function startOtlpReceiver(): Promise<{
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
