import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Option } from './block-kit/elements.ts';
import type { Clock } from './clock.ts';
import { pickKeys } from './json.ts';
import type {
  Call,
  Channel,
  Delivery,
  FunctionExecution,
  InputValues,
  Link,
  Message,
  Notice,
  Person,
  ProfileField,
  TourProgress,
  UserGroup,
  View,
  Workflow,
  WorkflowRun,
  WorkspaceFile,
} from './model.ts';
import { bot, botUserId, channels, people, profileFields, rota, slackbot, userGroups } from './people.ts';

/** What outlives a restart. */
interface KeptConversations {
  /** Ids below this one are taken. */
  firstId: number;
  messages: Message[];
  channels: Map<string, Channel>;
  homes: Map<string, View>;
  files: Map<string, WorkspaceFile>;
  fileBytes: Map<string, Buffer>;
  workflows: Map<string, Workflow>;
  workflowRuns: WorkflowRun[];
  executions: Map<string, FunctionExecution>;
  tour: TourProgress | undefined;
}

const recordedExchanges = 20_000;

/** The workspace’s whole state. `keepConversations` keeps what outlives a restart. */
export type State = ReturnType<typeof createState>;

/** Creates the state with the sample people and channels, and the conversations of the last run. */
export function createState(clock: Clock, kept: Partial<KeptConversations> = {}) {
  let counter = kept.firstId ?? 0;
  let lastMicros = 0;
  const byId = <Thing extends { id: string }>(things: readonly Thing[]) =>
    new Map(things.map((thing): [string, Thing] => [thing.id, thing]));
  const sampleChannels = Object.values(channels).map((channel): Channel => ({
    ...channel,
    members: [...channel.members],
  }));
  return {
    people: byId([...Object.values<Person>(people), bot, rota, slackbot]),
    channels: new Map([...byId(sampleChannels), ...(kept.channels ?? [])]),
    userGroups: byId(Object.values<UserGroup>(userGroups)),
    profileFields: byId(Object.values<ProfileField>(profileFields)),
    messages: kept.messages ?? [],
    ephemerals: createEphemerals(clock),
    /** The open modals of each person, root first. */
    stacks: new Map<string, View[]>(),
    homes: kept.homes ?? new Map<string, View>(),
    messageInputs: new Map<string, InputValues>(),
    /** The options that the bot has offered in each picker. */
    offers: new Map<string, readonly Option[]>(),
    files: kept.files ?? new Map<string, WorkspaceFile>(),
    fileBytes: kept.fileBytes ?? new Map<string, Buffer>(),
    workflows: kept.workflows ?? new Map<string, Workflow>(),
    workflowRuns: kept.workflowRuns ?? [],
    /** The runs of the app’s functions. */
    executions: kept.executions ?? new Map<string, FunctionExecution>(),
    notices: [] as Notice[],
    calls: [] as Call[],
    deliveries: [] as Delivery[],
    links: [] as Link[],
    /** Undefined where nobody has started one. */
    tour: kept.tour,
    /** Whether the workspace has removed the app. */
    isTokenRevoked: false,
    changes: createSignal(),
    newId(prefix: string): string {
      counter += 1;
      return prefix + counter.toString(36).toUpperCase().padStart(8, '0');
    },
    /** Creates a message timestamp. Timestamps are unique and increase even if the clock goes back. */
    newTs(): string {
      lastMicros = Math.max(clock.now() * 1000, lastMicros + 1);
      return `${Math.floor(lastMicros / 1_000_000)}.${String(lastMicros % 1_000_000).padStart(6, '0')}`;
    },
  };
}

/** Appends to a log and drops the oldest entry beyond 20,000, so that the sandbox can run for weeks. */
export function record<T>(list: T[], entry: T): T {
  list.push(entry);
  if (list.length > recordedExchanges) list.splice(0, list.length - recordedExchanges);
  return entry;
}

/** Records a call by the bot and notifies listeners. */
export function recordCall({ state, clock }: { state: State; clock: Clock }, call: Omit<Call, 'id' | 'at'>): void {
  record(state.calls, { id: state.newId('R'), at: clock.now(), ...call });
  state.changes.emit();
}

/** The last five calls, for timeout messages. */
export const lastCalls = ({ calls }: State): string =>
  `the last calls were ${
    calls
      .slice(-5)
      .map((call) => `${call.method} ${call.error ?? 'ok'}`)
      .join(', ') || 'none'
  }`;

/** The id of the direct messages between a person and the bot. */
export const directMessagesId = (userId: string): string => `D${userId.slice(1)}`;

