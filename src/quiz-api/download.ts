import { basename } from 'node:path/posix';
import type { IncomingHttpHeaders } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { CallScope } from './answers.ts';
import { QuizApiError, type FailedCall } from './errors.ts';

/** A file that a respondent uploaded. A property is null where the service does not send it. */
export interface DownloadedFile {
  stream: Readable;
  contentType: string | null;
  /** Without a folder. */
  fileName: string | null;
  /** In bytes. */
  contentLength: number | null;
}

/** Opens the body as a stream, which fails beyond `maxBytes` and when the scope aborts. */
export function openFile(
  response: Dispatcher.ResponseData,
  options: {
    maxBytes: number;
    call: FailedCall;
    scope: CallScope;
    toError: (error: unknown) => Error;
  },
): DownloadedFile {
  const { maxBytes, call, scope, toError } = options;
  const { body, headers } = response;
  const contentLength = readContentLength(headers);
  const tooLarge = new QuizApiError('file too large', call, `answered with a file of more than ${maxBytes} bytes`, {
    status: 200,
  });
  if (contentLength !== null && contentLength > maxBytes) {
    scope.close();
    body.on('error', () => {}).destroy();
    throw tooLarge;
  }

  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) callback(tooLarge);
      else callback(null, chunk);
    },
  });
  scope.signal.addEventListener('abort', () => stream.destroy(toError(scope.signal.reason)), { once: true });
  body.on('error', (error) => stream.destroy(toError(error)));
  stream.once('close', () => {
    scope.close();
    body.destroy();
  });
  body.pipe(stream);

  return { stream, contentType: readText(headers, 'content-type'), fileName: readFileName(headers), contentLength };
}

function readText(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function readContentLength(headers: IncomingHttpHeaders): number | null {
  const value = readText(headers, 'content-length');
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** The file name in a `Content-Disposition` header (RFC 6266), from `filename*` or `filename`. */
export function readFileName(headers: IncomingHttpHeaders): string | null {
  const disposition = readText(headers, 'content-disposition') ?? '';
  const encoded = /;\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const plain = /;\s*filename\s*=\s*([^;"\s]+)/i.exec(disposition)?.[1];
  return toBareName(decode(encoded) ?? quoted ?? plain ?? '');
}

function decode(encoded: string | undefined): string | undefined {
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function toBareName(name: string): string | null {
  const bare = basename(name.replaceAll('\\', '/').replaceAll(/\p{Cc}/gu, '')).trim();
  return bare === '' || bare === '.' || bare === '..' ? null : bare;
}
