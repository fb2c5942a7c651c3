import { hostile, mendsOf, type Mend } from './mend.ts';

const execute = 'src/governance/perform/execute.ts';
const route = 'src/features/agents/route.ts';
const tokens = 'src/features/agents/tokens.ts';
const agents = 'src/governance/rights/policy.ts';

/** Of agents, tokens, steps of workflows and connections. */
export const doors: readonly Mend[] = [
  ...mendsOf(route, hostile('crowded', 'proof: '), {
    'agents: the signature on a body is checked': [
      'if (refusal !== undefined) return refuse(request, response, 401, refusal as AgentRefusal);',
      "if (refusal === 'timestamp') return refuse(request, response, 401, refusal);",
    ],
  }),
  ...mendsOf('src/slack/assistant.ts', 'test/scenarios/agents.test.ts', {
    'agents: Slackbot of another workspace is nobody': [
      'const isOwn = teamId === own.teamId ||',
      "const isOwn = teamId !== '' ||",
    ],
  }),
  ...mendsOf(route, hostile('crowded', 'leak: '), {
    'agents: a token is its person’s, whoever the message names': [
      'const caller = byToken ?? (await assistant.callerIn(message));',
      'const caller = (await assistant.callerIn(message)) ?? byToken;',
    ],
  }),
  {
    promise: 'agents: they read what their person may read',
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
        instead: `} from './judge.ts';
import { everything } from '../rights/rights.ts';`,
      },
    ],
    foundBy: hostile('crowded', 'leak: '),
  },
  ...mendsOf(execute, hostile('crowded', 'policy: '), {
    'agents: they ask where their person has to ask': [
      "const isAtOnce = verdict.kind === 'run';",
      "const isAtOnce = verdict.kind === 'run' || isByAgent(request.through);",
    ],
    'agents: a person presses what gives rights or cannot be undone': [
      '(isByAgent(request.through) && needsPress(operation, input))',
      "(isByAgent(request.through) && operation.name === 'subscribe-channel')",
    ],
  }),
  ...mendsOf(agents, hostile('crowded', 'policy: '), {
    'agents: only people make and revoke tokens': [
      'return isTyped !== false && forPeopleOnly !== true;',
      'return isTyped !== false;',
    ],
  }),
  ...mendsOf(agents, hostile('leaps', 'policy: '), {
    'agents: what Slack says of a person is a minute old at most': [
      'knownToAgentsForMs = 60_000',
      'knownToAgentsForMs = 600_000',
    ],
  }),
  ...mendsOf(tokens, hostile('crowded', 'proof: '), {
    'tokens: a token is compared with what was made': [
      "timingSafeEqual(Buffer.from(stored.hash, 'hex'), hash)",
      'stored.hash.length === 2 * hash.length',
    ],
    'tokens: a revoked token counts no more': [
      'tokens: tokens.filter((token) => token.name !== name),',
      'tokens: [...tokens],',
    ],
  }),
  ...mendsOf(tokens, hostile('leaps', 'proof: '), {
    'tokens: a token counts for 30 days': ['({ expiresAt }) => expiresAt > now()', '({ expiresAt }) => expiresAt > 0'],
  }),
  ...mendsOf('src/slack/in/reply.ts', 'test/slack/in/reply.test.ts', {
    'tokens: Slack keeps none': [
      'if (isSecret || channelOf(channel) !== undefined) {',
      'if (isSecret && channelOf(channel) !== undefined) {',
    ],
  }),
  ...mendsOf('src/features/workflows/step-grants.ts', hostile('crowded', 'proof: '), {
    'steps: the text under “Runs with the rights of” is one that the bot signed': [
      '.find((claim) => timingSafeEqual(signature, signatureOf(claim)));',
      '.find((claim) => signature.length === signatureOf(claim).length);',
    ],
    'steps: rights count for 90 days after the last run': [
      'const unusedForMs = 90 * dayMs;',
      'const unusedForMs = 900 * dayMs;',
    ],
  }),
  ...mendsOf('src/features/workflows/run-step.ts', hostile('crowded', 'leak: '), {
    'steps: an error names no address of a user who is not theirs': [
      "return rights.has('manage_users') && isOwnUser ? run : maskAddresses(run);",
      "return rights.has('manage_users') || isOwnUser ? run : maskAddresses(run);",
    ],
  }),
  ...mendsOf(route, 'test/scenarios/agents.test.ts', {
    'connections: what nobody verified takes no place of a call': [
      'const text = await readText(request, response, whose);',
      `const give = deps.takePlace(whose);
    if (give === undefined) return refuse(request, response, 503, 'full');
    const text = await readText(request, response, whose).finally(give);`,
    ],
  }),
  ...mendsOf('src/slack/in/http.ts', 'test/slack/in/http.test.ts', {
    'the signature of Slack is compared with the body': [
      `} catch {
        return 'signature';`,
      `} catch {
        return undefined;`,
    ],
  }),
  ...mendsOf('src/slack/people/people.ts', 'test/slack/people/people.test.ts', {
    'an address that its owner has not confirmed is none': [
      'emailAddress: isUnconfirmed ? undefined : user.profile?.email,',
      'emailAddress: user.profile?.email,',
    ],
    'colleagues of the organization are no strangers': [
      'const isElsewhere = user.team_id !== teamId && !isColleague;',
      'const isElsewhere = user.team_id !== teamId;',
    ],
    'Slack is asked anew where it must be': [
      'const kept = maxAgeMs === 0 ? undefined : await keptOf(personId, maxAgeMs);',
      'const kept = await keptOf(personId, maxAgeMs || undefined);',
    ],
    'guests are no members': ['user.is_restricted || user.is_ultra_restricted', 'user.is_ultra_restricted'],
    'what Slack said of a person is forgotten when it changed': ['await deps.kept.delete(key);', ''],
  }),
];