/** Finds the direct messages between a person and the bot. Creates them on first use. */
export function directMessages(state: State, userId: string): Channel {
  const id = directMessagesId(userId);
  const known = state.channels.get(id);
  if (known !== undefined) return known;
  const made: Channel = { id, name: 'directmessage', kind: 'im', members: [userId, botUserId] };
  state.channels.set(id, made);
  return made;
}

/** Finds the conversation between a person and Slackbot, which the bot cannot read. Creates it on first use. */
export function slackbotMessages(state: State, userId: string): Channel {
  const id = `DSLACKBOT${userId.slice(1)}`;
  const made: Channel = state.channels.get(id) ?? { id, name: 'slackbot', kind: 'im', members: [userId, slackbot.id] };
  state.channels.set(id, made);
  return made;
}

/** https://docs.slack.dev/apis/web-api/user-presence-and-status: a client counts as away after 10 minutes. */
const activeMs = 10 * 60_000;
const shownAtMost = 2_000;

const ownClient = (userId: string): string => `own ${userId}`;

/** Notifies listeners of changes, without details. */
function createSignal() {
  const listeners = new Set<() => void>();
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    listen,
    emit(): void {
      for (const listener of Array.from(listeners)) listener();
    },
    /** Resolves with the first truthy value of the condition, which runs now and after every change. */
    until<T>(condition: () => T, timeoutMs: number, onTimeout: () => string): Promise<NonNullable<T>> {
      const { promise, resolve, reject } = Promise.withResolvers<NonNullable<T>>();
      const timer = setTimeout(() => {
        reject(new Error(onTimeout()));
      }, timeoutMs);
      const attempt = () => {
        try {
          const value = condition();
          if (value) resolve(value);
        } catch (error) {
          reject(error);
        }
      };
      const stop = listen(attempt);
      attempt();
      return promise.finally(() => {
        stop();
        clearTimeout(timer);
      });
    },
  };
}

/**
 * Slack shows an ephemeral message to a person who is active when it is sent, and stores it nowhere: it does not survive
 * a reload, and the API answers `ok` whether or not anybody saw it.
 * https://docs.slack.dev/reference/methods/chat.postEphemeral
 */
function createEphemerals(clock: Clock) {
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
    /** Connects a page of the person. @returns a function that ends the connection */
    connect(clientId: string, userId: string): () => void {
      const connection = { clientId, userId };
      connections.push(connection);
      return () => {
        connections.splice(connections.indexOf(connection), 1);
      };
    },
    /** Marks the person as active in a client of their own for 10 minutes. */
    touch(userId: string): void {
      lastActiveAt.set(userId, clock.now());
    },
    /** Closes the person's own client, with everything that only it shows. */
    leave(userId: string): void {
      lastActiveAt.delete(userId);
      shown = shown
        .map(({ message, clients }) => ({
          message,
          clients: new Set([...clients].filter((id) => id !== ownClient(userId))),
        }))
        .filter(({ clients }) => clients.size > 0);
    },
    /** Shows a message in the clients in which its recipient is active. */
    show(message: Message): void {
      const clients = activeClients(message.onlyFor ?? '');
      if (clients.size > 0) shown = [...shown.slice(-shownAtMost), { message, clients }];
    },
    /** Every message that a client still shows. */
    all: (): readonly Message[] => shown.map(({ message }) => message),
    /** What one page has received since it was loaded. */
    on: (clientId: string): Message[] =>
      shown.filter(({ clients }) => clients.has(clientId)).map(({ message }) => message),
  };
}

const pauseMs = 500;
const keptKeys = [
  'messages',
  'channels',
  'homes',
  'files',
  'fileBytes',
  'workflows',
  'workflowRuns',
  'executions',
  'tour',
] as const;

/** Reads what the last run wrote. Only this program writes the file, so the content is not validated. */
export const readConversations = (path: string): KeptConversations | undefined =>
  existsSync(path) ? (deserialize(readFileSync(path)) as KeptConversations) : undefined;

/** Writes the conversations half a second after a change, and on `close`. Ephemeral messages are not among them. */
export function keepConversations(state: State, clock: Clock, path: string): { close(): void } {
  let cancel: (() => void) | undefined;

  const write = (): void => {
    cancel = undefined;
    const kept = { firstId: Number.parseInt(state.newId(''), 36), ...pickKeys(state, ...keptKeys) };
    const unfinished = `${path}.new`;
    writeFileSync(unfinished, serialize(kept));
    renameSync(unfinished, path);
  };

  const stopListening = state.changes.listen(() => {
    cancel ??= clock.after(pauseMs, write);
  });
  return {
    close() {
      stopListening();
      cancel?.();
      write();
    },
  };
}
