import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { isIP } from 'node:net';

// What the quiz service and the workspace have in common as servers.

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

/**
 * Rejects DNS rebinding: an attacker can point a host name of their own to this server. An IP address cannot be
 * pointed elsewhere.
 * @param publicUrl the URL for browsers behind a proxy
 */
export function isKnownHost(host = '', publicUrl?: string): boolean {
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

/** The URL of a server for programs on this machine: loopback where it listens on all addresses. */
export function urlOf(server: Server, host: string): string {
  const address = server.address();
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Compares secrets in a time that says nothing of them. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();
