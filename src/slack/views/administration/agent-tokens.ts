import { nameOrId } from '../../../domain/name-or-id.ts';
import { say } from '../../../domain/said.ts';
import { listTokens, makeToken, revokeToken } from '../../../features/agents/operations/agent-tokens.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { textMessage, type Message } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { context, section, shortName } from '../blocks/mrkdwn.ts';

/** The one place where a token is shown. */
export function tokenMessage(
  { name, secret, expiresAt }: Extract<OperationResult, { kind: 'token' }>,
  timeZone: string,
): Message {
  const line = say`✅ Made the access token *${shortName(nameOrId('token', name))}*. It works until ${moment(new Date(expiresAt), timeZone)}.`;
  return {
    text: line,
    isSecret: true,
    blocks: [
      section(line),
      section(say`\`${secret}\``),
      context(
        say`Copy it now: you can’t see it again. An agent that has it can do what you can, so give it to nobody else.`,
      ),
      ...buttonRow(
        operationButton('list', { text: say`View my tokens`, doing: 'beside', operation: listTokens, raw: {} }),
      ),
    ],
  };
}

/** A person’s tokens, each with **Revoke**. */
export function tokensMessage({ tokens }: Extract<OperationResult, { kind: 'tokens' }>, timeZone: string): Message {
  const make = operationButton('make', { text: say`Make a token`, doing: 'form', operation: makeToken, raw: {} });
  if (tokens.length === 0) {
    const none = textMessage('🔑', say`You have no access tokens.`);
    return { ...none, blocks: [...none.blocks, ...buttonRow(make)] };
  }
  const heading = say`*Your access tokens*`;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...tokens.map(({ name, createdAt, expiresAt }, index) => {
        const [revoke] = operationButton(`revoke-${index + 1}`, {
          text: say`Revoke`,
          doing: 'replace',
          operation: revokeToken,
          raw: { name: [name] },
          style: 'danger',
        });
        return {
          ...section(
            say`🔑 *${shortName(nameOrId('token', name))}* · made ${moment(new Date(createdAt), timeZone)} · works until ${moment(new Date(expiresAt), timeZone)}`,
          ),
          ...(revoke && { accessory: revoke }),
        };
      }),
      ...buttonRow(make),
    ],
  };
}
