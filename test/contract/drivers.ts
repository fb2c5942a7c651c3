import { request } from 'undici';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { createOpenBudget } from '../support/mock-service.ts';
import type { Side } from './expectation.ts';
import {
  operations,
  pathParameters,
  type Arguments,
  type Operation,
  type OperationName,
  type TypedArguments,
} from './operations.ts';
import { nowMs, type ServiceFixture } from './service-fixture.ts';

/** A way to call the service. */
interface Driver {
  name: string;
  /** The side of an expectation that the driver sees. */
  side: Side;
  call: (fixture: ServiceFixture, operation: OperationName, given: Arguments) => Promise<Outcome>;
}

interface Outcome {
  /** The value to compare with the driver's side of an expectation. */
  seen: object;
  /** The id that the call returned, or an empty string. */
  id: string;
}

/** A plain HTTP client, written after the specification. */
export const rawHttp: Driver = {
  name: 'raw HTTP',
  side: 'wire',
  async call({ service, apiKey, dispatcher }, name, given) {
    const operation = operations[name];
    const form = formOf(operation, given);
    const answer = await request(`${service.url}/api${pathOf(operation, given)}`, {
      method: operation.method,
      dispatcher,
      headers: {
        ...(apiKey !== '' && { 'x-api-key': apiKey }),
        ...(form !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form === '' ? null : form,
    });
    const contentType = String(answer.headers['content-type']);
    const text = await answer.body.text();
    const body: unknown = contentType.startsWith('application/json') ? JSON.parse(text) : text;
    const { 'retry-after': retryAfter, 'content-disposition': disposition } = answer.headers;
    return {
      seen: {
        status: answer.statusCode,
        contentType,
        body,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(disposition !== undefined && { disposition }),
      },
      id: idIn(body),
    };
  },
};

/** The typed client, without request limits and without waits between retries. */
export const throughClient: Driver = {
  name: 'the client',
  side: 'typed',
  async call({ service, apiKey, dispatcher }, name, given) {
    const api = createQuizApi({
      baseUrl: service.url,
      apiKey,
      dispatcher,
      budget: createOpenBudget(),
      now: () => nowMs,
      sleep: async () => {},
    });
    try {
      // Some cases pass values that the types forbid.
      const result = await operations[name].run(api, given as unknown as TypedArguments);
      return { seen: { result }, id: typeof result === 'string' ? result : '' };
    } catch (error) {
      return { seen: { error }, id: '' };
    }
  },
};

function pathOf({ path }: Operation, given: Arguments): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
}

function formOf(operation: Operation, given: Arguments): string {
  const inPath = pathParameters(operation);
  const fields = Object.entries(given).filter(([name]) => !inPath.includes(name));
  return new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
}

function idIn(body: unknown): string {
  const { quiz_id, user_id } = { quiz_id: '', user_id: '', ...(body as object) };
  return quiz_id || user_id;
}
