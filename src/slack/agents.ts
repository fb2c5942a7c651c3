import type { OneAtATime } from '../storage/leases.ts';
import { randomBytes } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { OwnNames } from '../domain/own-names.ts';
import type { Governance } from '../governance/governance.ts';
import { createReadUnverified, type ReadBody } from '../http/bodies.ts';
import type { Handler } from '../http/server.ts';
import { createAgentTokens } from '../features/agents/tokens.ts';
import { createRefusalLog, type Log } from '../observability/log.ts';
import type { Storage } from '../storage/records.ts';
import type { SetTimer } from '../time/clock.ts';
import type { InFlight } from '../time/timers.ts';
import type { OpenDirectMessages } from './people/direct-messages.ts';
import type { OwnWorkspace } from './people/people.ts';

/** Calls of verified callers in work at a time, and those with one token. More are refused at once. */
const callsAtMost = { ofAll: 100, ofToken: 10 };

interface AgentDeps {
  governance: Pick<Governance, 'execute' | 'permissions'>;
  client: WebClient;
  openDirectMessages: OpenDirectMessages;
  own: () => Promise<OwnWorkspace>;
  timeZone: string;
  version: string;
  readBody: ReadBody;
  inFlight: InFlight;
  log: Log;
  setTimer: SetTimer;
}

/** Slackbot and other agents, where they are turned on. */
export function createAgents({
  isEnabled,
  signingSecret,
  names,
  storage,
  oneAtATime,
  now,
}: {
  isEnabled: boolean;
  signingSecret: string | undefined;
  names: OwnNames;
  storage: Pick<Storage, 'kv'>;
  oneAtATime: OneAtATime;
  now: () => number;
}) {
  if (!isEnabled || signingSecret === undefined)
    return { state: isEnabled ? 'unsigned' : 'off', tokens: undefined, load: async () => undefined } as const;
  const tokens = createAgentTokens({
    store: storage.kv('agent-tokens'),
    oneAtATime,
    newSecret: () => randomBytes(32).toString('base64url'),
    now,
  });

  return {
    state: 'on' as const,
    /** The tokens of a workspace. */
    tokens: tokens.of,
    /** Loads what answers `POST /mcp`. */
    async load({ governance, log, inFlight, ...deps }: AgentDeps): Promise<Handler> {
      const [{ createTools, loadServe }, { createAgentRoute }, { createAgentPlatform, createAssistantDoor }] =
        await Promise.all([
          import('../features/agents/calls.ts'),
          import('../features/agents/route.ts'),
          import('./assistant.ts'),
        ]);
      const logRefusal = createRefusalLog(log, 'requests of agents refused', deps.setTimer);
      const platform = createAgentPlatform({ ...deps, names });
      const tools = createTools({ ...governance, platform, log });
      /** Whose calls are in work. */
      const inWork: (string | undefined)[] = [];
      const handle = createAgentRoute({
        assistant: createAssistantDoor({ signingSecret, own: deps.own, now }),
        checkToken: tokens.check,
        serve: await loadServe({ tools, title: names.botName, version: deps.version }),
        readBody: createReadUnverified({ readBody: deps.readBody, onLate: () => logRefusal('too_slow') }),
        takePlace(whose) {
          const ofToken = whose === undefined ? 0 : inWork.filter((other) => other === whose).length;
          if (inWork.length >= callsAtMost.ofAll || ofToken >= callsAtMost.ofToken) return undefined;
          inWork.push(whose);
          return () => void inWork.splice(inWork.indexOf(whose), 1);
        },
        onRefused: logRefusal,
      });
      return (request, response) => inFlight.track((async () => handle(request, response))());
    },
  };
}
