import { createServer } from 'node:http';
import fc from 'fast-check';
import { QuizApiError } from '../../src/quiz-api/errors.ts';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { cases } from '../contract/cases.ts';
import { rawHttp } from '../contract/drivers.ts';
import { operations, type OperationName, type TypedArguments } from '../contract/operations.ts';
import { createServiceFixtures } from '../contract/service-fixture.ts';
import { collectGarbage } from '../support/measurements.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { createOpenBudget } from '../support/mock-service.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { fuzz, type FuzzOptions, type FuzzRow } from './run.ts';

interface Answer {
  operation: OperationName;
  status: number;
  contentType: string;
  body: unknown;
}

/** The responses of every case of the contract, successes and refusals. */
async function answerSamples(): Promise<Answer[]> {
  const fixtures = await createServiceFixtures();
  const answers: Answer[] = [];
  for (const { operation, given, fault } of cases) {
    const fixture = await fixtures.open(fault);
    const { seen } = await rawHttp.call(fixture, operation, given(fixtures.sample, ''));
    answers.push({ operation, ...(seen as Omit<Answer, 'operation'>) });
    await fixture.close();
  }
  fixtures.remove();
  return answers;
}

const page = '<!DOCTYPE html><html><head><title>Please wait</title></head><body>…</body></html>';

/** Errors below the level of the content. */
const framing = fc.oneof(
  { weight: 20, arbitrary: fc.constant('whole' as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'cut in the head',
      'cut in the body',
      'longer than declared',
      'in pieces',
      'declared as gzip',
    ),
  },
);

const given = {
  quiz_id: 'q-1',
  response_id: 'r-1',
  file_id: 'f-1',
  user_id: 'u-1',
  group_id: 'g-1',
  name: 'A',
  status: 'open',
  user_name: 'ann',
  password: 'secret',
  user_type: 'respondent',
  email_address: 'ann@quiz.example',
  first_name: 'Ann',
  last_name: 'Bell',
} as TypedArguments;

/** Sends mutated responses to the client over HTTP. Each call must return a valid value or throw an error of the client. */
export async function fuzzService(options: FuzzOptions): Promise<FuzzRow> {
  const samples = await answerSamples();
  const replies = new Map<string, Reply>();
  const server = createServer((request, response) => {
    const name = String(request.headers['x-api-key']);
    const reply = replies.get(name);
    if (reply === undefined) return void response.writeHead(500).end();
    const { status, headers, body, frame } = reply;
    if (frame === 'cut in the head') return void request.socket.end('HTTP/1.1 2');
    const length = { 'longer than declared': Math.floor(body.length / 2), 'cut in the body': body.length + 10 }[frame];
    response.strictContentLength = false;
    response.writeHead(status, {
      ...headers,
      ...(length !== undefined && { 'content-length': String(length) }),
      ...(frame === 'declared as gzip' && { 'content-encoding': 'gzip' }),
    });
    if (frame === 'in pieces') for (let at = 0; at < body.length; at += 7) response.write(body.subarray(at, at + 7));
    else response.write(body);
    if (frame === 'cut in the body') response.destroy();
    else response.end();
  });
  server.keepAliveTimeout = 65_000;
  const baseUrl = await listenOnLoopback(server);
  // Each concurrent call has its own client, whose key selects the response.
  const idle = Array.from({ length: 50 }, (_, index) => {
    const apiKey = `key-${index}`;
    return {
      apiKey,
      api: createQuizApi({
        baseUrl,
        apiKey,
        budget: createOpenBudget(),
        timeoutMs: 2_000,
        sleep: async () => {},
        random: () => 0,
      }),
    };
  });

  const values = fc.record({
    sample: fc.nat(samples.length - 1).chain((index) => {
      const { body, ...rest } = samples[index]!;
      const bodies =
        typeof body === 'string' ? fc.constant(body) : mutatedValue([body]).map((value) => JSON.stringify(value) ?? '');
      return mutatedText(
        fc.oneof(
          { weight: 15, arbitrary: bodies },
          { weight: 1, arbitrary: fc.constantFrom(page, '', 'null', '\ufeff[]', '[', '0') },
        ),
      ).map((text) => ({ ...rest, text }));
    }),
    status: fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 3, arbitrary: fc.constant(200) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(201, 204, 301, 302, 304, 400, 401, 403, 404, 418, 422, 429, 500, 502, 503, 599),
      },
    ),
    retryAfter: fc.constantFrom(undefined, '0', '1', '-5', '1e9', 'soon', 'Fri, 01 Jan 2027 00:00:00 GMT', ''),
    frame: framing,
  });

  async function tryValue({
    sample,
    status,
    retryAfter,
    frame,
  }: typeof values extends fc.Arbitrary<infer One> ? One : never): Promise<string> {
    const client = idle.pop()!;
    const headers = {
      'content-type': sample.contentType,
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    };
    replies.set(client.apiKey, { status: status ?? sample.status, headers, body: Buffer.from(sample.text), frame });
    try {
      await operations[sample.operation].run(client.api, given);
      return 'a value';
    } catch (error) {
      if (!(error instanceof QuizApiError))
        throw new Error(
          `${sample.operation}: ${String(error)} for ${status ?? sample.status} ${frame} ${sample.text.slice(0, 1_000)}`,
          { cause: error },
        );
      if (error.message.includes(client.apiKey))
        throw new Error(`${sample.operation} reveals the key: ${error.message}`, { cause: error });
      return error.name;
    } finally {
      idle.push(client);
    }
  }

  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  process.on('unhandledRejection', onFault);
  try {
    const row = await fuzz('answers of the service', options, values, tryValue, memory);
    if (faults.length > 0) throw new Error(`uncaught: ${String(faults[0])}`, { cause: faults[0] });
    return row;
  } finally {
    process.off('unhandledRejection', onFault);
    await Promise.all(idle.map(({ api }) => api.close()));
    server.closeAllConnections();
    server.close();
  }
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  frame: string;
}

/** The memory of this process, which runs the client, in MiB. */
async function memory(): Promise<number> {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 ** 2;
}
