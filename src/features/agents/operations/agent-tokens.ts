import { nameOrId } from '../../../domain/record-names.ts';
import { named, say, shortName } from '../../../domain/said.ts';
import { made, type Page, formStep, replaceStep, runStep } from '../../../operations/page.ts';
import { moment } from '../../../time/date-words.ts';
import type { OperationContext } from '../../../operations/context.ts';
import type { AgentToken, AgentTokens } from '../../../operations/services/people.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { defineOperation } from '../../../operations/operation.ts';

const nameField = {
  kind: 'text',
  label: 'Name',
  hint: 'Where you’ll use it, for example laptop editor.',
  maxLength: 50,
} as const;

const ofTokens = { needs: 'agentTokens', right: 'staff', forPeopleOnly: true } as const;
const changing = { ...ofTokens, access: 'write', rules: [{ name: 'a person’s own access tokens' }] } as const;

export const makeToken = defineOperation({
  ...changing,
  name: 'make-token',
  command: '/quiz-admin token <name>',
  summary: 'Make an access token for an agent; it can do what you can, for 30 days',
  submit: 'Make',
  makesNew: true,
  fields: { name: nameField },
  action: ({ name }) => say`make the access token ${named(name)}`,
  effect: () => say`An agent with it could do what you can, for 30 days.`,
  async run(context, { name }) {
    const token = await tokensIn(context).make(context.actor.personId, name);
    if (token === 'taken')
      throw new InvalidInputError(
        'name',
        say`You already have a token called ${named(name)}. Choose another name, or revoke that token first.`,
      );
    if (token === 'too many')
      throw new InvalidInputError(
        'name',
        say`You have 10 tokens, and that’s the limit. Revoke one of them first: /quiz-admin tokens`,
      );
    if (token === 'busy') throw new InvalidInputError('name', isBusy);
    return { kind: 'page', ...madePage(token) };
  },
});

export const listTokens = defineOperation({
  ...ofTokens,
  name: 'list-tokens',
  command: '/quiz-admin tokens',
  summary: 'List your access tokens',
  access: 'read',
  submit: 'List',
  fields: {},
  async run(context) {
    return { kind: 'page', ...tokensPage(await tokensIn(context).all(context.actor.personId)) };
  },
});

export const revokeToken = defineOperation({
  ...changing,
  name: 'revoke-token',
  command: '/quiz-admin revoke-token <name>',
  summary: 'Revoke an access token; it stops working at once',
  submit: 'Revoke',
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
    return made(say`Revoked the access token ${named(name)}. It doesn’t work any more.`);
  },
});

const isBusy = say`Your tokens are being changed right now. Try again in a few seconds.`;

/** @throws {InvalidInputError} where agents are turned off */
function tokensIn({ agentTokens }: OperationContext): AgentTokens {
  if (agentTokens === undefined)
    throw new InvalidInputError(
      'name',
      say`Agents are turned off here. The person who runs the bot can turn them on with MCP_ENABLED.`,
    );
  return agentTokens;
}

/** The one place where a token is shown. */
export function madePage({ name, secret, expiresAt }: AgentToken & { secret: string }): Page {
  return {
    heading: say`✅ Made the access token *${shortName(nameOrId('token', name))}*. It works until ${moment(expiresAt)}.`,
    isSecret: true,
    parts: [{ lines: [say`\`${secret}\``] }],
    steps: [runStep(say`View my tokens`, listTokens, {})],
    notes: [
      say`Copy it now: you can’t see it again. An agent that has it can do what you can, so give it to nobody else.`,
    ],
  };
}

/** A person’s tokens, each with **Revoke**. */
export function tokensPage(tokens: readonly AgentToken[]): Page {
  return {
    heading: tokens.length === 0 ? say`🔑 ${say`You have no access tokens.`}` : say`*Your access tokens*`,
    parts: [
      {
        items: tokens.map(({ name, createdAt, expiresAt }) => ({
          line: say`🔑 *${shortName(nameOrId('token', name))}* · made ${moment(createdAt)} · works until ${moment(expiresAt)}`,
          steps: [{ ...replaceStep(say`Revoke`, revokeToken, { name: [name] }), style: 'danger' }],
        })),
      },
    ],
    steps: [formStep(say`Make a token`, makeToken, {})],
  };
}
