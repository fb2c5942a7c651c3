import type { HostileMend } from './mend.ts';

const execute = 'src/governance/perform/execute.ts';
const route = 'src/features/agents/route.ts';
const tokens = 'src/features/agents/tokens.ts';
const agents = 'src/governance/perform/judge.ts';

/** Of agents, tokens, steps of workflows and connections. */
export const doorMends: readonly HostileMend[] = [
  {
    name: 'agents: the signature on a body is checked',
    kind: 'crowded',
    finds: 'proof: ',
    edits: [
      {
        file: route,
        text: 'if (refusal !== undefined) return refuse(request, response, 401, refusal as AgentRefusal);',
        instead: "if (refusal === 'timestamp') return refuse(request, response, 401, refusal);",
      },
    ],
  },
  {
    name: 'agents: Slackbot of another workspace is nobody',
    kind: 'crowded',
    finds: 'proof: ',
    edits: [
      {
        file: 'src/slack/assistant.ts',
        text: 'const isOwn = teamId === own.teamId ||',
        instead: "const isOwn = teamId !== '' ||",
      },
    ],
  },
  {
    name: 'agents: a token is its person’s, whoever the message names',
    kind: 'crowded',
    finds: 'leak: ',
    edits: [
      {
        file: route,
        text: 'const caller = byToken ?? (await assistant.callerIn(message));',
        instead: 'const caller = (await assistant.callerIn(message)) ?? byToken;',
      },
    ],
  },
  {
    name: 'agents: they read what their person may read',
    kind: 'crowded',
    finds: 'leak: ',
    edits: [
      {
        file: execute,
        text: '// Before the input is resolved,',
        instead: `if (isByAgent(request.through)) Object.assign(context, { visibility: everything });
    // Before the input is resolved,`,
      },
      {
        file: execute,
        text: "} from './judge.ts';",
        instead: "} from './judge.ts';\nimport { everything } from '../rights/visibility.ts';",
      },
    ],
  },
  {
    name: 'agents: they ask where their person has to ask',
    kind: 'crowded',
    finds: 'policy: ',
    edits: [
      {
        file: execute,
        text: "const isAtOnce = verdict.kind === 'run';",
        instead: "const isAtOnce = verdict.kind === 'run' || isByAgent(request.through);",
      },
    ],
  },
  {
    name: 'agents: a person presses what gives rights or cannot be undone',
    kind: 'crowded',
    finds: 'policy: ',
    edits: [
      {
        file: execute,
        text: '(isByAgent(request.through) && needsPress(operation, input))',
        instead: "(isByAgent(request.through) && operation.name === 'subscribe-channel')",
      },
    ],
  },
  {
    name: 'agents: only people make and revoke tokens',
    kind: 'crowded',
    finds: 'policy: ',
    edits: [
      {
        file: agents,
        text: 'return isTyped !== false && forPeopleOnly !== true;',
        instead: 'return isTyped !== false;',
      },
    ],
  },
  {
    name: 'agents: what Slack says of a person is a minute old at most',
    kind: 'leaps',
    finds: 'policy: ',
    edits: [{ file: agents, text: 'knownToAgentsForMs = 60_000', instead: 'knownToAgentsForMs = 600_000' }],
  },
  {
    name: 'tokens: a token is compared with what was made',
    kind: 'crowded',
    finds: 'proof: ',
    edits: [
      {
        file: tokens,
        text: "timingSafeEqual(Buffer.from(stored.hash, 'hex'), hash)",
        instead: 'stored.hash.length === 2 * hash.length',
      },
    ],
  },
  {
    name: 'tokens: a revoked token counts no more',
    kind: 'crowded',
    finds: 'proof: ',
    edits: [
      { file: tokens, text: 'tokens: tokens.filter((token) => token.name !== name),', instead: 'tokens: [...tokens],' },
    ],
  },
  {
    name: 'tokens: a token counts for 30 days',
    kind: 'leaps',
    finds: 'proof: ',
    edits: [
      { file: tokens, text: '({ expiresAt }) => expiresAt > now()', instead: '({ expiresAt }) => expiresAt > 0' },
    ],
  },
  {
    name: 'tokens: Slack keeps none',
    kind: 'crowded',
    finds: 'leak: a token',
    edits: [
      {
        file: 'src/slack/in/reply.ts',
        text: 'if (isSecret || channelOf(channel) !== undefined) {',
        instead: 'if (isSecret && channelOf(channel) !== undefined) {',
      },
    ],
  },
  {
    name: 'steps: the text under “Runs with the rights of” is one that the bot signed',
    kind: 'crowded',
    finds: 'proof: ',
    edits: [
      {
        file: 'src/features/workflows/step-grants.ts',
        text: '.find((claim) => timingSafeEqual(signature, signatureOf(claim)));',
        instead: '.find((claim) => signature.length === signatureOf(claim).length);',
      },
    ],
  },
  {
    name: 'steps: rights count for 90 days after the last run',
    kind: 'crowded',
    finds: 'proof: ',
    edits: [
      {
        file: 'src/features/workflows/step-grants.ts',
        text: 'const unusedForMs = 90 * dayMs;',
        instead: 'const unusedForMs = 900 * dayMs;',
      },
    ],
  },
  {
    name: 'steps: an error names no address of a user who is not theirs',
    kind: 'crowded',
    finds: 'leak: ',
    edits: [
      {
        file: 'src/features/workflows/run-step.ts',
        text: "return rights.has('manage_users') && isOwnUser ? run : maskAddresses(run);",
        instead: "return rights.has('manage_users') || isOwnUser ? run : maskAddresses(run);",
      },
    ],
  },
  {
    name: 'connections: what nobody verified takes no place of a call',
    kind: 'crowded',
    finds: 'answer: ',
    edits: [
      {
        file: route,
        text: 'const text = await readText(request, response, whose);',
        instead: `const give = deps.takePlace(whose);
    if (give === undefined) return refuse(request, response, 503, 'full');
    const text = await readText(request, response, whose).finally(give);`,
      },
    ],
  },
];
