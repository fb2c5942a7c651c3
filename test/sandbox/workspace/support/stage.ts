import { afterEach, beforeEach } from 'vitest';
import type { Actor } from '../../../../src/sandbox/workspace/actor/actor.ts';
import { type ManualClock, manualClock } from '../../../../src/sandbox/workspace/clock.ts';
import type { View } from '../../../../src/sandbox/workspace/model.ts';
import { people } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace, WorkspaceOptions } from '../../../../src/sandbox/workspace/workspace.ts';
import { listenOnLoopback } from '../../../support/loopback.ts';
import { openWorkspace } from './bolt-bot.ts';
import { answerOf } from './web-api.ts';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import { text as readAll } from 'node:stream/consumers';

const startMs = 1_790_000_000_000;

export const plain = (text: string) => ({ type: 'plain_text', text });

/** A modal with one text input, unless overridden. */
export const modal = (over: object = {}) => ({
  type: 'modal',
  callback_id: 'test',
  title: plain('Test'),
  submit: plain('Save'),
  blocks: [
    { type: 'input', block_id: 'name', label: plain('Name'), element: { type: 'plain_text_input', action_id: 'name' } },
  ],
  ...over,
});

/** A workspace with a manual clock, and a recording bot. */
interface Stage {
  readonly clock: ManualClock;
  readonly workspace: Workspace;
  readonly bot: RecordingBot;
  readonly ada: Actor;
  /** Calls a method. @returns its response, `error` included */
  ask(method: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Starts another workspace in place of this one. */
  reopen(options: Partial<WorkspaceOptions>): Promise<void>;
  /** A trigger id from a shortcut of Ada's. */
  trigger(): Promise<unknown>;
  /** Opens a modal for Ada. */
  open(view?: object): Promise<View>;
  /** Ada's top view. */
  shown(): View;
}

/** Starts a new stage before each test and closes it afterwards. */
export function useStage(options: Partial<WorkspaceOptions> = {}): Stage {
  let clock: ManualClock;
  let workspace: Workspace;
  let bot: RecordingBot;

  beforeEach(async () => {
    clock = manualClock(startMs);
    bot = await startRecordingBot();
    workspace = await openWorkspace({ clock, bot: { url: bot.url }, ...options });
  });

  afterEach(async () => {
    await bot.stop();
    await workspace.close();
  });

  const stage: Stage = {
    get clock() {
      return clock;
    },
    get workspace() {
      return workspace;
    },
    get bot() {
      return bot;
    },
    get ada() {
      return workspace.as(people.ada.id);
    },
    ask: (method, args) => answerOf(workspace, method, args),
    async reopen(others) {
      await workspace.close();
      workspace = await openWorkspace({ clock, bot: { url: bot.url }, ...others });
    },
    async trigger() {
      await stage.ada.shortcut('close-quiz');
      return bot.received.at(-1)?.payload['trigger_id'];
    },
    async open(view = modal()) {
      const answer = await answerOf(workspace, 'views.open', { trigger_id: await stage.trigger(), view });
      if (answer['ok'] !== true) throw new Error(`views.open: ${JSON.stringify(answer)}`);
      return stage.shown();
    },
    shown() {
      const view = workspace.views(people.ada.id).at(-1);
      if (view === undefined) throw new Error('no view is open');
      return view;
    },
  };
  return stage;
}

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  /** The payload of an interaction or event, or the fields of a command. */
  payload: Record<string, unknown>;
}

type Answer = { status?: number; body?: unknown } | 'never' | 'cut';

interface RecordingBot {
  url: string;
  received: Received[];
  /** Sets the response to later requests. Default: 200 without a body. */
  answerWith(answer: (received: Received) => Answer): void;
  stop(): Promise<void>;
}

const takeNote = (_received: Received): Answer => ({});

/** A bot that records requests and sends configured responses. */
async function startRecordingBot(): Promise<RecordingBot> {
  const received: Received[] = [];
  let answerTo = takeNote;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readAll(request);
      const delivered = { headers: request.headers, body, payload: decode(body) };
      received.push(delivered);
      const answer = answerTo(delivered);
      if (answer === 'never') return;
      if (answer === 'cut') {
        response.destroy();
        return;
      }
      const isText = typeof answer.body === 'string';
      response.writeHead(answer.status ?? 200, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(answer.body === undefined ? undefined : isText ? answer.body : JSON.stringify(answer.body));
    })();
  });
  return {
    url: `${await listenOnLoopback(server)}/slack/events`,
    received,
    answerWith(answer) {
      answerTo = answer;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function decode(body: string): Record<string, unknown> {
  if (body.startsWith('{')) return JSON.parse(body);
  const form = Object.fromEntries(new URLSearchParams(body));
  return form['payload'] === undefined ? form : JSON.parse(form['payload']);
}
