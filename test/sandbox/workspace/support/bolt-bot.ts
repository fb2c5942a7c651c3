import { createServer } from 'node:http';
import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { listenOnLoopback } from '../../../support/loopback.ts';
import { watchdogMs } from '../../../../src/sandbox/workspace/clock.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../../../src/sandbox/workspace/workspace.ts';

export const botToken = 'xoxb-test-bot-token';
export const appToken = 'xapp-test-app-token';
const signingSecret = 'test-signing-secret';
export const manifestPath = new URL('../../../fixtures/manifest.yml', import.meta.url).pathname;

export type Mode = 'http' | 'socket';

export interface BoltBot {
  workspace: Workspace;
  app: App;
  stop(): Promise<void>;
}

export function openWorkspace(options: Partial<WorkspaceOptions> = {}): Promise<Workspace> {
  return startWorkspace({ manifestPath, botToken, appToken, signingSecret, ...options });
}

/** Starts a plain Bolt app against a new workspace. */
export async function startBoltBot(
  mode: Mode,
  register: (app: App) => void,
  options: Partial<WorkspaceOptions> = {},
  socketOptions: { clientPingTimeout?: number } = {},
): Promise<BoltBot> {
  const workspace = await openWorkspace(options);
  const clientOptions = { slackApiUrl: workspace.apiUrl };
  const logLevel = LogLevel.ERROR;
  if (mode === 'socket') {
    const receiver = new SocketModeReceiver({
      appToken,
      logLevel,
      installerOptions: { clientOptions },
      ...socketOptions,
    });
    const app = new App({ token: botToken, receiver, clientOptions, logLevel });
    register(app);
    await app.start();
    return {
      workspace,
      app,
      async stop() {
        await app.stop();
        await workspace.close();
      },
    };
  }
  // Bolt answers by itself after three seconds of the system's clock, which the workspace's clock does not follow.
  const receiver = new HTTPReceiver({ signingSecret, logLevel, unhandledRequestTimeoutMillis: watchdogMs });
  const app = new App({ token: botToken, receiver, clientOptions, logLevel });
  register(app);
  const server = createServer((request, response) => {
    receiver.requestListener(request, response);
  });
  workspace.setBot(`${await listenOnLoopback(server)}/slack/events`);
  return {
    workspace,
    app,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await workspace.close();
    },
  };
}
