import type { WebClient } from '@slack/web-api';
import { WebSocket } from 'undici';
import { InvigilatorError } from '../../domain/errors.ts';
import { withTimeout } from '../../time/clock.ts';

/** A click on the button of the trial. */
export interface Press {
  personId: string;
  responseUrl: string;
}

/** A connection of Socket Mode that the trial opened. */
export interface TrialSocket {
  /** From asking Slack for its address to the hello. */
  openedAfterMs: number;
  /** The connections of the app, with this one; undefined where Slack does not say. */
  connections: number | undefined;
  /** Closes it and waits for the end. */
  close(): Promise<void>;
}

export class NoHelloError extends InvigilatorError {
  readonly code = 'no_hello';
}

const helloWithinMs = 30_000;
const closedWithinMs = 5_000;

/**
 * Opens a connection without the SDK’s client, which keeps the hello to itself. Of what arrives, it acknowledges clicks on
 * the button alone.
 *
 * @throws {NoHelloError | TimedOutError} where Slack does not say hello within 30 s
 */
export async function openTrialSocket(
  client: WebClient,
  appToken: string,
  actionId: string,
  onPress: (press: Press) => void,
): Promise<TrialSocket> {
  const begun = performance.now();
  const { url = '' } = await client.apps.connections.open({ token: appToken });
  const socket = new WebSocket(url);
  const hello = Promise.withResolvers<number | undefined>();
  const closed = Promise.withResolvers<void>();

  function fail(why: string): void {
    hello.reject(new NoHelloError(why));
    socket.close();
  }

  socket.addEventListener('error', () => fail('the connection failed'));
  socket.addEventListener('close', () => {
    hello.reject(new NoHelloError('the connection ended'));
    closed.resolve();
  });
  socket.addEventListener('message', ({ data }) => {
    const envelope = JSON.parse(String(data)) as Envelope;
    if (envelope.type === 'hello') hello.resolve(envelope.num_connections);
    const press = pressIn(envelope, actionId);
    if (press === undefined) return;
    socket.send(JSON.stringify({ envelope_id: envelope.envelope_id }));
    onPress(press);
  });
  try {
    const connections = await withTimeout(helloWithinMs, hello.promise);
    return {
      openedAfterMs: performance.now() - begun,
      connections,
      async close() {
        socket.close();
        // Slack may leave the close frame unanswered.
        await withTimeout(closedWithinMs, closed.promise).catch(() => {});
      },
    };
  } catch (error) {
    socket.close();
    throw error;
  }
}

/** https://docs.slack.dev/apis/events-api/using-socket-mode */
interface Envelope {
  type?: string;
  envelope_id?: string;
  num_connections?: number;
  payload?: { actions?: { action_id?: string }[]; user?: { id?: string }; response_url?: string };
}

function pressIn({ type, payload }: Envelope, actionId: string): Press | undefined {
  const isPress = type === 'interactive' && payload?.actions?.some(({ action_id: id }) => id === actionId);
  const { user, response_url: responseUrl } = payload ?? {};
  return isPress && user?.id !== undefined && responseUrl !== undefined
    ? { personId: user.id, responseUrl }
    : undefined;
}
