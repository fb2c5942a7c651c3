import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawConnection {
  say(text: string): void;
  /** Says that it says no more. */
  end(): void;
  /** Everything that was answered so far. */
  answered(): string;
  /** Resolves with everything that was answered when the other side has closed the connection. */
  closed: Promise<string>;
}

/** A connection on which a test says what it likes, HTTP or not. */
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
