import { named } from '../../../domain/sentence.ts';
import type { OperationContext } from '../../../operations/context.ts';
import type { AgentTokens } from '../../../operations/services/lent-rights.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { say } from '../../../domain/said.ts';

const nameField = {
  kind: 'text',
  label: 'Name',
  hint: 'Where you’ll use it, for example laptop editor.',
  maxLength: 50,
} as const;

export const makeToken = defineOperation({
  name: 'make-token',
  command: '/quiz-admin token <name>',
  summary: 'Make an access token for an agent of yours; it can do what you can, for 30 days',
  access: 'write',
  right: 'staff',
  submit: 'Make',
  forPeopleOnly: true,
  makesNew: true,
  uses: ['agentTokens'],
  fields: { name: nameField },
  action: ({ name }) => say`make the access token ${named(name)}`,
  effect: () => say`An agent with it could do what you can, for 30 days.`,
  async run(context, { name }) {
    const made = await tokensIn(context).make(context.actor.personId, name);
    if (made === 'taken')
      throw new InvalidInputError(
        'name',
        say`You already have a token called ${named(name)}. Choose another name, or revoke that token first.`,
      );
    if (made === 'too many')
      throw new InvalidInputError(
        'name',
        say`You have 10 tokens, and that’s the limit. Revoke one of them first: /quiz-admin tokens`,
      );
    if (made === 'busy') throw new InvalidInputError('name', isBusy);
    return { kind: 'token', ...made };
  },
});

export const listTokens = defineOperation({
  name: 'list-tokens',
  command: '/quiz-admin tokens',
  summary: 'List your access tokens',
  access: 'read',
  right: 'staff',
  submit: 'List',
  forPeopleOnly: true,
  uses: ['agentTokens'],
  fields: {},
  async run(context) {
    return { kind: 'tokens', tokens: await tokensIn(context).all(context.actor.personId) };
  },
});

export const revokeToken = defineOperation({
  name: 'revoke-token',
  command: '/quiz-admin revoke-token <name>',
  summary: 'Revoke an access token of yours; it stops working at once',
  access: 'write',
  right: 'staff',
  submit: 'Revoke',
  forPeopleOnly: true,
  uses: ['agentTokens'],
  fields: { name: { ...nameField, hint: 'As /quiz-admin tokens lists it.' } },
  action: ({ name }) => say`revoke the access token ${named(name)}`,
  effect: () => say`Agents with it couldn’t act for you any more.`,
  async run(context, { name }) {
    const isRevoked = await tokensIn(context).revoke(context.actor.personId, name);
    if (isRevoked === 'busy') throw new InvalidInputError('name', isBusy);
    if (!isRevoked)
      throw new InvalidInputError(
        'name',
        say`You have no token called ${named(name)}. /quiz-admin tokens lists yours.`,
      );
    return { kind: 'done', message: say`Revoked the access token ${named(name)}. It doesn’t work any more.` };
  },
});

/** What makes sense only where agents are turned on. */
export const tokenOperations: ReadonlySet<Operation> = new Set<Operation>([makeToken, listTokens, revokeToken]);

const isBusy = say`Your tokens are being changed right now. Try again in a few seconds.`;

/** @throws {InvalidInputError} where agents are turned off */
function tokensIn({ agentTokens }: OperationContext<'agentTokens'>): AgentTokens {
  if (agentTokens === undefined)
    throw new InvalidInputError(
      'name',
      say`Agents are turned off here. The person who runs the bot can turn them on with MCP_ENABLED.`,
    );
  return agentTokens;
}
