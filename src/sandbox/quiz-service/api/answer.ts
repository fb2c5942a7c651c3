import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const jsonType = 'application/json; charset=utf-8';

/** The result of an operation, sent with status 200. */
export type Answer =
  | { kind: 'json'; value: unknown }
  /** A JSON array: its first text, and an iterator for the rest of a long one. */
  | { kind: 'list'; beginning: string; rest: Iterable<string> | undefined }
  | { kind: 'file'; name: string; contentType: string; content: Uint8Array };

/** The response of operations that return no resource (specification, section 2.6). */
export const okMessage: Answer = { kind: 'json', value: { message: '200: OK' } };

export function json(value: unknown): Answer {
  return { kind: 'json', value };
}

/**
 * Builds a list from pages, so that a long list is never in memory as a whole. Reads the first two pages
 * at once, while an error can still become an error response.
 */
export function list(pages: Iterable<readonly unknown[]>): Answer {
  const chunks = jsonArray(pages);
  const [first, second] = [chunks.next().value ?? '', chunks.next().value ?? ''];
  const isWhole = second === '' || second === ']';
  return { kind: 'list', beginning: first + second, rest: isWhole ? undefined : chunks };
}

/** Writes a response with status 200. Resolves when a list is written completely. */
export async function writeAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  if (answer.kind === 'json') return writeJson(response, 200, answer.value);
  if (answer.kind === 'list') return writeList(response, answer.beginning, answer.rest);
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
  writeJsonText(response, status, JSON.stringify(value), headers);
}

function writeJsonText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': jsonType, 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** Sends a list of one page at once, and streams a longer one at the caller's pace. */
async function writeList(response: ServerResponse, beginning: string, rest: Iterable<string> | undefined): Promise<void> {
  if (rest === undefined) return writeJsonText(response, 200, beginning);
  response.setHeader('content-type', jsonType);
  response.write(beginning);
  try {
    await pipeline(Readable.from(rest), response);
  } catch (error) {
    if (!isCallerGone(error)) throw error;
  }
}

function* jsonArray(pages: Iterable<readonly unknown[]>): Generator<string, undefined> {
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

/** Escapes what encodeURIComponent keeps but RFC 8187 forbids in an extended header value. */
function encodeHeaderValue(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
