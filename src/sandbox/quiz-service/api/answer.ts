import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What an operation answers with status 200. */
export type Answer =
  | { kind: 'json'; value: unknown }
  /** An array that comes in pages, so that a long one is neither held nor written at once. */
  | { kind: 'list'; pages: Iterable<readonly unknown[]> }
  | { kind: 'file'; name: string; contentType: string; content: Uint8Array };

/** The success message of operations that return no resource (specification, section 2.6). */
export const okMessage: Answer = { kind: 'json', value: { message: '200: OK' } };

export function json(value: unknown): Answer {
  return { kind: 'json', value };
}

export function list(pages: Iterable<readonly unknown[]>): Answer {
  return { kind: 'list', pages };
}

export async function writeAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  if (answer.kind === 'json') return writeJson(response, 200, answer.value);
  if (answer.kind === 'list') return writeList(response, answer.pages);
  response.writeHead(200, {
    'content-type': answer.contentType,
    'content-length': answer.content.byteLength,
    'content-disposition': `attachment; filename*=UTF-8''${encodeHeaderValue(answer.name)}`,
    'x-content-type-options': 'nosniff',
  });
  response.end(answer.content);
}

export function writeJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

async function writeList(response: ServerResponse, pages: Iterable<readonly unknown[]>): Promise<void> {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  try {
    await pipeline(Readable.from(jsonArray(pages)), response);
  } catch (error) {
    if (!isCallerGone(error)) throw error;
  }
}

function* jsonArray(pages: Iterable<readonly unknown[]>): Generator<string> {
  let separator = '[';
  for (const page of pages) {
    if (page.length === 0) continue;
    yield separator + JSON.stringify(page).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

function isCallerGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** RFC 8187: what encodeURIComponent leaves alone but an extended header value may not hold. */
function encodeHeaderValue(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
