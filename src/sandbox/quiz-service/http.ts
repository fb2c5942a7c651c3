import type { IncomingMessage } from 'node:http';

/** An error response. Its message is one sentence for the caller. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function badRequest(message: string): HttpError {
  return new HttpError(400, message);
}

export function forbidden(message: string): HttpError {
  return new HttpError(403, message);
}

export function notFound(message: string): HttpError {
  return new HttpError(404, message);
}

/** For input that is well formed but invalid. */
export function unprocessable(message: string): HttpError {
  return new HttpError(422, message);
}

/** The parameter names in a path such as `/quizzes/:quiz_id`. */
export type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export interface Route<Run> {
  method: string;
  path: string;
  run: Run;
}

type Match<Run> =
  | { found: true; path: string; run: Run; parameters: Record<string, string> }
  | { found: false; allowedMethods: string[] };

/**
 * Builds a router. It decodes path parameters.
 * @throws URIError when a path parameter has an invalid encoding
 */
export function createRouter<Run>(routes: readonly Route<Run>[]): (method: string, pathname: string) => Match<Run> {
  const compiled = routes.map((route) => ({ route, ...compilePath(route.path) }));
  return (method, pathname) => {
    const allowedMethods: string[] = [];
    for (const { route, pattern, names } of compiled) {
      const values = pattern.exec(pathname);
      if (!values) continue;
      if (route.method !== method) {
        allowedMethods.push(route.method);
        continue;
      }
      const parameters = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i + 1] ?? '')]));
      return { found: true, path: route.path, run: route.run, parameters };
    }
    return { found: false, allowedMethods };
  };
}

function compilePath(path: string): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  const source = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  return { pattern: new RegExp(`^${source.replaceAll('.', '\\.')}$`), names };
}

/** The caller, and whether the connection was confidential. */
export interface Peer {
  address: string;
  isSecure: boolean;
  isOverTls: boolean;
}

/**
 * Identifies the caller. The service speaks plain HTTP, so a call is secure if it comes from this machine or,
 * with `trustProxy`, if the proxy received it over TLS (`X-Forwarded-Proto`).
 */
export function identifyPeer(request: IncomingMessage, trustProxy: boolean): Peer {
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const scheme = trustProxy ? firstValue(request.headers['x-forwarded-proto']) : undefined;
  const forwardedFor = trustProxy ? firstValue(request.headers['x-forwarded-for']) : undefined;
  const isOverTls = scheme?.toLowerCase() === 'https';
  return {
    address: forwardedFor ?? address,
    isSecure: scheme === undefined ? isLoopback(address) : isOverTls,
    isOverTls,
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function firstValue(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')[0]
      ?.trim() || undefined
  );
}

/** Node’s own, which the types of ES2025 lack: https://tc39.es/proposal-json-parse-with-source */
const { rawJSON } = JSON as typeof JSON & { rawJSON: (text: string) => object };

/** Serializes what the service sends: `available_points` with two fraction digits, as the specification’s samples have it. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (key, field: unknown) =>
    key === 'available_points' && typeof field === 'number' ? rawJSON(field.toFixed(2)) : field,
  );
}
