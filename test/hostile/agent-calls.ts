import { tokenOf, type KnownToken } from './proofs.ts';
import { randomBytes } from 'node:crypto';
import { signedHeaders } from '../../src/sandbox/workspace/delivery/dispatcher.ts';
import { slackIdOf } from './cohort.ts';
import { operations, type FieldKind } from './operations.ts';
import { asMarkup, readStepInput, type Payload } from './payloads.ts';
import { teamIn, type Where } from './place.ts';
import type { Intent } from './rules.ts';
import type { DeliveredStep } from './steps.ts';

/** How a call of an agent shows whose it is. */
export const proofs = [
  'signed',
  'token',
  'signature of another secret',
  'old signature',
  'no signature',
  'forged token',
  /** The secret of somebody else’s token behind one’s own ID. */
  'mixed token',
] as const;

/** A message of an agent before it is signed. A type, as what is delivered is a record. */
export type AgentCall = {
  signature: 'right' | 'of another secret' | 'old' | 'none';
  token: string | null;
  /** Of a page in a browser. */
  origin: string | null;
  session: string | null;
  /** A list of messages is none. */
  message: object | readonly object[];
};

type AgentStep = Extract<DeliveredStep, { do: 'agent' }>;

/** Only a signature of five minutes counts: https://docs.slack.dev/authentication/verifying-requests-from-slack */
const oldMs = 10 * 60_000;

const lists: ReadonlySet<FieldKind> = new Set(['users', 'flags', 'assignees', 'people', 'audience', 'durations']);

/** A call of the operation’s tool. @param tokens those of the cohort that were shown */
export function agentPayload(step: AgentStep, where: Where, tokens: readonly KnownToken[]): Payload {
  const { cohort, number, personId } = where;
  const { texts } = readStepInput(step, where);
  const given = Object.entries(texts).map(([field, values]) => {
    const kind = operations[step.operation]?.fields[field] ?? 'text';
    const read = values.map((text) => (kind === 'text' ? text : asMarkup(text)));
    return [field, lists.has(kind) ? read : (read[0] ?? '')];
  });
  const slack = {
    user_id: step.claims === undefined ? personId : slackIdOf(cohort.number, step.claims),
    team_id: step.envelope === 'no team' || step.envelope === 'foreign enterprise' ? null : teamIn(step, where),
    enterprise_id: step.envelope === 'foreign enterprise' ? 'E0FOREIGN' : null,
  };
  const message = {
    jsonrpc: '2.0',
    id: number,
    method: 'tools/call',
    params: {
      name: step.operation,
      arguments: { ...Object.fromEntries(given), ...(step.reason !== undefined && { reason: step.reason }) },
      _meta: { slack },
    },
  };
  const call: AgentCall = {
    ...proofFor(step, where, tokens),
    origin: step.shape === 'from a page' ? 'https://page.example' : null,
    session: step.session ?? null,
    message: step.shape === 'in a list' ? [message] : message,
  };
  return { kind: 'agent', body: call };
}

function proofFor(
  { proof, foreign }: AgentStep,
  { cohort: { tenant }, personId }: Where,
  tokens: readonly KnownToken[],
): Pick<AgentCall, 'signature' | 'token'> {
  const forged = tokenOf(tenant, personId, randomBytes(32).toString('base64url'));
  /** One of the other tenant is nobody’s here. */
  const isMeant = (token: KnownToken) => token.personId === personId || foreign?.includes('token') === true;
  switch (proof) {
    case 'signed':
      return { signature: 'right', token: null };
    case 'signature of another secret':
      return { signature: 'of another secret', token: null };
    case 'old signature':
      return { signature: 'old', token: null };
    case 'no signature':
      return { signature: 'none', token: null };
    case 'token':
      return { signature: 'none', token: tokens.findLast((token) => isMeant(token))?.text ?? forged };
    case 'forged token':
      return { signature: 'none', token: forged };
    case 'mixed token': {
      const other = tokens.findLast((token) => token.personId !== personId)?.text.slice(-43);
      return { signature: 'none', token: other === undefined ? forged : tokenOf(tenant, personId, other) };
    }
  }
}

/**
 * @param signing.secret with which a right signature is made
 * @param signing.now of the bot, in milliseconds
 */
export function agentRequest(
  call: AgentCall,
  { secret: right, now }: { secret: string; now: number },
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(call.message);
  const at = call.signature === 'old' ? now - oldMs : now;
  const secret = call.signature === 'of another secret' ? `${right}!` : right;
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(call.token !== null && { authorization: `Bearer ${call.token}` }),
      ...(call.origin !== null && { origin: call.origin }),
      ...(call.session !== null && { 'mcp-session-id': call.session }),
      ...(call.signature !== 'none' && signedHeaders(secret, at, body)),
    },
    body,
  };
}

/** Of the answer to a call; undefined where it is none of a tool. */
export function statusOfCall(text: string): string | undefined {
  return /"structuredContent":\{"status":"(\w+)"/.exec(text)?.[1];
}

/** What is decided in a preview or by people alone, files that only the person gets, and answers to their own messages. */
const forPeople = new Set([
  'suspend-departed',
  'dismiss-departed',
  'erase-person',
  'change-campaign',
  'take-in',
  'hand-over-campaign',
  'report-campaign',
  'export-matrix',
  'send-evidence',
  'not-me',
  'for-me',
  'snooze-reminders',
  'not-my-report',
  'my-report-after-all',
  'turn-messages',
  'choose-language',
  'decide-request',
  'withdraw-request',
  'show-undo',
  'take-back-quiz',
  'take-back-user',
]);

/** Only people do this (docs/agents-and-workflows.md): approving, tokens, lent rights, what previews and batches offer, and the list above. */
export function isForPeople(operation: string): boolean {
  const { fields = {} } = operations[operation] ?? {};
  return /-tokens?$|rights/.test(operation) || forPeople.has(operation) || 'plan' in fields || 'batch' in fields;
}

const pressed = new Set([
  'erase-person',
  'reset-password',
  'update-user',
  'subscribe-channel',
  'set-channel-language',
  'end-campaign',
  'remind-campaign',
]);

/** What an agent only asks for, although the person could make it at once: the person presses a button (docs/agents-and-workflows.md). */
export function isToPress({ operation, values = {} }: Intent): boolean {
  const isChosen = (field: string) => (values[field]?.length ?? 0) > 0;
  if (operation === 'create-user')
    return (values['user_type']?.[0] ?? 'respondent') !== 'respondent' || isChosen('flags') || isChosen('welcome');
  return pressed.has(operation) || operation.startsWith('delete-');
}
