import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

interface RawConnection {
  say(text: string): void;
  /** Ends the sending side of the connection. */
  end(): void;
  /** The response so far. */
  answered(): string;
  /** Resolves with the whole response when the server closes the connection. */
  closed: Promise<string>;
}

/** Opens a TCP connection on which a test can send any bytes. */
export function openConnection(port: number, text = ''): RawConnection {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.write(text);
  return {
    say: (more) => void socket.write(more),
    end: () => void socket.end(),
    answered: () => answer,
    closed: new Promise((resolve) => void socket.once('close', () => resolve(answer))),
  };
}
