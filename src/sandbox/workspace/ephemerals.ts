import type { Clock } from './clock.ts';
import type { Message } from './model.ts';

/**
 * Slack shows an ephemeral message to a person who is active when it is sent, and stores it nowhere: it does not survive
 * a reload, and the API answers `ok` whether or not anybody saw it.
 * https://docs.slack.dev/reference/methods/chat.postEphemeral
 */
export interface Ephemerals {
  /** Connects a page of the person. @returns a function that ends the connection */
  connect(clientId: string, userId: string): () => void;
  /** Marks the person as active in a client of their own for 10 minutes. */
  touch(userId: string): void;
  /** Closes the person's own client, with everything that only it shows. */
  leave(userId: string): void;
  /** Shows a message in the clients in which its recipient is active. */
  show(message: Message): void;
  /** Every message that a client still shows. */
  all(): readonly Message[];
  /** What one page has received since it was loaded. */
  on(clientId: string): Message[];
  remove(message: Message): void;
}

/** https://docs.slack.dev/apis/web-api/user-presence-and-status: a client counts as away after 10 minutes. */
const activeMs = 10 * 60_000;
const shownAtMost = 2_000;

const ownClient = (userId: string): string => `own ${userId}`;

export function createEphemerals(clock: Clock): Ephemerals {
  /** A page can reconnect before the server notices that its last connection is gone. */
  const connections: { clientId: string; userId: string }[] = [];
  const lastActiveAt = new Map<string, number>();
  let shown: { message: Message; clients: ReadonlySet<string> }[] = [];

  const activeClients = (userId: string): Set<string> => {
    const clients = new Set(connections.filter((page) => page.userId === userId).map(({ clientId }) => clientId));
    const at = lastActiveAt.get(userId);
    if (at !== undefined && clock.now() - at <= activeMs) clients.add(ownClient(userId));
    return clients;
  };

  return {
    connect(clientId, userId) {
      const connection = { clientId, userId };
      connections.push(connection);
      return () => {
        connections.splice(connections.indexOf(connection), 1);
      };
    },
    touch(userId) {
      lastActiveAt.set(userId, clock.now());
    },
    leave(userId) {
      lastActiveAt.delete(userId);
      shown = shown
        .map(({ message, clients }) => ({
          message,
          clients: new Set([...clients].filter((id) => id !== ownClient(userId))),
        }))
        .filter(({ clients }) => clients.size > 0);
    },
    show(message) {
      const clients = activeClients(message.onlyFor ?? '');
      if (clients.size > 0) shown = [...shown.slice(-shownAtMost), { message, clients }];
    },
    all: () => shown.map(({ message }) => message),
    on: (clientId) => shown.filter(({ clients }) => clients.has(clientId)).map(({ message }) => message),
    remove(message) {
      shown = shown.filter((other) => other.message !== message);
    },
  };
}
