import { connect, type Socket } from 'node:net';

/** What many connections do at once: begin a request that nobody has verified and leave it unfinished, or have it refused. */
export const waveKinds = ['unfinished with a signature', 'unfinished with a token', 'unfinished', 'refused'] as const;

export interface Wave {
  kind: (typeof waveKinds)[number];
  path: '/mcp' | '/slack/events' | '/webhooks/quiz';
}

/** A wave, and where it goes. */
interface AddressedWave extends Omit<Wave, 'path'> {
  path: string;
}

/** More than the calls that the bot takes at a time. */
const connections = 105;

/** Begins so many requests. @returns ends them */
export async function startWave(botUrl: string, wave: AddressedWave): Promise<() => void> {
  const { port, hostname } = new URL(botUrl);
  const request = requestOf(wave, hostname);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname);
      // The bot ends some of them, and all when it is killed.
      socket.on('error', () => {}).resume();
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
      await new Promise((resolve) => socket.write(request, resolve));
      return socket;
    }),
  );
  return () => end(sockets);
}

function end(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

function requestOf({ kind, path }: AddressedWave, host: string): string {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const proof =
    kind === 'unfinished with a token'
      ? [`authorization: Bearer inv_T0HOSTILE_U0NOBODY_${'A'.repeat(43)}`]
      : kind === 'unfinished'
        ? []
        : [`x-slack-request-timestamp: ${Math.floor(Date.now() / 1_000)}`, `x-slack-signature: v0=${'0'.repeat(64)}`];
  const length = body.length + (kind === 'refused' ? 0 : 100);
  return [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${length}`,
    ...proof,
    '',
    body,
  ].join('\r\n');
}
