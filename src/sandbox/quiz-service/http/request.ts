import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

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

/**
 * Rejects DNS rebinding: an attacker can point a host name of their own to this server. An IP address cannot be
 * pointed elsewhere.
 * @param publicUrl the URL for browsers behind a proxy
 */
export function isKnownHost(host = '', publicUrl: string | undefined): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  return (
    name === 'localhost' ||
    isIP(name) !== 0 ||
    (publicUrl !== undefined && host.toLowerCase() === new URL(publicUrl).host)
  );
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

export class BodyTooLargeError extends Error {
  constructor(limitBytes: number) {
    super(`The body is larger than ${limitBytes / 1024 / 1024} MiB.`);
  }
}

/** @throws BodyTooLargeError once the announced or received length exceeds `limitBytes` */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new BodyTooLargeError(limitBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw new BodyTooLargeError(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
