import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import type { Dispatcher } from 'undici';
import { sleep } from '../../time/clock.ts';
import { parseJson, withoutByteOrderMark, type AnswerBody } from '../answers.ts';
import { createRequestBudget } from '../budget/request-budget.ts';
import { fillPath } from '../calls.ts';
import { isObject } from '../fields.ts';
import type { ListPage } from '../list-answer.ts';
import { parseBaseUrl } from '../quiz-api.ts';
import { createReadList } from '../read-list.ts';
import { createTransport, type Transport } from '../transport.ts';
import { createUnreadableRecords } from '../unreadable-records.ts';

export interface TrialService {
  baseUrl: string;
  apiKey: string;
  timeZone: string;
  userAgent: string;
}

/** A list as the service sends it, of which a trial reads a few pages. */
export interface RawList {
  records: unknown[];
  /** How the list comes, where it is no plain array. */
  forms: string[];
}

/** Reads answers of the service without a schema. */
export interface RawReader {
  list(path: string, ids?: readonly string[]): Promise<RawList>;
  /** A single record. */
  one(path: string, ids: readonly string[]): Promise<unknown>;
  /** The requests so far. */
  requests(): number;
}

const pagesAtMost = 3;

export function createRawReader(
  service: TrialService,
  { dispatcher, now, signal }: { dispatcher: Dispatcher; now: () => number; signal: AbortSignal },
): RawReader {
  const { origin, basePath } = parseBaseUrl(service.baseUrl);
  let requests = 0;
  const transport = createTransport({
    ...service,
    origin,
    basePath,
    dispatcher,
    budget: createRequestBudget({ now, sleep }),
    timeoutMs: 20_000,
    now,
    sleep,
    random: Math.random,
    onCall: () => (requests += 1),
  });
  const unreadable = createUnreadableRecords({ onFirst: () => {}, onChange: () => {} });
  const options = () => ({ signal, deadline: now() + 60_000 });

  return {
    async list(path, ids = []) {
      const forms = new Set<string>();
      const readList = createReadList({ transport: noting(transport, forms), origin, basePath, unreadable });
      const call = {
        operation: 'trial',
        method: 'GET',
        path: fillPath(path, ids),
        list: 'quizzes',
        isPart: true,
      } as const;
      const records = await readList({ ...call, schema: z.unknown() }, options());
      return { records, forms: [...forms] };
    },
    one: async (path, ids) =>
      transport.call(
        {
          operation: 'trial',
          method: 'GET',
          path: fillPath(path, ids),
          read: async (body) => parseJson(await body.text()),
        },
        options(),
      ),
    requests: () => requests,
  };
}

/** Notes how the pages of a list come, and ends the list after a few. */
function noting(transport: Transport, forms: Set<string>): Transport {
  let pages = 0;
  return {
    ...transport,
    call: async (call, options) =>
      transport.call(
        {
          ...call,
          async read(body, headers) {
            // `body.text()` drops a byte order mark.
            const text = (await buffer(body)).toString();
            pages += 1;
            for (const form of formsOf(text)) forms.add(form);
            const page = await call.read(bodyOf(text), headers);
            if (pages < pagesAtMost || !isPage(page) || page.next === undefined) return page;
            forms.add('More pages follow, which were not read');
            return { ...page, next: undefined, total: undefined };
          },
        },
        options,
      ),
  };
}

/** Others could be names of people, in a list by name. */
const envelopeNames: ReadonlySet<string> = new Set(
  'data items results records quizzes users groups responses questions next previous page pages total count limit offset total_count totalCount'.split(
    ' ',
  ),
);

const isPage = (page: unknown): page is ListPage<unknown> => isObject(page) && Array.isArray(page['items']);

function formsOf(text: string): string[] {
  const forms = text === withoutByteOrderMark(text) ? [] : ['Begins with a byte order mark'];
  const value = parseJson(text);
  if (!isObject(value)) return forms;
  const names = Object.keys(value).filter((name) => envelopeNames.has(name));
  return [...forms, `Comes as an object with ${names.join(', ') || 'other fields'} around the list`];
}

function bodyOf(text: string): AnswerBody {
  return {
    text: async () => text,
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(text);
    },
  };
}
